import Basics
import JSON
import Loop

/// Compares the sandbox's clock with this machine's, which clients use to sign requests.
struct ClockCheck: Check {
  static let name = "clock"
  let client: ControlClient
  let url: String

  func results() throws -> [CheckResult] {
    let clock = try client.get("/control/clock")
    let (mode, text) = (try clock.string("mode"), try clock.string("now"))
    guard let now = Timestamp(iso8601: text) else { return [] }
    let difference = now - Timestamp(milliseconds: EventLoop.wallClockMilliseconds())
    let seconds = abs(difference.components.seconds)
    let state =
      mode == "frozen"
      ? CheckResult.ok(
        "the clock is frozen at \(text)",
        fix: "nothing expires until you advance it: ringfence clock advance 11m --url \(url)")
      : .ok("the clock is \(mode), now \(text)")
    guard seconds > Self.tolerance else { return [state] }
    return [
      state,
      .warning(
        "the clock is \(Self.text(seconds)) \(difference > .zero ? "ahead of" : "behind") this machine's: providers "
          + "whose settings ask for strict dates reject requests signed by this machine's clock",
        fix: "ringfence clock release --url \(url)"),
    ]
  }

  /// The strictest limit that a provider sets on the age of a signature, in seconds.
  private static let tolerance = 15 * 60

  private static func text(_ seconds: Int64) -> String {
    switch seconds {
    case 172_800...: "\(seconds / 86_400) days"
    case 7_200...: "\(seconds / 3_600) hours"
    default: "\(seconds / 60) minutes"
    }
  }
}

/// Looks for state that makes requests fail: injected faults, failed webhooks, an unreachable gateway.
struct SandboxCheck: Check {
  static let name = "sandbox"
  let client: ControlClient
  let url: String
  let token: AdminTokenOption

  func results() throws -> [CheckResult] { [try gateway, try faults, try webhooks, try sandboxes] }

  private var gateway: CheckResult {
    get throws {
      let gateway = try client.get("/control/gateway")
      let url = try gateway.string("url")
      let listener = try? ControlClient(url, token: token, timeout: PlainSocket.timeout)
      guard (try? listener?.get("/control/gateway")) != nil else {
        return .warning(
          "the cellular gateway at \(url) does not answer",
          fix: "if phones need it: ringfence serve --gateway 127.0.0.1:5552, or --public-url")
      }
      return .ok("the cellular gateway answers at \(url), mode \(try gateway.string("mode"))")
    }
  }

  private var faults: CheckResult {
    get throws {
      let faults = try client.get("/control/faults").objects("faults")
      guard !faults.isEmpty else { return try webhookFaults }
      return .warning(
        "\(faults.count.counted("injected fault")): matching requests fail on purpose",
        fix: "curl -X DELETE \(url)/control/faults")
    }
  }

  private var webhookFaults: CheckResult {
    get throws {
      let faults = try client.get("/control/webhooks/faults").objects("webhookFaults")
      guard !faults.isEmpty else { return .ok("no injected faults") }
      return .warning(
        "\(faults.count.counted("webhook fault")): matching webhooks go wrong on purpose",
        fix: "curl -X DELETE \(url)/control/webhooks/faults")
    }
  }

  private var webhooks: CheckResult {
    get throws {
      let lost = try ["failed", "refused", "dropped"].flatMap { state in
        try client.entries("webhooks", of: "/control/webhooks?state=\(state)").map { try Fields($0) }
      }
      guard let last = lost.last else { return .ok("no failed webhooks") }
      return .warning(
        "\(lost.count.counted("failed webhook")), the last to \(try last.string("url")): \(try last.string("why"))",
        fix: "after fixing the cause: curl -X POST \(url)/control/webhooks/\(try last.string("id"))/replay")
    }
  }

  private var sandboxes: CheckResult {
    get throws {
      guard let list = try? client.get("/control/sandboxes?limit=1000") else {
        return .ok("this token opens one sandbox only")
      }
      let names = try list.objects("sandboxes").map { try $0.string("name") }
      let more = try list.bool("hasMore") ? ", …" : ""
      return .ok("sandboxes: \(names.joined(separator: ", "))\(more)")
    }
  }
}
