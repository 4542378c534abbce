/// A kind of failure: what it is called, what happens, and how to produce it.
///
/// The tables in this folder are the only list: `GET /control/failures`, `Docs/Failures.md`, the console's
/// *Break* and the boards of workshops show it, and a test drives each row with every provider.
package struct Failure: Sendable {
  package enum Cause: Sendable {
    // Rules, as JSON.
    case fault(String)
    case scenario(String)
    case webhookFault(String)
    // Changes of a line, as JSON.
    case event(String)
    case record(String)
    /// Another request of the control API, with its body as JSON.
    case request(_ method: String, _ path: String, _ body: String)
    /// Steps for a person or an app.
    case manual(String)
  }

  /// `text-lost`
  package let id: String
  package let name: String
  /// One sentence for people: `It arrives after a minute.`
  package let effect: String
  package let cause: Cause
  /// A number whose last digits have the same effect.
  package let number: String?
  /// The request that undoes it; nil for rules, which are removed, and where nothing does.
  package let repair: Cause?
  /// What apps see of it. Nil if nobody has asked.
  var shown: [Shown]?

  /// What an app sees of it with one provider.
  struct Shown: Sendable {
    let provider: String
    let places: [ShownFailures.Place]
  }

  init(
    _ id: String, _ name: String, _ effect: String, _ cause: Cause, number: String? = nil,
    repair: Cause? = nil
  ) {
    self.id = id
    self.name = name
    self.effect = effect
    self.cause = cause
    self.number = number
    self.repair = repair
  }
}

extension Failure.Cause {
  /// The kind of rule; nil if it is no rule.
  private var ruleKind: (any Rule.Type)? {
    switch self {
    case .fault: Fault.self
    case .scenario: Scenario.self
    case .webhookFault: WebhookFault.self
    case .event, .record, .request, .manual: nil
    }
  }

  /// The operation of the control API; `{number}` stands for a phone number. Nil for manual steps.
  package var path: String? {
    switch self {
    case .fault, .scenario, .webhookFault: ruleKind?.controlPath
    case .event: "/control/subscribers/{number}/events"
    case .record: "/control/subscribers/{number}"
    case .request(_, let path, _): path
    case .manual: nil
    }
  }

  package var method: String? {
    switch self {
    case .fault, .scenario, .webhookFault, .record: "PUT"
    case .event: "POST"
    case .request(let method, _, _): method
    case .manual: nil
    }
  }

  /// The member with the list that the rule is added to; nil if it is no rule.
  package var list: String? { ruleKind?.listName }

  /// The rule, or the body of the request; nil for manual steps.
  package var json: String? {
    switch self {
    case .fault(let json), .scenario(let json), .webhookFault(let json), .event(let json), .record(let json),
      .request(_, _, let json):
      json
    case .manual: nil
    }
  }

  /// True if the request is about one number.
  package var needsNumber: Bool { path?.contains("{number}") ?? false }

  /// Manual steps; nil if a request produces the failure.
  package var steps: String? { if case .manual(let text) = self { text } else { nil } }

  /// The body of the request; nil for manual steps.
  package var body: String? {
    guard let json else { return nil }
    return list.map { #"{"\#($0)":[\#(json)]}"# } ?? json
  }

  /// The rule; nil if it is none.
  fileprivate var rule: (any Rule)? {
    guard let ruleKind, let json else { return nil }
    return try? ruleKind.init(Fields(Array(json.utf8)))
  }
}

extension Failure {
  /// The effect in the words that banner and board use while the failure is active; empty if it is no rule.
  package var ruleEffect: String { cause.rule?.effect ?? "" }

  /// The rule, if it is one of this kind.
  func rule<Content: Rule>(of kind: Content.Type = Content.self) -> Content? { cause.rule as? Content }

  /// A failure of messages, calls or silent verifications over one channel.
  ///
  /// `more` is further members of the scenario; `ending` the last two digits with the same effect.
  static func scenario(
    _ id: String, _ name: String, _ effect: String, over channel: Channel, _ outcome: String,
    more: String = "", ending: String? = nil
  ) -> Failure {
    Failure(
      id, name, effect,
      .scenario(#"{"match":{"channel":"\#(channel.rawValue)"},"outcome":"\#(outcome)"\#(more)}"#),
      number: ending.map { "+120255501\($0)" })
  }
}

/// Failures of one part of the system.
package struct FailureGroup: Sendable {
  /// What an app does when the failures happen to it.
  package enum Flow: String, CaseIterable, Sendable {
    /// Verifies a number with a code in a text, in a message of WhatsApp, in a call.
    case sms, whatsapp, call
    /// Enters codes.
    case check
    /// Sends one request.
    case request
    /// Receives webhooks.
    case webhook
    /// Verifies a number by its mobile data connection.
    case silent
    /// Asks for an approval on a phone.
    case push
    /// Signs in with a passkey.
    case passkey
    /// Looks a number up.
    case lookup
  }

  package let name: String
  package let flow: Flow
  package let failures: [Failure]

  init(_ name: String, _ flow: Flow, _ failures: [Failure]) {
    self.name = name
    self.flow = flow
    self.failures = failures
  }

  package static let all = [
    requests, texts, apps, calls, codes, webhooks, silent, pushes, passkeys, lines,
  ]
}
