import Domain
import JSON
import ProviderKit

/// How likely a number is misused: 0, harmless, to 1000, by rules that add up what the carrier knows.
///
/// The vendor's model is not public; these rules are the sandbox's. Source: contract 11 and 15.1 for the scale, the
/// levels, 11 for a number of which nothing bad is known and 959 for an invalid one.
struct RiskScore: Equatable {
  /// Why a number is riskier than another. Source: the sandbox's; the vendor's numbers are not public.
  enum Ground: Int {
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
    case stated = 10900

    /// What it adds.
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
      case .stated: 0
      }
    }
  }

  /// The points.
  let score: Int
  /// What they come from.
  let grounds: [Ground]

  /// The score of a line at a time; one that the subscriber's record states goes before the rules.
  init(of line: Line, at time: Timestamp) {
    if let stated = line.subscriber.risk, line.flaw == nil {
      self.init(score: stated.score, grounds: [.stated])
    } else {
      self.init(grounds: Self.grounds(of: line, at: time))
    }
  }

  /// The score that some grounds add up to.
  init(grounds: [Ground]) {
    self.init(score: min(1000, grounds.reduce(Self.base) { $0 + $1.points }), grounds: grounds)
  }

  private init(score: Int, grounds: [Ground]) {
    self.score = score
    self.grounds = grounds
  }

  /// Writes level, recommendation and score; `levels` are the names of the five levels. Source: contract 11.
  func write(to json: inout JSONWriter, levels: [String]) {
    let level = max(0, min(4, (score - 1) / 200))
    json.member("level", levels[level])
    json.member("recommendation", ["allow", "allow", "flag", "block", "block"][level])
    json.member("score", score)
  }

  /// What a number has of which nothing bad is known.
  private static let base = 11

  private static func grounds(of line: Line, at time: Timestamp) -> [Ground] {
    guard line.flaw == nil else { return [.invalid] }
    let line = (subscriber: line.subscriber, type: line.phoneType, swap: line.lastSwap(by: time))
    return [
      phone(line.type), card(line.swap.map { time - $0 }), handset(line.subscriber, time),
      holder(line.subscriber, time), service(line.subscriber, time),
      line.subscriber.forwarding.isEmpty ? nil : .forwarded, line.subscriber.roaming.isOn ? .roaming : nil,
    ].compactMap { $0 }
  }

  private static func phone(_ type: PhoneType) -> Ground? {
    switch type {
    case .voip: .voip
    case .prepaid: .prepaid
    case .mobile, .fixedLine, .personal, .email: nil
    default: .unusualPhone
    }
  }

  private static func card(_ age: Duration?) -> Ground? {
    guard let age else { return nil }
    if age < days(1) { return .swappedToday }
    if age < days(7) { return .swappedThisWeek }
    return age < days(30) ? .swappedThisMonth : nil
  }

  private static func handset(_ line: Subscriber, _ time: Timestamp) -> Ground? {
    line.deviceSwaps.contains { $0 <= time && time - $0 < days(7) } ? .changedHandset : nil
  }

  private static func holder(_ line: Subscriber, _ time: Timestamp) -> Ground? {
    let periods = line.subscriberPeriods.filter { $0.from <= time }
    guard let start = periods.last?.from, time - start < days(90) else { return nil }
    return periods.count > 1 ? .recycled : .newContract
  }

  private static func service(_ line: Subscriber, _ time: Timestamp) -> Ground? {
    line.isDeactivated(at: time) ? .deactivated : line.suspended ? .suspended : nil
  }

  private static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
