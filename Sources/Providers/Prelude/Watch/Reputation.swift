import Domain
import JSON
import ProviderKit

/// What the account has told of a number by events and feedbacks. Source: contract 8; how it weighs is the
/// sandbox's own.
struct Reputation {
  /// How much an event speaks for its person, the least first. Source: contract 8.
  enum Confidence: String, CaseIterable {
    case minimum
    case low
    case neutral
    case high
    case maximum

    /// What it adds to trust.
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

  /// What a feedback tells. Source: contract 8.
  enum Feedback: String, CaseIterable {
    case started = "verification.started"
    case completed = "verification.completed"
  }

  private var trust = 0
  private var started = 0
  private var completed = 0

  /// Nothing was told.
  init() {}

  /// Whether what was told speaks against the person: as much as one event of `minimum`.
  var isDoubtful: Bool { trust <= -2 }

  /// Whether three verifications or more were begun and not ended.
  var convertsPoorly: Bool { started - completed >= 3 }

  /// Hears of an event.
  mutating func hear(_ confidence: Confidence) {
    trust = min(Self.bound, max(-Self.bound, trust + confidence.weight))
  }

  /// Hears of a verification.
  mutating func hear(_ feedback: Feedback) {
    switch feedback {
    case .started: started = min(Self.bound, started + 1)
    case .completed: completed = min(Self.bound, completed + 1)
    }
  }

  /// What is known of a number.
  static func of(_ number: PhoneNumber, in sandbox: Sandbox) throws -> Reputation {
    try records.find(number.description, in: sandbox, as: Reputation.init) ?? Reputation()
  }

  /// Keeps it for a number.
  func keep(for number: PhoneNumber, in sandbox: Sandbox) throws {
    try Self.records.keep(number.description, in: sandbox) {
      $0.member("trust", trust)
      $0.member("started", started)
      $0.member("completed", completed)
    }
  }

  private init(_ fields: Fields) throws {
    trust = try fields.int("trust")
    started = try fields.int("started")
    completed = try fields.int("completed")
  }

  /// Beyond it nothing more is counted.
  private static let bound = 1000
  private static let records = Records("reputation")
}
