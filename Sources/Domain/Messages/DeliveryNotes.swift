import Basics
import Numbers

/// Why recent messages were delivered or lost, as text for people. In memory only.
package struct DeliveryNotes {
  package struct Note: Equatable {
    /// The scenario, if one decided: `scenario 1 of the trainer (undeliverable)`, or, if it is one of the
    /// failures, `failure text-lost (scenario 1)`.
    package var scenario: String?
    /// Why the message is not delivered as usual: `its number ends in 0130 (/control/docs/Carrier.md)`.
    package var cause: String?
    /// What is wrong with the text on the handset.
    package var damage: TextDamage?
    /// True if a scenario of the sandbox decided, and not the number.
    package var isOnPurpose = false
  }

  /// By the ordinals of messages.
  private var notes: [Int: Note] = [:]

  private static let limit = 2000

  /// Nil for a message that was delivered as usual, and if the note was forgotten.
  package subscript(message: Int) -> Note? { notes[message] }

  /// Why a message has no effect.
  package mutating func explain(_ message: Int, _ why: String) { add(Note(cause: why), about: message) }

  /// Of too many notes, the older half is forgotten.
  mutating func add(_ note: Note, about message: Int) {
    if notes.count >= Self.limit {
      let kept = notes.keys.sorted().suffix(Self.limit / 2).first ?? 0
      notes = notes.filter { $0.key >= kept }
    }
    notes[message] = note
  }
}

/// Where the scenario of a message comes from.
enum ScenarioSource {
  case request
  case rule(number: Int, RuleOrigin, failure: String?)
  /// The subscriber's record.
  case record
  /// The digits of a number without a scenario in its record.
  case digits
  /// A test number of the provider.
  case testNumber

  var isRule: Bool { if case .rule = self { true } else { false } }

  var name: String {
    switch self {
    case .request: "the scenario that the request names"
    case .rule(_, .chaos, _): "chaos"
    case .rule(let number, let origin, _): "scenario \(number)\(origin.ofWhom)"
    case .record, .digits: "the number's own scenario"
    case .testNumber: "the test number's scenario"
    }
  }

  /// `scenario 1 (undeliverable)`, `failure text-lost (scenario 1)`
  func title(_ scenario: Scenario) -> String {
    if case .rule(_, _, let failure?) = self { return "failure \(failure) (\(name))" }
    return "\(name) (\(scenario.requestedOutcome))"
  }

  func cause(_ scenario: Scenario, _ draft: MessageDraft) -> String {
    switch self {
    case .request: "the request asks for \(scenario.requestedOutcome)"
    case .rule(_, _, _?): "of the \(title(scenario))"
    case .rule(_, .chaos, _): "\(name) says so (\(RuleOrigin.chaos.end(of: Scenario.self)))"
    case .rule: "\(name) says so (/control/scenarios)"
    case .record: "its record says so (/control/subscribers/\(draft.destination))"
    case .digits: draft.endingCause
    case .testNumber:
      "its number is one of the provider's test numbers (/control/docs/Providers/\(draft.provider).md)"
    }
  }
}

extension MessageDraft {
  fileprivate var endingCause: String {
    "its number ends in \(destination.suffix(4)) (/control/docs/Carrier.md)"
  }
}

extension Subscriber {
  /// Why the line does not take a message as usual. `digits` is the same number without its record.
  func cause(of plan: DeliveryPlan, _ draft: MessageDraft, comparedTo digits: Subscriber, at now: Timestamp)
    -> String
  {
    guard UsualDelivery.plan(of: draft, to: digits, at: now) != plan else { return draft.endingCause }
    return "\(obstacle(to: draft, at: now)) (/control/subscribers/\(number))"
  }

  private func obstacle(to draft: MessageDraft, at now: Timestamp) -> String {
    if isDeactivated(at: now) { return "its line is out of service" }
    if suspended { return "its line is suspended" }
    if simCard != .connected { return "no network has seen a SIM card of its number" }
    if draft.channel == .call {
      if barring.contains(.voiceIn) { return "its line is barred" }
      return reach.sms || reach.data ? "its calls are forwarded" : "its handset is switched off"
    }
    if hasStopped(draft.sender) { return "its number has opted out of messages from \(draft.sender)" }
    if draft.channel != .push, !lineType.takesTexts { return "its line takes no texts" }
    if draft.channel == .sms {
      return barring.contains(.smsIn) ? "its line is barred" : "its handset is switched off"
    }
    return reach.data
      ? "its number has no \(draft.channel.rawValue)" : "its handset has no data connection"
  }
}
