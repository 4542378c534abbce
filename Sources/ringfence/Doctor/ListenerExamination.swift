import HTTP
import JSON

/// Looks who answers where the sandbox should.
struct ListenerExamination: Examination {
  static let area = "ports"
  let subject: Subject

  func findings() -> [Finding] {
    let url = subject.url.origin
    do {
      _ = try ControlClient(url).get("/control/clock").string("mode")
      return [.good("a sandbox answers at \(url)")]
    } catch {
      guard let holder = PortHolder.find(subject.url.port) else {
        return [.bad("nothing answers at \(url) (\(error))", fix: "start it: ringfence serve")]
      }
      return [
        .bad(
          "at \(url) is no sandbox but \(holder)",
          fix: "stop that, or take another port: ringfence serve --http 127.0.0.1:5560")
      ]
    }
  }
}
