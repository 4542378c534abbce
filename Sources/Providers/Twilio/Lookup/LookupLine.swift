import ProviderKit

/// The packages of one number, from the carrier's record. Source: contract 16.1.
struct LookupLine {
  let subscriber: Subscriber
  let query: LookupQuery
  let context: RequestContext

  init(_ number: PhoneNumber, _ query: LookupQuery, _ context: RequestContext) throws {
    subscriber = try context.sandbox.subscribers[number]
    self.query = query
    self.context = context
  }

  var now: Timestamp { context.sandbox.clock.now }

  /// Errors of the settings first, then those of the line.
  func result(of package: LookupPackage) throws -> LookupResult {
    if let error = context.settings.lookupErrors.first(where: { $0.package == package }) {
      return LookupResult(error: error.code, package.members)
    }
    if let code = lineError(of: package) { return LookupResult(error: code, package.members) }
    return switch package {
    case .callerName: callerName
    case .simSwap: simSwap
    case .callForwarding:
      // Only unconditional forwarding counts.
      LookupResult([.init("call_forwarding_enabled", subscriber.forwarding.contains(.unconditional))])
    case .lineStatus: LookupResult([.init("status", lineStatus)])
    case .lineType: try lineType
    case .identityMatch: identityMatch
    case .reassignedNumber: reassignedNumber
    case .smsPumpingRisk: smsPumpingRisk
    case .qualityScore: try qualityScore
    case .preFill: try preFill
    }
  }

  /// 60607: the country has no data, 60612: only for mobile lines, 60600: the number is out of service,
  /// 60608: the person denies access, 60620: a test number of the provider. Source: contract 13.4; the causes
  /// are the sandbox's decisions. The test number: https://www.twilio.com/docs/api/errors/60620, read
  /// 2026-11-22.
  private func lineError(of package: LookupPackage) -> Int? {
    switch package {
    case .callerName: return ["US", "CA"].contains(subscriber.country ?? "") ? nil : 60607
    case .simSwap, .callForwarding:
      if subscriber.number.description == "+12345678916" { return package == .simSwap ? 60620 : nil }
      guard subscriber.lineType == .mobile else { return 60612 }
      if subscriber.isDeactivated(at: now) { return 60600 }
      return subscriber.consent[Consent.anyPurpose] == .denied ? 60608 : nil
    case .lineStatus: return subscriber.lineType == .mobile ? nil : 60612
    case .lineType, .identityMatch, .reassignedNumber, .smsPumpingRisk, .qualityScore, .preFill: return nil
    }
  }

  private var callerName: LookupResult {
    let name = subscriber.kyc.shownName
    let type = name == nil ? "UNDETERMINED" : subscriber.contract == .business ? "BUSINESS" : "CONSUMER"
    return LookupResult([.init("caller_name", name), .init("caller_type", type)])
  }

  private var simSwap: LookupResult {
    let last = subscriber.simSwaps.filter { $0 <= now }.max()
    let period = Duration.seconds(24 * 3600)
    return LookupResult([
      .init(
        name: "last_sim_swap",
        value: .object([
          .init("last_sim_swap_date", last?.iso8601), .init("swapped_period", "PT24H"),
          .init("swapped_in_period", last.map { now - $0 <= period } ?? false),
        ])),
      .init("carrier_name", subscriber.operatorName), .init("mobile_country_code", subscriber.mcc),
      .init("mobile_network_code", subscriber.mnc),
    ])
  }

  private var lineStatus: String {
    if subscriber.isDeactivated(at: now) || subscriber.suspended { return "inactive" }
    if !subscriber.reach.sms, !subscriber.reach.data { return "unreachable" }
    return "active"
  }

  /// Landlines have no codes of a mobile network.
  private var lineType: LookupResult {
    get throws {
      let type = try LineTypeOverride.find(subscriber.number, of: context)?.lineType ?? subscriber.lineType
      let isMobile = type == .mobile
      return LookupResult([
        .init("mobile_country_code", isMobile ? subscriber.mcc : nil),
        .init("mobile_network_code", isMobile ? subscriber.mnc : nil),
        .init("carrier_name", subscriber.operatorName), .init("type", type.lookupName),
      ])
    }
  }

  /// `yes` if another person got the number after the date, or nobody has it any more.
  private var reassignedNumber: LookupResult {
    let names = LookupPackage.reassignedNumber.members
    guard let text = query.lastVerifiedDate else { return LookupResult(error: 60617, names) }
    let day = [text.prefix(4), text.dropFirst(4).prefix(2), text.dropFirst(6)].joined(separator: "-")
    guard text.utf8.count == 8, let date = Timestamp(iso8601: "\(day)T00:00:00Z") else {
      return LookupResult(error: 60618, names)
    }
    let periods = subscriber.subscriberPeriods.filter { $0.from <= now }
    let isLater = periods.dropFirst().contains { $0.from > date }
    let answer =
      if isLater || subscriber.deactivatedAt.map({ $0 > date && $0 <= now }) ?? false {
        "yes"
      } else if periods.first.map({ $0.from > date }) ?? true {
        "no_data_available"
      } else {
        "no"
      }
    return LookupResult([.init("last_verified_date", day), .init("is_number_reassigned", answer)])
  }

  /// Needs an approved verification of the same number.
  private var preFill: LookupResult {
    get throws {
      let (names, sandbox) = (LookupPackage.preFill.members, context.sandbox)
      guard let sid = query.verificationSID else { return LookupResult(error: 60617, names) }
      guard let ordinal = VerificationSid.ordinal(of: sid, in: sandbox),
        let verification = try sandbox.verifications.find(ordinal), verification.state == .approved,
        verification.claim.provider == TwilioProvider.name,
        verification.claim.destination == subscriber.number.description
      else { return LookupResult(error: 60623, names) }
      let person = subscriber.kyc
      return LookupResult([
        .init("first_name", person[.givenName]), .init("last_name", person[.familyName]),
        .init("address_line", person.streetAddress), .init("country_code", person[.country]),
        .init("state", person[.region]), .init("postal_code", person[.postalCode]),
      ])
    }
  }
}

extension LookupPackage {
  /// The members of the package's object, for errors.
  var members: [String] {
    switch self {
    case .callerName: ["caller_name", "caller_type"]
    case .simSwap: ["last_sim_swap", "carrier_name", "mobile_country_code", "mobile_network_code"]
    case .callForwarding: ["call_forwarding_enabled"]
    case .lineStatus: ["status"]
    case .lineType: ["mobile_country_code", "mobile_network_code", "carrier_name", "type"]
    case .identityMatch: IdentityMatch.members
    case .reassignedNumber: ["last_verified_date", "is_number_reassigned"]
    case .smsPumpingRisk:
      [
        "carrier_risk_category", "number_blocked", "number_blocked_date", "number_blocked_last_3_months",
        "sms_pumping_risk_score",
      ]
    case .qualityScore:
      ["carrier", "disposable_phone"].flatMap { ["\($0)_risk_score", "\($0)_risk_category"] }
        + ["quality_score", "quality_category", "velocity_risk_score", "velocity_risk_category"]
    case .preFill: ["first_name", "last_name", "address_line", "country_code", "state", "postal_code"]
    }
  }
}

extension Person {
  var shownName: String? {
    let names = [self[.givenName], self[.familyName]].compactMap { $0 }
    return names.isEmpty ? self[.name] : names.joined(separator: " ")
  }

  var streetAddress: String? {
    let street = [self[.streetNumber], self[.streetName]].compactMap { $0 }.joined(separator: " ")
    return self[.address] ?? (street.isEmpty ? nil : street)
  }
}
