import Domain
import JSON
import ProviderKit

/// Add-ons about the contract, its service and calls. Source: contract 10.3.
extension AddOnQuestion {
  /// When the number was last given up, and whether somebody else has had it since the customer saw it last.
  var numberDeactivation: AddOnResult {
    get throws {
      let periods = subscriber.subscriberPeriods.filter { $0.from <= now }
      let ends = periods.compactMap(\.to) + [subscriber.deactivatedAt].compactMap { $0 }
      let deactivated = ends.filter { $0 <= now }.max()
      let seen = try fields.optionalString("last_verified")
      let time = seen.flatMap { Timestamp(rfc3339: $0) ?? Timestamp(iso8601: $0 + "T00:00:00Z") }
      guard seen == nil || time != nil else { return .failed(2807) }
      let holder = periods.last?.from ?? subscriber.activatedAt
      return .found([
        .init("carrier_name", subscriber.operatorName),
        .init("last_deactivated", deactivated?.iso8601),
        .init("tracking_since", periods.first?.from.iso8601),
        .init("recycled_since_last_verification", time.map { periods.count > 1 && $0 < holder }),
      ])
    }
  }

  /// What contract there is, and since when.
  var subscriberStatus: AddOnResult {
    let tenure = Tenure(from: subscriber.activatedAt, to: now)
    return .found([
      .init("account_activation_date", String(subscriber.activatedAt.iso8601.prefix(10))),
      .init("account_type", subscriber.contract == .business ? "business" : "individual"),
      .init("account_tenure_min", tenure.least),
      .init("account_tenure_max", tenure.most),
      .init("primary_account_holder", subscriber.contract == .business ? "false" : "true"),
      .init("account_status", standing),
      .init("contract_type", subscriber.contract == .payAsYouGo ? "prepaid" : "postpaid"),
    ])
  }

  /// Whether calls go elsewhere.
  var callForwarding: AddOnResult {
    let ways = subscriber.forwarding
    let conditions = ways.filter { $0 != .unconditional }.map(Self.word)
    let type = ways.isEmpty ? nil : ways.contains(.unconditional) ? "unconditional" : "conditional"
    return .found([
      .init("call_forward_enabled", !ways.isEmpty),
      .init("type", type),
      .init("condition", conditions.isEmpty ? nil : conditions.joined(separator: ",")),
    ])
  }

  /// Whether somebody is on the phone: the carrier's last call to the number, while it lasts.
  var activeCall: AddOnResult {
    get throws {
      var filter = Messages.Filter()
      filter.destination = line.number.number.description
      filter.channel = .call
      let message = try sandbox.messages.submitted(filter, limit: 1).last
      let elapsed = message.map { now - $0.submittedAt }
      guard let message, let elapsed, let call = try sandbox.calls.find(message.ordinal),
        call.result.isTaken, elapsed >= call.settledAfter, elapsed < call.endsAfter
      else {
        return .found([
          .init("is_call_active", false), .init("call_duration", nil as Int?),
          .init("call_direction", nil as String?),
        ])
      }
      return .found([
        .init("is_call_active", true),
        .init("call_duration", Int((elapsed - call.settledAfter).components.seconds)),
        .init("call_direction", "inbound"),
      ])
    }
  }

  /// Whether the number was among what others have lost: where a reason of the record's risk says so.
  var breach: AddOnResult {
    let reasons = subscriber.risk?.reasons ?? []
    return .found([.init("is_breached", reasons.contains { $0.lowercased().contains("breach") })])
  }

  private var standing: String {
    if subscriber.isDeactivated(at: now) { return "deactivated" }
    return subscriber.suspended ? "suspended" : "active"
  }

  private static func word(_ way: Forwarding) -> String {
    switch way {
    case .unconditional: "always"
    case .busy: "busy"
    case .noAnswer: "no_answer"
    case .unreachable: "not_reachable"
    }
  }
}

/// For how many months there has been a contract: which of some spans it is in.
private struct Tenure {
  let least: String
  let most: String?

  init(from start: Timestamp, to end: Timestamp) {
    let months = max(0, Int((end - start).components.seconds / (30 * 86_400)))
    let border = Self.borders.lastIndex { $0 <= months } ?? 0
    least = String(Self.borders[border])
    most = border + 1 < Self.borders.count ? String(Self.borders[border + 1]) : nil
  }

  private static let borders = [0, 1, 3, 6, 12, 24, 36, 60]
}
