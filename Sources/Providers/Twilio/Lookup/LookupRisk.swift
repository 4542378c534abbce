import ProviderKit

/// Risk scores from 0 to 100. The provider's model is not public: the factors are the sandbox's. A score in
/// the subscriber's record has priority. Source: contract 16.1 for members and scale.
extension LookupLine {
  var smsPumpingRisk: LookupResult {
    let score = carrierRisk
    let isBlocked = score >= 90
    return LookupResult([
      .init("carrier_risk_category", Self.category(score)), .init("number_blocked", isBlocked),
      .init("number_blocked_date", isBlocked ? context.sandbox.startedAt.iso8601 : nil),
      .init("number_blocked_last_3_months", isBlocked), .init("sms_pumping_risk_score", score),
    ])
  }

  var qualityScore: LookupResult {
    get throws {
      let (carrier, disposable) = (carrierRisk, subscriber.lineType == .nonFixedVoip ? 90 : 1)
      let velocity = try velocityRisk
      let quality = max(carrier, disposable, velocity)
      return LookupResult(
        [
          ("carrier_risk", carrier), ("disposable_phone_risk", disposable), ("quality", quality),
          ("velocity_risk", velocity),
        ].flatMap { name, score in
          [JSON.Member("\(name)_score", score), JSON.Member("\(name)_category", Self.category(score))]
        })
    }
  }

  private var carrierRisk: Int {
    if let risk = subscriber.risk { return risk.score / 10 }
    switch subscriber.lineType {
    case .premium, .sharedCost: return 95
    case .nonFixedVoip: return 61
    case .fixedVoip, .tollFree, .pager, .uan, .unknown: return 35
    case .mobile, .landline, .personal, .voicemail: return 1
    }
  }

  /// Ten points for each message of the last hour, from any provider.
  private var velocityRisk: Int {
    get throws {
      var filter = Messages.Filter()
      filter.destination = subscriber.number.description
      let since = now - .seconds(3600)
      let count = try context.sandbox.messages.submitted(filter, limit: 10).count { $0.submittedAt >= since }
      return min(100, count * 10)
    }
  }

  /// Source: contract 16.1, the examples of `twilio_lookups_v2.json`.
  private static func category(_ score: Int) -> String {
    switch score {
    case ..<25: "low"
    case ..<50: "mild"
    case ..<75: "moderate"
    default: "high"
    }
  }
}
