import ProviderKit

/// The state of a phone number in a subscription configuration, or the event that changed it. Source:
/// contract 10.
struct Membership: Sendable {
  enum State: String, CaseIterable {
    case subscribed = "SUB"
    case unsubscribed = "UNSUB"
  }

  /// The author of the change.
  enum Source: String, CaseIterable {
    case keyword = "MO_KEYWORD"
    case api = "API"
    case file = "CSV_IMPORT"
    case carrier = "CARRIER_DISCONNECT"
  }

  /// The id of the configuration.
  var config: String
  /// E.164.
  var number = ""
  var state = State.subscribed
  var source = Source.api
  /// Further details: the keyword.
  var reason: String?
  var at: Timestamp

  static let schema = Schema<Membership>(
    nil, "A change of a phone number.",
    [
      .required("number", \.number, .e164, "E.164: + and 7 to 15 digits, the first not zero."),
      .required("state", \.state, .word, "Subscribed or unsubscribed."),
      .required("source", \.source, .word, "Who made the change."),
      .optional("reason", \.reason, .string, "Further details: the keyword."),
      .field("at", \.at, .rfc3339, "When it changed, RFC 3339; without it: now."),
    ])

  /// A record whose members are read from a seed.
  init(config: String, at: Timestamp) {
    self.config = config
    self.at = at
  }

  init(
    config: String, number: PhoneNumber, state: State, source: Source, reason: String?, at: Timestamp
  ) {
    self.config = config
    self.number = number.description
    self.state = state
    self.source = source
    self.reason = reason
    self.at = at
  }

  /// The current state of the number of the path, in the configuration of the path.
  static func named(by context: RequestContext) throws -> Membership {
    let config = try SubscriptionConfig.named(by: context)
    let number = try Validation.phoneNumber(
      context.request[parameter: "number"], param: "phone_number", in: context.sandbox)
    guard let found = try find(number, of: config.id, in: context.sandbox) else {
      throw APIError(.notFound, "the subscription config \(config.id) does not know \(number)")
    }
    return found
  }

  /// The current state of a number; nil if the configuration does not know it.
  static func find(_ number: PhoneNumber, of config: String, in sandbox: Sandbox) throws -> Membership? {
    try states(of: config).find("\(config) \(number)", in: sandbox)
  }

  /// The current states of a configuration's numbers, in the order in which the numbers were added.
  static func list(
    of config: String, after position: Int = 0, in sandbox: Sandbox
  ) throws -> [(position: Int, record: Membership)] {
    try states(of: config).list(group: config, from: .after(position), in: sandbox)
  }

  /// The events of a number next to a boundary, oldest first.
  static func events(
    of number: String, _ config: String, from border: PageBoundary = .after(0), limit: Int = Int.max,
    in sandbox: Sandbox
  ) throws -> [(position: Int, record: Membership)] {
    try history(of: config).list(group: "\(config) \(number)", from: border, limit: limit, in: sandbox)
  }

  /// The events of all numbers, number by number.
  static func allEvents(of config: String, in sandbox: Sandbox) throws -> [Membership] {
    try list(of: config, in: sandbox).flatMap { member in
      try events(of: member.record.number, config, in: sandbox).map(\.record)
    }
  }

  /// Makes this the current state, and an event. Throws if all configurations of the sandbox together have
  /// too many members.
  func save(in sandbox: Sandbox) throws {
    let key = "\(config) \(number)"
    if try Self.states(of: config).find(key, in: sandbox) == nil {
      try Self.states(of: config).requireRoom(in: sandbox, limit: SandboxLimits.numbers)
    }
    try Self.states(of: config).save(self, as: key, group: config, in: sandbox)
    let history = Self.history(of: config)
    try history.save(self, as: "\(key) \(sandbox.nextOrdinal())", group: key, in: sandbox)
    try history.trim(key, to: Self.maxEvents, in: sandbox)
  }

  static func deleteAll(of config: String, in sandbox: Sandbox) throws {
    for member in try list(of: config, in: sandbox) {
      let key = "\(config) \(member.record.number)"
      try states(of: config).delete(key, in: sandbox)
      try history(of: config).deleteGroup(key, in: sandbox)
    }
  }

  /// Events kept for each number.
  private static let maxEvents = 1000

  private static func states(of config: String) -> RecordTable<Membership> { table("membership", config) }

  private static func history(of config: String) -> RecordTable<Membership> {
    table("membership event", config)
  }

  private static func table(_ kind: String, _ config: String) -> RecordTable<Membership> {
    RecordTable(kind, of: PreludeProvider.name, schema) {
      Membership(config: config, at: Timestamp(milliseconds: 0))
    }
  }
}
