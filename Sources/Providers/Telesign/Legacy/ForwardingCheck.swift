import Domain
import JSON
import ProviderKit

/// Whether calls to a number go elsewhere, and what the request wants to follow from that. Source: contract 7.2.
struct ForwardingCheck {
  /// What is to be done about it.
  enum Action: String {
    /// No call.
    case block = "BLOCK"
    /// The answer says so.
    case flag = "FLAG"
  }

  /// What is to be done about it.
  let action: Action
  /// `FORWARDED`, `NOT_FORWARDED`, `UNSUPPORTED` or `UNAVAILABLE`.
  let finding: String

  /// What the carrier knows. Only handsets and fixed lines are forwarded by it; of a number out of service it
  /// knows nothing.
  init(_ action: Action, of subscriber: Subscriber, at now: Timestamp) {
    self.action = action
    if subscriber.isDeactivated(at: now) {
      finding = "UNAVAILABLE"
    } else if subscriber.lineType != .mobile && subscriber.lineType != .landline {
      finding = "UNSUPPORTED"
    } else {
      finding = subscriber.forwarding.isEmpty ? "NOT_FORWARDED" : "FORWARDED"
    }
  }

  /// Reads what `keep` wrote.
  init(_ fields: Fields) throws {
    action = Action(rawValue: try fields.string("action")) ?? .flag
    finding = try fields.string("finding")
  }

  /// Whether the call must not be made.
  var blocks: Bool { action == .block && finding == "FORWARDED" }

  /// Writes it into a record.
  func keep(in json: inout JSONWriter) {
    json.member("action", action.rawValue)
    json.member("finding", finding)
  }

  /// Writes it into an answer.
  func write(to json: inout JSONWriter) {
    json.member("action", action.rawValue)
    json.member("call_forward", finding)
  }
}
