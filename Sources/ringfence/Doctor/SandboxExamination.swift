import JSON

/// Looks at the sandbox by its control API: what is set there that makes requests fail on purpose, and what was given
/// up.
struct SandboxExamination: Examination {
  static let area = "sandbox"
  let client: ControlClient
  let url: String

  func findings() throws -> [Finding] { [try gateway, try faults, try webhooks, try worlds] }

  private var gateway: Finding {
    get throws {
      let gateway = try client.get("/control/gateway")
      let url = try gateway.string("url")
      let listener = try? ControlClient(url, timeout: PlainSocket.timeout)
      guard (try? listener?.get("/control/gateway")) != nil else {
        return .doubtful(
          "nothing answers at the cellular gateway \(url)",
          fix: "phones need to reach it: ringfence serve --gateway 127.0.0.1:5552, or --public-url")
      }
      return .good("the cellular gateway answers at \(url), mode \(try gateway.string("mode"))")
    }
  }

  private var faults: Finding {
    get throws {
      let faults = try client.get("/control/faults").objects("faults")
      guard !faults.isEmpty else { return .good("no faults are set") }
      return .doubtful(
        "\(faults.count.counted("fault")) set, so requests fail on purpose",
        fix: "curl -X DELETE \(url)/control/faults")
    }
  }

  private var webhooks: Finding {
    get throws {
      let lost = try ["failed", "refused", "dropped"].flatMap { state in
        try client.get("/control/webhooks?state=\(state)").objects("webhooks")
      }
      guard let last = lost.last else { return .good("no webhook was given up") }
      return .doubtful(
        "\(lost.count.counted("webhook")) given up, one to \(try last.string("url")): \(try last.string("why"))",
        fix: "once mended: curl -X POST \(url)/control/webhooks/\(try last.string("id"))/replay")
    }
  }

  private var worlds: Finding {
    get throws {
      let names = try client.get("/control/sandboxes").objects("sandboxes").map { try $0.string("name") }
      return .good("its sandboxes: \(names.joined(separator: ", "))")
    }
  }
}
