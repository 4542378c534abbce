import Domain
import JSON
import ProviderKit

/// Whether the number's SIM card was changed not long ago, where a request wants to know. Source: contract 7.1
/// and 10.3.
struct SIMSwapCheck {
  /// When the card was changed last; nil: never, as far as the carrier knows.
  let swappedAt: Timestamp?
  /// From 1, harmless, to 4; nil where the carrier knows nothing.
  let risk: Int?

  /// What the carrier knows of a line at a time.
  init(of line: Line, at now: Timestamp) {
    guard !line.subscriber.isDeactivated(at: now) else {
      (swappedAt, risk) = (nil, nil)
      return
    }
    let swap = line.lastSwap(by: now)
    (swappedAt, risk) = (swap, Self.indicator(swap.map { now - $0 }))
  }

  /// Reads what `keep` wrote.
  init(_ fields: Fields) throws {
    swappedAt = try fields.optionalInt("swappedAt").map { Timestamp(milliseconds: Int64($0)) }
    risk = try fields.optionalInt("risk")
  }

  /// The status with which a message is held back; nil where it may go out. Source: contract 14.
  var blockingStatus: Int? {
    switch risk {
    case nil: 519
    case 4: 518
    default: nil
    }
  }

  /// Writes it into a record.
  func keep(in json: inout JSONWriter) {
    json.member("swappedAt", swappedAt?.milliseconds)
    json.member("risk", risk)
  }

  /// Writes it into an answer, as the PhoneID add-on does. Source: contract 10.3.
  func write(to json: inout JSONWriter) {
    result.write(to: &json, AddOn.simSwap.rawValue)
  }

  /// What the PhoneID add-on says. Source: contract 10.3.
  var result: AddOnResult {
    guard let risk else { return .failed(2805) }
    let time = swappedAt?.iso8601
    return .found([
      .init("swap_date", time.map { String($0.prefix(10)) }),
      .init("swap_time", time.map { String($0.dropFirst(11).prefix(8)) }),
      .init("risk_indicator", risk),
    ])
  }

  /// 1, nothing to fear, to 4: a day, a week and a month are the borders. Source: contract 10.3 for the range; the
  /// borders are the sandbox's.
  private static func indicator(_ age: Duration?) -> Int {
    guard let age else { return 1 }
    if age < .seconds(86_400) { return 4 }
    if age < .seconds(7 * 86_400) { return 3 }
    return age < .seconds(30 * 86_400) ? 2 : 1
  }
}
