import Domain
import JSON

/// One kind of failure: what it is called, what happens, and the rule or event that causes it.
struct Failure {
  /// The operation of the control API that starts the failure.
  enum Target {
    case fault
    case scenario
    /// An event of a line.
    case event
    /// The record of a line.
    case record

    /// The operation of the control API; `{number}` is the number of the form.
    var path: String {
      switch self {
      case .fault: "/control/faults"
      case .scenario: "/control/scenarios"
      case .event: "/control/subscribers/{number}/events"
      case .record: "/control/subscribers/{number}"
      }
    }

    /// The name of the list that the rule is added to; nil if it takes effect at once.
    var list: String? {
      switch self {
      case .fault: "faults"
      case .scenario: "scenarios"
      case .event, .record: nil
      }
    }

    /// True if it changes a line, at once; false if it adds a rule.
    var isLine: Bool { self == .event || self == .record }
  }

  let name: String
  let effect: String
  let target: Target
  let json: String

  /// The effect in the words that banner and board use while the failure is active; empty if it is no rule.
  var ruleEffect: String {
    let rule: (any Rule)? =
      switch target {
      case .fault: try? Fault(Fields(Array(json.utf8)))
      case .scenario: try? Scenario(Fields(Array(json.utf8)))
      case .event, .record: nil
      }
    return rule?.effect ?? ""
  }
}

/// Failures of one part of the system.
struct FailureGroup {
  let name: String
  let failures: [Failure]

  static let all = [
    FailureGroup(
      name: "The provider",
      failures: [
        .init(
          name: "Answers 500", effect: "Every request fails in the provider's words.", target: .fault,
          json: #"{"status":500}"#),
        .init(
          name: "Too many requests", effect: "429 with Retry-After: 5.", target: .fault,
          json: #"{"status":429,"retryAfter":5}"#),
        .init(
          name: "Is slow", effect: "Every answer takes three seconds.", target: .fault,
          json: #"{"latencyMs":3000}"#),
        .init(
          name: "Garbled answers", effect: "The answer is not JSON.", target: .fault,
          json: #"{"damage":"garble"}"#),
        .init(
          name: "Half an answer", effect: "The body stops half-way, and the connection closes.",
          target: .fault,
          json: #"{"damage":"truncate"}"#),
        .init(
          name: "Drops the connection", effect: "No answer: the connection is reset.", target: .fault,
          json: #"{"damage":"reset"}"#),
      ]),
    FailureGroup(
      name: "Messages and calls",
      failures: [
        .init(
          name: "Late", effect: "Messages arrive after a minute.", target: .scenario,
          json: #"{"outcome":"slow","afterMs":60000}"#),
        .init(
          name: "Lost", effect: "Messages do not arrive, and the receipt says so.", target: .scenario,
          json: #"{"outcome":"undeliverable"}"#),
        .init(
          name: "Lost, but reported", effect: "Messages do not arrive; the receipt says delivered.",
          target: .scenario, json: #"{"outcome":"lostButDelivrd"}"#),
        .init(
          name: "No receipt", effect: "Messages arrive, and the provider never learns it.", target: .scenario,
          json: #"{"outcome":"noReceipt"}"#),
        .init(
          name: "Twice", effect: "Every text arrives twice.", target: .scenario,
          json: #"{"outcome":"duplicate"}"#),
        .init(
          name: "Out of order", effect: "The next text takes a minute; later ones overtake it.",
          target: .scenario,
          json: #"{"match":{"channel":"sms","nth":1},"outcome":"slow","afterMs":60000}"#),
        .init(
          name: "Garbled", effect: "Texts show question marks instead of digits.", target: .scenario,
          json: #"{"match":{"channel":"sms"},"outcome":"garbled"}"#),
        .init(
          name: "Filtered", effect: "The network takes texts for spam.", target: .scenario,
          json: #"{"match":{"channel":"sms"},"outcome":"filtered"}"#),
        .init(
          name: "A machine answers", effect: "Calls reach voicemail.", target: .scenario,
          json: #"{"match":{"channel":"call"},"outcome":"voicemail"}"#),
        .init(
          name: "Nobody answers", effect: "Calls ring until they end.", target: .scenario,
          json: #"{"match":{"channel":"call"},"outcome":"noAnswer"}"#),
      ]),
    FailureGroup(
      name: "Silent verification",
      failures: [
        .init(
          name: "Another SIM card", effect: "The operator finds a number other than the claimed one.",
          target: .scenario, json: #"{"match":{"channel":"silent"},"outcome":"mismatch"}"#),
        .init(
          name: "Without mobile data", effect: "The operator cannot recognise the handset.",
          target: .scenario,
          json: #"{"match":{"channel":"silent"},"outcome":"notMobile"}"#),
        .init(
          name: "The gateway fails", effect: "The operator answers with an error.", target: .scenario,
          json: #"{"match":{"channel":"silent"},"outcome":"carrierError"}"#),
      ]),
    FailureGroup(
      name: "The line",
      failures: [
        .init(
          name: "SIM swapped", effect: "A new SIM card has the number now.", target: .event,
          json: #"{"event":"simSwap"}"#),
        .init(
          name: "Switched off", effect: "The handset loses its network.", target: .event,
          json: #"{"event":"detach"}"#),
        .init(
          name: "Switched on", effect: "The handset finds its network; what waited arrives.", target: .event,
          json: #"{"event":"attach"}"#),
        .init(
          name: "Ported", effect: "The number has moved to another network.", target: .event,
          json: #"{"event":"port"}"#),
        .init(
          name: "Roaming", effect: "The handset is in another country.", target: .event,
          json: #"{"event":"roam"}"#),
        .init(
          name: "No mobile data", effect: "Silent verification fails, and pushes are held.", target: .record,
          json: #"{"reach":{"data":false}}"#),
        .init(
          name: "Mobile data", effect: "Silent verification works again; held pushes arrive.",
          target: .record,
          json: #"{"reach":{"data":true}}"#),
        .init(
          name: "Pushes unanswered", effect: "The person ignores every push.", target: .record,
          json: #"{"pushes":"ignore"}"#),
        .init(
          name: "Pushes by hand", effect: "Pushes wait for you again.", target: .record,
          json: #"{"pushes":"manual"}"#),
        .init(
          name: "Back home", effect: "The handset no longer roams.", target: .record,
          json: #"{"roaming":{"on":false}}"#),
      ]),
  ]
}
