import Domain
import JSON

extension Telesign {
  /// Whether the number's SIM card was changed not long ago, where a request wants to know. How risky that is follows
  /// from its age, since the vendor does not publish more than the scale. Source: contract 7.1 and 10.3.
  struct SIMSwapCheck {
    /// When the card was changed last; nil: never.
    let swappedAt: Timestamp?
    /// From 1, harmless, to 4.
    let risk: Int

    /// What the carrier knows at a time.
    init(of subscriber: Subscriber, at now: Timestamp) {
      swappedAt = subscriber.simSwaps.filter { $0 <= now }.max()
      risk = swappedAt.map { Self.risk(after: now - $0) } ?? 1
    }

    /// Reads what `keep` wrote.
    init(_ fields: Fields) throws {
      swappedAt = try fields.optionalInt("swappedAt").map { Timestamp(milliseconds: Int64($0)) }
      risk = try fields.int("risk")
    }

    /// Whether the message must not go out.
    var blocks: Bool { risk == 4 }

    /// Writes it into a record.
    func keep(in json: inout JSONWriter) {
      json.member("swappedAt", swappedAt?.milliseconds)
      json.member("risk", risk)
    }

    /// Writes it into an answer, as the PhoneID add-on does. Source: contract 10.3.
    func write(to json: inout JSONWriter) {
      json.object("status") { json in
        json.member("code", 2800)
        json.member("description", Telesign.text(ofStatus: 2800))
      }
      let time = swappedAt?.iso8601
      json.member("swap_date", time.map { String($0.prefix(10)) })
      json.member("swap_time", time.map { String($0.dropFirst(11).prefix(8)) })
      json.member("risk_indicator", risk)
    }

    private static func risk(after span: Duration) -> Int {
      switch span {
      case ..<Duration.seconds(7 * 86_400): 4
      case ..<Duration.seconds(30 * 86_400): 3
      case ..<Duration.seconds(90 * 86_400): 2
      default: 1
      }
    }
  }
}
