import Crypto
import ProviderKit

/// Add-ons about the SIM card, the handset and the network. Source: contract 10.3.
extension AddOnLookup {
  var simSwap: AddOnResult { SIMSwapCheck(of: line, at: now).result }

  var portingStatus: AddOnResult {
    .found([
      .init("ported", isPorted),
      .init("mcc_current", subscriber.mcc),
      .init("mnc_current", subscriber.mnc),
    ])
  }

  /// The changes of network in the last `past_x_days`, by default all. The carrier knows only the last one.
  var portingHistory: AddOnResult {
    get throws {
      let days = try fields.optionalInt("past_x_days")
      guard days.map({ (1...36_500).contains($0) }) ?? true else { return .failed(2807) }
      let since = days.map { now - .seconds($0 * 86_400) }
      let event = subscriber.portedAt.flatMap { time in
        time <= now && time >= since ?? time ? self.event(at: time) : nil
      }
      return .found([.init(name: "history", value: .array(event.map { [$0] } ?? []))])
    }
  }

  /// The handset, with a hash of its IMEI. Source: `data/telesign-2022-phoneid-addons.swagger.yaml`.
  var deviceInfo: AddOnResult {
    guard !subscriber.isDeactivated(at: now) else { return .failed(2805) }
    let imei = subscriber.imei
    let isTest = imei.hasPrefix("00101301")
    let hash = HMAC.authenticate(Array(imei.utf8), key: Array("imei".utf8))
    return .found([
      .init("make", isTest ? "Test equipment" : nil),
      .init("model", isTest ? "00101301" : nil),
      .init("imei", Hex.encode(hash)),
    ])
  }

  private var isPorted: Bool { subscriber.ported && subscriber.portedAt.map { $0 <= now } ?? true }

  private func event(at time: Timestamp) -> JSON {
    .object([
      .init("ported_on", time.iso8601),
      .init("mcc_from", subscriber.originalMCC),
      .init("mnc_from", subscriber.originalMNC),
      .init("mcc_to", subscriber.mcc),
      .init("mnc_to", subscriber.mnc),
    ])
  }
}

/// Add-ons about the contract, its service and calls. Source: contract 10.3.
extension AddOnLookup {
  /// The last deactivation, and whether the number has a new owner since `last_verified`.
  var numberDeactivation: AddOnResult {
    get throws {
      let periods = subscriber.subscriberPeriods.filter { $0.from <= now }
      let seen = try fields.optionalString("last_verified")
      let time = seen.flatMap { Timestamp(rfc3339: $0) ?? Timestamp(iso8601: $0 + "T00:00:00Z") }
      guard seen == nil || time != nil else { return .failed(2807) }
      let holder = periods.last?.from ?? subscriber.activatedAt
      return .found([
        .init("carrier_name", subscriber.operatorName),
        .init("last_deactivated", line.lastDeactivation(by: now)?.iso8601),
        .init("tracking_since", periods.first?.from.iso8601),
        .init("recycled_since_last_verification", time.map { periods.count > 1 && $0 < holder }),
      ])
    }
  }

  var subscriberStatus: AddOnResult {
    let tenure = Tenure(from: subscriber.activatedAt, to: now)
    return .found([
      .init("account_activation_date", String(subscriber.activatedAt.iso8601.prefix(10))),
      .init("account_type", subscriber.contract == .business ? "business" : "individual"),
      .init("account_tenure_min", tenure.least),
      .init("account_tenure_max", tenure.most),
      .init("primary_account_holder", subscriber.contract == .business ? "false" : "true"),
      .init("account_status", accountStatus),
      .init("contract_type", subscriber.contract == .payAsYouGo ? "prepaid" : "postpaid"),
    ])
  }

  var callForwarding: AddOnResult {
    let forwarding = subscriber.forwarding
    let conditions = forwarding.filter { $0 != .unconditional }.map(Self.word)
    let type =
      forwarding.isEmpty ? nil : forwarding.contains(.unconditional) ? "unconditional" : "conditional"
    return .found([
      .init("call_forward_enabled", !forwarding.isEmpty),
      .init("type", type),
      .init("condition", conditions.isEmpty ? nil : conditions.joined(separator: ",")),
    ])
  }

  /// True while the carrier's last call to the number lasts.
  var activeCall: AddOnResult {
    get throws {
      var filter = Messages.Filter()
      filter.destination = line.number.phoneNumber.description
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
        .init("call_duration", (elapsed - call.settledAfter).wholeSeconds),
        .init("call_direction", "inbound"),
      ])
    }
  }

  /// True if a reason in the record's risk mentions a breach.
  var breach: AddOnResult {
    let reasons = subscriber.risk?.reasons ?? []
    return .found([.init("is_breached", reasons.contains { $0.lowercased().contains("breach") })])
  }

  private var accountStatus: String {
    if subscriber.isDeactivated(at: now) { return "deactivated" }
    return subscriber.suspended ? "suspended" : "active"
  }

  private static func word(_ forwarding: Forwarding) -> String {
    switch forwarding {
    case .unconditional: "always"
    case .busy: "busy"
    case .noAnswer: "no_answer"
    case .unreachable: "not_reachable"
    }
  }
}

/// The age of a contract, as a range of months.
private struct Tenure {
  let least: String
  /// Nil for the last range.
  let most: String?

  init(from start: Timestamp, to end: Timestamp) {
    let months = max(0, (end - start).wholeSeconds / (30 * 86_400))
    let index = Self.limits.lastIndex { $0 <= months } ?? 0
    least = String(Self.limits[index])
    most = index + 1 < Self.limits.count ? String(Self.limits[index + 1]) : nil
  }

  private static let limits = [0, 1, 3, 6, 12, 24, 36, 60]
}
