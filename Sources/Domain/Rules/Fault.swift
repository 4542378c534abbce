package import JSON

/// A rule about requests that fail on purpose.
package struct Fault: Rule {
  /// Damage to the answer on its way.
  package enum Damage: String, CaseIterable, Sendable {
    /// The connection is reset before a byte is sent.
    case reset
    /// The body stops half-way and the connection closes.
    case truncate
    /// The body is complete but not JSON.
    case garble
    /// The error page of a proxy in front of the provider replaces the answer.
    case html
  }

  /// When the request fails.
  package enum Moment: String, CaseIterable, Sendable {
    /// Its work is not done.
    case before
    /// Its work is done, and the client does not learn it.
    case after
  }

  // What a request must have; nil matches all.
  package var provider: String?
  package var route: String?
  /// A phone number or email address in path, query or body, in any spelling that the provider reads.
  package var number: String?
  /// A text in path, query or body, such as an id.
  package var contains: String?

  package var occurrences = Occurrences()
  /// The status of the answer, in the provider's error format.
  package var status: Int?
  /// The provider's own error code, for the answer.
  package var code: String?
  /// Seconds in `Retry-After`.
  package var retryAfter: Int?
  /// The delay of the answer: in real time, because clients time out in real time, also while the sandbox's
  /// clock is frozen; shorter if the clock is moved past it.
  package var latency: Duration?
  package var damage: Damage?
  /// Nil: before the work if the fault has an answer of its own, else after it.
  package var when: Moment?

  package init() {}

  /// True if the fault answers in place of the handler.
  package var replacesAnswer: Bool { status != nil || code != nil }

  /// True if the handler does not run.
  package var preventsWork: Bool { when.map { $0 == .before } ?? replacesAnswer }

  package static let kind = "fault"
  package static let noun = "fault"
  package static let subject = "requests that fail on purpose"
  package static let listName = "faults"
  package static let controlPath = "/control/faults"

  package static func rules(of sandbox: Sandbox) -> Rules<Fault> { sandbox.faults }

  package func validate(against names: [RouteNames], at path: String) throws(FieldError) {
    try occurrences.validate(at: path)
    if let retryAfter, damage == .reset {
      throw FieldError(
        path: "\(path).retryAfter", expected: "nothing beside the damage reset, which answers nothing",
        found: .integer(Int64(retryAfter)))
    }
    try names.validate(provider: provider, route: route, code: code, in: path)
  }

  private static let turns: [Field<Fault>] =
    (Occurrences.fields + [Occurrences.times("requests")]).map { $0.lifted(\.occurrences) }

  package static let schema = Schema<Fault>(
    "Fault",
    "A rule about requests that fail on purpose. Of the matching rules that apply, the first one wins.",
    [
      .nullable("provider", \.provider, .string, "Only requests to this provider."),
      .nullable(
        "route", \.route, .string, "Only requests to the route of this name, such as createVerification."),
      .nullable(
        "number", \.number, .destination,
        "Only requests with this phone number or email address in path, query or body, in any spelling that the "
          + "provider reads."),
      .optional(
        "contains", \.contains, .string(1...200),
        "Only requests with this text in path, query or body, such as an id."),
    ] + turns + [
      .nullable(
        "status", \.status, .integer(400...599), "The status of the answer, in the provider's error format."),
      .nullable("code", \.code, .errorCode, "The provider's own error code, such as 60203, for the answer."),
      .nullable("retryAfter", \.retryAfter, .count, "Seconds in the answer's Retry-After."),
      .nullable(
        "latencyMs", \.latency, .milliseconds(0...3_600_000),
        "The delay of the answer in real time, up to an hour. It ends early if the sandbox's clock is moved past it."
      ),
      .nullable(
        "damage", \.damage, .word,
        "Damage to the answer on its way: the connection is reset, half of the body is sent, the body is not JSON, or "
          + "a proxy's page in HTML replaces it, with status or 502."),
      .optional(
        "when", \.when, .word,
        "If the request fails before its work, which is then not done, or after it. By default before with status or "
          + "code, and after with damage alone."),
    ] + ignoredCounts, constraints: [.atLeastOne(of: ["status", "code", "latencyMs", "damage"])]
  ) { input, fault throws(FieldError) in
    if fault.when != nil, !fault.replacesAnswer, fault.damage == nil {
      throw input.mismatch("when", expected: "it only with status, code or damage")
    }
  }
}

extension Rules<Fault> {
  /// The fault for a request. `names` tells if the request is about a phone number or email address,
  /// `contains` if it has a text, `skips` if faults with an error code do not apply to it. A browser's
  /// preflight has only faults that name its route: others are meant for the request that follows.
  package func first(
    provider: String, route: String, isPreflight: Bool = false, names: (_ number: String) -> Bool,
    contains: (_ text: String) -> Bool, skips: (_ code: String) throws -> Bool = { _ in false }
  ) throws -> ActingRule<Fault>? {
    try first { fault in
      guard fault.provider == nil || fault.provider == provider,
        fault.route.map({ $0 == route }) ?? !isPreflight, fault.number.map(names) ?? true,
        fault.contains.map(contains) ?? true
      else { return false }
      return try !(fault.code.map(skips) ?? false)
    }
  }
}

extension FieldType<String> {
  /// A text, or an integer that is kept as text: providers' codes are either.
  fileprivate static var errorCode: FieldType {
    FieldType(.anyOf([.string(), .integer()]), expected: "a string") {
      if case .string(let text) = $0 { text } else { $0.wholeNumber.map(String.init) }
    } write: {
      $1.value($0)
    }
  }
}
