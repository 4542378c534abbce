import Domain
import JSON
import ProviderKit

/// Whether a number takes part in a subscription: its state, or an event that made it so. Source: contract 10.
struct Membership {
  /// Whether marketing may go there.
  enum State: String, CaseIterable {
    /// It may.
    case joined = "SUB"
    /// It may not.
    case left = "UNSUB"
  }

  /// Who changed it.
  enum Source: String, CaseIterable {
    case keyword = "MO_KEYWORD"
    case api = "API"
    case file = "CSV_IMPORT"
    case carrier = "CARRIER_DISCONNECT"
  }

  /// The subscription.
  let config: String
  /// The number.
  let number: PhoneNumber
  /// Whether it takes part.
  let state: State
  /// Who changed it.
  let source: Source
  /// More about why: the keyword.
  let reason: String?
  /// When it was changed.
  let at: Timestamp

  /// A change from its parts.
  init(
    config: String, number: PhoneNumber, state: State, source: Source, reason: String?, at: Timestamp
  ) {
    self.config = config
    self.number = number
    self.state = state
    self.source = source
    self.reason = reason
    self.at = at
  }

  /// Reads what a seed says of one change.
  init(_ fields: Fields, of config: String, at now: Timestamp) throws(FieldError) {
    self.config = config
    number = try fields.phoneNumber("number")
    state = try fields.word("state", of: State.self)
    source = try fields.word("source", of: Source.self)
    reason = try fields.optionalString("reason")
    at = try fields.time("at") ?? now
  }

  /// Writes it as seeds have it.
  func write(to json: inout JSONWriter) {
    json.member("number", number.description)
    json.member("state", state.rawValue)
    json.member("source", source.rawValue)
    if let reason { json.member("reason", reason) }
    json.member("at", at.iso8601Exact)
  }

  /// The present state of a number.
  static func find(_ number: PhoneNumber, of config: String, in sandbox: Sandbox) throws -> Membership? {
    try states.find("\(config) \(number)", in: sandbox) {
      try Membership($0, of: config, at: sandbox.clock.now)
    }
  }

  /// The states of a subscription's numbers behind a place, in the order in which they came.
  static func list(
    of config: String, in sandbox: Sandbox, after place: Int = 0
  ) throws -> [(place: Int, record: Membership)] {
    try states.list(in: sandbox, of: config, from: .after(place)) {
      try Membership($0, of: config, at: sandbox.clock.now)
    }
  }

  /// What happened to a number, in the order in which it was told; at most `limit` next to a border.
  static func events(
    of number: PhoneNumber, _ config: String, in sandbox: Sandbox, from border: PageBoundary = .after(0),
    limit: Int = Int.max
  ) throws -> [(place: Int, record: Membership)] {
    try history.list(in: sandbox, of: "\(config) \(number)", from: border, limit: limit) {
      try Membership($0, of: config, at: sandbox.clock.now)
    }
  }

  /// What happened to all numbers of a subscription, number by number.
  static func history(of config: String, in sandbox: Sandbox) throws -> [Membership] {
    try list(of: config, in: sandbox).flatMap { member in
      try events(of: member.record.number, config, in: sandbox).map(\.record)
    }
  }

  /// Makes it the present state, and an event.
  func keep(in sandbox: Sandbox) throws {
    let place = "\(config) \(number)"
    try Self.states.keep(place, in: sandbox, of: config) { write(to: &$0) }
    try Self.history.keep("\(place) \(sandbox.nextOrdinal())", in: sandbox, of: place) { write(to: &$0) }
    try Self.history.keepNewest(Self.historyLimit, of: place, in: sandbox)
  }

  /// Forgets the numbers of a subscription that a seed says anew.
  static func forgetAll(of config: String, in sandbox: Sandbox) throws {
    for member in try list(of: config, in: sandbox) {
      let place = "\(config) \(member.record.number)"
      try states.forget(place, in: sandbox)
      try history.forgetAll(of: place, in: sandbox)
    }
  }

  /// How many changes of one number are remembered.
  private static let historyLimit = 1000
  private static let states = Records("membership")
  private static let history = Records("membership event")
}
