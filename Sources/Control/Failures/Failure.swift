/// A kind of failure: what it is called, what happens, and how to produce it.
///
/// `Failures.txt` is the only list: `GET /control/failures`, `Docs/Failures.md`, the console's *Break* and
/// the boards of workshops show it, and a test drives each row with every provider.
package struct Failure: Sendable {
  /// How to produce or undo it: a request of the control API, or steps for a person or an app.
  package struct Cause: Sendable {
    /// Nil if it is no rule.
    private(set) var ruleKind: (any Rule.Type)?
    package private(set) var method: String?
    /// `{number}` stands for a phone number. Nil for manual steps.
    package private(set) var path: String?
    /// The rule, or the body of the request; nil for manual steps.
    package private(set) var json: String?
    /// Manual steps; nil if a request produces the failure.
    package private(set) var steps: String?

    /// `fault {…}`, `request METHOD PATH {…}`, `manual STEPS`; nil for other cells.
    fileprivate init?(_ cells: [String]) {
      json = cells.last
      switch (cells.first, cells.count) {
      case ("fault", 2): ruleKind = Fault.self
      case ("scenario", 2): ruleKind = Scenario.self
      case ("webhookFault", 2): ruleKind = WebhookFault.self
      case ("event", 2): (method, path) = ("POST", "/control/subscribers/{number}/events")
      case ("record", 2): (method, path) = ("PUT", "/control/subscribers/{number}")
      case ("request", 4): (method, path) = (cells[1], cells[2])
      case ("manual", 2): (steps, json) = (json, nil)
      default: return nil
      }
      if let ruleKind { (method, path) = ("PUT", ruleKind.controlPath) }
    }
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
  /// What apps see of it; nil in a list, which has no details.
  var shown: [Shown]?

  /// What an app sees of it with one provider.
  struct Shown: Sendable {
    let provider: String
    let places: [ShownFailures.Place]
  }
}

extension Failure.Cause {
  /// The member with the list that the rule is added to; nil if it is no rule.
  package var list: String? { ruleKind?.listName }

  /// True if the request is about one number.
  package var needsNumber: Bool { path?.contains("{number}") ?? false }

  /// The body of the request; nil for manual steps.
  package var body: String? {
    guard let json else { return nil }
    return list.map { #"{"\#($0)":[\#(json)]}"# } ?? json
  }

  fileprivate var rule: (any Rule)? {
    guard let ruleKind, let json else { return nil }
    return try? ruleKind.init(Fields(Array(json.utf8)))
  }
}

extension Failure {
  /// The effect in the words that banner and board use while the failure is active; empty if it is no rule.
  package var ruleEffect: String { cause.rule?.effect ?? "" }

  func rule<Content: Rule>(of kind: Content.Type = Content.self) -> Content? { cause.rule as? Content }
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
  package fileprivate(set) var failures: [Failure] = []

  package static let all: [FailureGroup] = embedded {
    var groups: [FailureGroup] = []
    var rows = try TextTable(PackageResources.Failures_txt, columns: 2...6).rows[...]
    while let row = rows.popFirst() {
      if row.count == 2, let flow = Flow(rawValue: row[1]) {
        groups.append(FailureGroup(name: row[0], flow: flow))
        continue
      }
      guard !groups.isEmpty, row.count > 2,
        let cause = rows.first.flatMap({ Failure.Cause($0.cells(from: 1)) })
      else { throw row.mistake(expected: "a group, or a failure and how to produce it") }
      rows.removeFirst()
      let repair = rows.first.flatMap { $0[1] == "repair" ? Failure.Cause($0.cells(from: 2)) : nil }
      if repair != nil { rows.removeFirst() }
      groups[groups.count - 1].failures.append(
        Failure(
          id: row[0], name: row[1], effect: row[2], cause: cause, number: row.count > 3 ? row[3] : nil,
          repair: repair))
    }
    return groups
  }
}

extension TextTable.Row {
  fileprivate func cells(from start: Int) -> [String] { (start..<count).map { self[$0] } }
}
