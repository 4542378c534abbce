import HTTP
import JSON

/// Looks who answers where the sandbox should, and who has the ports that it wants besides.
struct ListenerExamination: Examination {
  static let area = "ports"
  let subject: Subject

  func findings() -> [Finding] { [http] + others }

  private var http: Finding {
    let url = subject.base
    do {
      _ = try ControlClient(url, timeout: PlainSocket.timeout).get("/control/clock").string("mode")
      return .good("a sandbox answers at \(url)")
    } catch {
      guard let holder = holder(of: subject.url.port) else {
        let cause = error is PlainSocket.Failure ? "\(error)" : "what answers at \(url) is no sandbox"
        return .bad(cause, fix: "start it: ringfence serve")
      }
      return .bad(
        "at \(url) is no sandbox but \(holder)",
        fix: "stop that, or take another port: ringfence serve --http 127.0.0.1:5560")
    }
  }

  /// Other ports, where a program of another name than the sandbox's has them.
  private var others: [Finding] {
    let own = holder(of: subject.url.port)
    return wanted.compactMap { option, port in
      guard let holder = holder(of: port), holder.name != own?.name, holder.name != "ringfence" else {
        return nil
      }
      return .doubtful(
        "port \(port), wanted for --\(option), has \(holder)",
        fix: "stop that, or take another port: ringfence serve --\(option) 127.0.0.1:\(port + 10)")
    }
  }

  /// Of another machine's ports we know nothing.
  private func holder(of port: UInt16) -> PortHolder? { subject.isHere ? PortHolder.find(port) : nil }

  private var wanted: [(option: String, port: UInt16)] {
    guard case .direct(_, let port) = subject.tls else { return [] }
    return [("https", port)] + (subject.isUsual ? [("gateway", 5552)] : [])
  }
}
