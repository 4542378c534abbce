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

    var isLine: Bool { self == .event || self == .record }
    var hasProvider: Bool { !isLine }
  }

  let name: String
  let effect: String
  let target: Target
  let json: String
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
          name: "Lost without a receipt", effect: "Nothing arrives, and nobody is told.", target: .scenario,
          json: #"{"outcome":"noReceipt"}"#),
        .init(
          name: "Twice", effect: "Every text arrives twice.", target: .scenario,
          json: #"{"outcome":"duplicate"}"#),
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
          name: "No mobile data", effect: "Silent verification fails.", target: .record,
          json: #"{"reach":{"data":false}}"#),
        .init(
          name: "Pushes unanswered", effect: "The person ignores every push.", target: .record,
          json: #"{"pushes":"ignore"}"#),
      ]),
  ]
}
