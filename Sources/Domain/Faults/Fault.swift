package import JSON

/// A rule about requests that go wrong on purpose.
package struct Fault: Equatable, Sendable {
  /// What happens to the answer on its way.
  package enum Damage: String, CaseIterable, Sendable {
    /// The connection is reset before a byte is sent.
    case reset
    /// The body stops half-way and the connection closes.
    case truncate
    /// The body arrives whole and is no JSON.
    case garble
  }

  /// Only requests to this provider.
  package var provider: String?
  /// Only requests to the route of this name.
  package var route: String?
  /// Only requests that carry this value in path, query or body: a phone number, an id.
  package var number: String?
  /// Which of the matching requests, counted from 1, and how many.
  package var turn = Turn()
  /// Answers this status instead, in the provider's shape.
  package var status: Int?
  /// Answers the provider's own error of this code instead.
  package var code: String?
  /// Seconds that the answer asks the client to wait, in `Retry-After`.
  package var retryAfter: Int?
  /// Keeps the answer back for this long, on the sandbox's clock.
  package var latency: Duration?
  /// Spoils the answer.
  package var damage: Damage?

  /// Reads `{"provider":…,"route":…,"number":…,"nth":…,"times":…,"status":…,"code":…,"retryAfter":…,
  /// "latencyMs":…,"damage":…}`.
  package init(_ fields: Fields) throws(FieldError) {
    provider = try fields.optionalString("provider")
    route = try fields.optionalString("route")
    number = try fields.optionalString("number")
    turn.nth = try fields.optionalPlace("nth")
    turn.times = try fields.optionalCount("times")
    status = try fields.optionalInt("status")
    if let status, !(400...599).contains(status) {
      throw fields.mismatch("status", expected: "a status from 400 to 599")
    }
    code = try fields.optionalText("code")
    retryAfter = try fields.optionalCount("retryAfter")
    latency = try fields.optionalCount("latencyMs").map { .milliseconds($0) }
    if let word = try fields.optionalString("damage") {
      guard let known = Damage(rawValue: word) else {
        let words = Damage.allCases.map(\.rawValue).joined(separator: ", ")
        throw fields.mismatch("damage", expected: "one of \(words)")
      }
      damage = known
    }
    _ = try fields.optionalCount("hits")
    guard status != nil || code != nil || latency != nil || damage != nil else {
      throw fields.mismatch("status", expected: "at least one of status, code, latencyMs, damage")
    }
  }

  /// Writes the rule as the control API and seeds have it.
  package func write(to json: inout JSONWriter) {
    json.member("provider", provider)
    json.member("route", route)
    json.member("number", number)
    json.member("nth", turn.nth)
    json.member("times", turn.times)
    json.member("status", status)
    json.member("code", code)
    json.member("retryAfter", retryAfter)
    json.member("latencyMs", latency.map { Int($0.milliseconds) })
    json.member("damage", damage?.rawValue)
  }
}

extension Fields {
  /// A text, or a whole number as text: vendors' codes are either.
  fileprivate func optionalText(_ name: String) throws(FieldError) -> String? {
    if case .integer(let number) = try optionalJSON(name) { return String(number) }
    return try optionalString(name)
  }
}
