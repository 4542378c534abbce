import ArgumentParser
import Domain
import JSON

/// `ringfence doctor`: looks at a running server from outside, and says what to do about what is wrong.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check a running sandbox and say how to mend what is wrong.")

  @Option(help: "Where the server should listen.")
  var url = "http://127.0.0.1:5550"

  func run() throws {
    let client = try ControlClient(url)
    let clock: Fields
    do {
      clock = try client.get("/control/clock")
    } catch {
      print("✗ nothing answers at \(url) (\(error))\n  → start it: ringfence serve")
      throw ExitCode.failure
    }
    print("✓ a sandbox answers at \(url)")
    let mode = try clock.string("mode")
    print("✓ its clock is \(mode), now \(try clock.string("now"))")
    if mode == "frozen" { print("  → nothing expires until it moves: ringfence clock advance 11m") }
    try check(gateway: client.get("/control/gateway"))
    let faults = try client.get("/control/faults").objects("faults")
    if faults.isEmpty {
      print("✓ no faults are set")
    } else {
      print("! \(faults.count) faults are set, so requests fail on purpose")
      print("  → curl -X DELETE \(url)/control/faults")
    }
    try lookAtWebhooks(client)
    let sandboxes = try client.get("/control/sandboxes").objects("sandboxes")
    print(
      "✓ \(sandboxes.count) sandboxes: \(try sandboxes.map { try $0.string("name") }.joined(separator: ", "))"
    )
  }
  private func check(gateway: Fields) throws {
    let url = try gateway.string("url")
    guard (try? ControlClient(url).get("/control/gateway")) != nil else {
      print("! nothing answers at the cellular gateway \(url)")
      print("  → phones need to reach it: ringfence serve --gateway 127.0.0.1:5552, or --public-url")
      return
    }
    print("✓ the cellular gateway answers at \(url), mode \(try gateway.string("mode"))")
  }

  private func lookAtWebhooks(_ client: ControlClient) throws {
    let lost = try ["failed", "refused", "dropped"].flatMap { state in
      try client.get("/control/webhooks?state=\(state)").objects("webhooks")
    }
    guard let last = lost.last else { return print("✓ no webhook was given up") }
    print("! \(lost.count) webhooks were given up, one to \(try last.string("url")):")
    print("    \(try last.string("why"))")
    print("  → once mended: curl -X POST \(url)/control/webhooks/\(try last.string("id"))/replay")
  }
}
