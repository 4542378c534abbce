import ProviderKit

/// The risk of a number: from 0, harmless, to 1000. The points of all risk factors are added up.
///
/// The provider's model is not public: factors and points are the sandbox's. Source: contract 11 and 15.1 for
/// the scale, the levels, 11 for a number without risk factors and 959 for an invalid one.
struct RiskScore: Equatable {
  /// The raw values are categories in `risk_insights`; the provider's are not public.
  enum Factor: Int {
    case invalid = 10100
    case voip = 10200
    case unusualPhone
    case prepaid
    case swappedToday = 10300
    case swappedThisWeek
    case swappedThisMonth
    case changedHandset
    case recycled = 10400
    case newContract
    case deactivated = 10500
    case suspended
    case forwarded = 10600
    case roaming
    /// The subscriber's record has a score.
    case explicit = 10900

    var points: Int {
      switch self {
      case .invalid: 948
      case .voip: 440
      case .unusualPhone: 400
      case .prepaid: 60
      case .swappedToday: 600
      case .swappedThisWeek: 420
      case .swappedThisMonth: 200
      case .changedHandset: 100
      case .recycled: 250
      case .newContract: 150
      case .deactivated: 700
      case .suspended: 300
      case .forwarded: 200
      case .roaming: 50
      case .explicit: 0
      }
    }
  }

  let score: Int
  let factors: [Factor]

  /// A score in the subscriber's record has priority over the rules.
  init(of line: LineInfo, at time: Timestamp) {
    if let explicit = line.subscriber.risk, line.invalidReason == nil {
      self.init(score: explicit.score, factors: [.explicit])
    } else {
      self.init(factors: Self.factors(of: line, at: time))
    }
  }

  init(factors: [Factor]) {
    self.init(score: min(1000, factors.reduce(Self.base) { $0 + $1.points }), factors: factors)
  }

  private init(score: Int, factors: [Factor]) {
    self.score = score
    self.factors = factors
  }

  /// `levels`: the names of the five levels. Source: contract 11.
  func write(to json: inout JSONWriter, levels: [String]) {
    let level = max(0, min(4, (score - 1) / 200))
    json.member("level", levels[level])
    json.member("recommendation", ["allow", "allow", "flag", "block", "block"][level])
    json.member("score", score)
  }

  /// The score without risk factors.
  private static let base = 11

  private static func factors(of line: LineInfo, at time: Timestamp) -> [Factor] {
    guard line.invalidReason == nil else { return [.invalid] }
    let line = (subscriber: line.subscriber, type: line.phoneType, swap: line.lastSwap(by: time))
    return [
      phoneFactor(line.type), swapFactor(line.swap.map { time - $0 }), handsetFactor(line.subscriber, time),
      ownerFactor(line.subscriber, time), serviceFactor(line.subscriber, time),
      line.subscriber.forwarding.isEmpty ? nil : .forwarded, line.subscriber.roaming.isOn ? .roaming : nil,
    ].compactMap { $0 }
  }

  private static func phoneFactor(_ type: PhoneType) -> Factor? {
    switch type {
    case .voip: .voip
    case .prepaid: .prepaid
    case .mobile, .fixedLine, .personal, .email: nil
    default: .unusualPhone
    }
  }

  private static func swapFactor(_ age: Duration?) -> Factor? {
    guard let age else { return nil }
    if age < days(1) { return .swappedToday }
    if age < days(7) { return .swappedThisWeek }
    return age < days(30) ? .swappedThisMonth : nil
  }

  private static func handsetFactor(_ line: Subscriber, _ time: Timestamp) -> Factor? {
    line.deviceSwaps.contains { $0 <= time && time - $0 < days(7) } ? .changedHandset : nil
  }

  private static func ownerFactor(_ line: Subscriber, _ time: Timestamp) -> Factor? {
    let periods = line.subscriberPeriods.filter { $0.from <= time }
    guard let start = periods.last?.from, time - start < days(90) else { return nil }
    return periods.count > 1 ? .recycled : .newContract
  }

  private static func serviceFactor(_ line: Subscriber, _ time: Timestamp) -> Factor? {
    line.isDeactivated(at: time) ? .deactivated : line.suspended ? .suspended : nil
  }

  private static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}

/// `risk_insights`: the reasons for a score, as numbers. The provider's list is not public: these numbers are
/// made up, in the ranges of the contract's example. Source: contract 11.
struct RiskInsights {
  private let category: [Int]
  private let applicationTraffic: Int
  private let personalTraffic: Int
  private let numberType: Int
  private let origin: Int
  private let email: Int

  /// `line` nil: the score is of an email address.
  init(of score: RiskScore, for line: LineInfo?, _ metadata: RequestMetadata, in sandbox: Sandbox) throws {
    category = score.factors.isEmpty ? [10010] : score.factors.map(\.rawValue)
    (applicationTraffic, personalTraffic) = try Self.traffic(of: line, in: sandbox)
    numberType = 40_000 + (line?.phoneType ?? .email).rawValue
    origin = metadata.originatingIP == nil ? 50001 : 50002
    email = Self.email(metadata.emailAddress, of: line)
  }

  /// Status 800: complete.
  func write(to json: inout JSONWriter) {
    json.member("status", 800)
    json.member("category", category)
    json.member("a2p", [applicationTraffic])
    json.member("p2p", [personalTraffic])
    json.member("number_type", [numberType])
    json.member("ip", [origin])
    json.member("email", [email])
  }

  /// The same for an email address, in the order of the provider's example.
  func writeOfEmail(to json: inout JSONWriter) {
    json.member("category", category)
    json.object("phone_number") { json in
      json.member("activity", [applicationTraffic])
      json.member("static", [numberType])
    }
    json.object("ip_address") { json in
      json.member("activity", [origin])
      json.member("static", [50011])
    }
    json.object("email_address") { json in
      json.member("activity", [email])
      json.member("static", [60011])
      json.member("domain", [60101])
    }
  }

  /// The traffic of the last day, from applications to the number and between persons. The last digit is 1:
  /// none, 2: some, 3: much. The sandbox has no traffic between persons.
  private static func traffic(of line: LineInfo?, in sandbox: Sandbox) throws -> (Int, Int) {
    guard let number = line?.number.phoneNumber.description else { return (20001, 30001) }
    var filter = Messages.Filter()
    filter.destination = number
    let since = sandbox.clock.now - .seconds(86_400)
    let received = try sandbox.messages.submitted(filter, limit: 5).filter { $0.submittedAt >= since }.count
    return (received == 0 ? 20001 : received < 5 ? 20002 : 20003, 30001)
  }

  /// The last digit is 1: not compared, 2: the same address as the line's, 3: another one.
  private static func email(_ address: String?, of line: LineInfo?) -> Int {
    guard let address, let line, let known = line.subscriber.kyc[.email] ?? line.subscriber.email else {
      return 60001
    }
    return known.lowercased() == address.lowercased() ? 60002 : 60003
  }
}
