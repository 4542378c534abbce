import ProviderKit

/// What the account's events and feedbacks say about a number. Source: contract 8. How they count is the
/// sandbox's own choice.
struct Reputation: Sendable {
  /// How much an event speaks for the person. Source: contract 8.
  enum Confidence: String, CaseIterable {
    case minimum
    case low
    case neutral
    case high
    case maximum

    fileprivate var weight: Int {
      switch self {
      case .minimum: -2
      case .low: -1
      case .neutral: 0
      case .high: 1
      case .maximum: 2
      }
    }
  }

  /// Source: contract 8.
  enum Feedback: String, CaseIterable {
    case started = "verification.started"
    case completed = "verification.completed"
  }

  private var trust = 0
  private var started = 0
  private var completed = 0

  /// True if the events count at least as much as one of confidence `minimum`.
  var isDoubtful: Bool { trust <= -2 }

  /// True if three or more verifications were started and not completed.
  var convertsPoorly: Bool { started - completed >= 3 }

  mutating func record(_ confidence: Confidence) {
    trust = min(Self.limit, max(-Self.limit, trust + confidence.weight))
  }

  mutating func record(_ feedback: Feedback) {
    switch feedback {
    case .started: started = min(Self.limit, started + 1)
    case .completed: completed = min(Self.limit, completed + 1)
    }
  }

  static func of(_ number: PhoneNumber, in sandbox: Sandbox) throws -> Reputation {
    try table.find(number.description, in: sandbox) ?? Reputation()
  }

  func save(for number: PhoneNumber, in sandbox: Sandbox) throws {
    try Self.table.save(self, as: number.description, in: sandbox)
  }

  static func update(
    of number: PhoneNumber, in sandbox: Sandbox, _ change: (inout Reputation) -> Void
  ) throws {
    var reputation = try Reputation.of(number, in: sandbox)
    change(&reputation)
    try reputation.save(for: number, in: sandbox)
  }

  /// The counters stop here.
  private static let limit = 1000
  private static let table = RecordTable<Reputation>("reputation", of: PreludeProvider.name) { fields in
    var reputation = Reputation()
    reputation.trust = try fields.value("trust", .integer(-limit...limit))
    reputation.started = try fields.value("started", .integer(0...limit))
    reputation.completed = try fields.value("completed", .integer(0...limit))
    return reputation
  } encode: { reputation, json in
    json.member("trust", reputation.trust)
    json.member("started", reputation.started)
    json.member("completed", reputation.completed)
  }
}
