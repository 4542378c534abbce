import ProviderKit

// The resource `/v2/lookup/{number}`. Source: contract 7.

extension PreludeProvider {
  static var lookupRoutes: [Route<Sandbox>] {
    [.get("/v2/lookup/{number}", as: "lookUpNumber", authenticated(lookUpNumber))]
  }
}

func lookUpNumber(_ context: RequestContext) throws -> Response {
  let features = try context.request.query.words("type", of: LookupFeature.self)
  let number = try Validation.phoneNumber(
    context.request[parameter: "number"], param: "phone_number", in: context.sandbox)
  let showsCallerName = features.contains(.callerName) && context.settings.callerNames
  let line = try LineInfo(of: number, in: context)
  return .json(200) { json in
    line.write(to: &json)
    if showsCallerName, let name = line.callerName { json.member("caller_name", name) }
  }
}

/// The optional parts of a lookup. Source: contract 7.
private enum LookupFeature: String, CaseIterable {
  /// The name that a handset shows for a caller.
  case callerName = "cnam"
}

/// A line as lookups describe it, from the carrier's record. Source: contract 7 and 16.1.
struct LineInfo {
  /// The provider's types, as far as the carrier distinguishes them.
  enum LineType: String {
    case fixedLine = "fixed_line"
    case mobile
    case other
    case pager
    case premiumRate = "premium_rate"
    case sharedCost = "shared_cost"
    case tollFree = "toll_free"
    case universalAccess = "universal_access"
    case unknown
    case voiceMail = "voice_mail"
    case voip
  }

  enum Flag: String {
    case ported
    case temporary
  }

  let subscriber: Subscriber
  let lineType: LineType
  let flags: [Flag]

  /// A scenario of the request or of a seed's rule overrides the carrier's record. Source: contract 16.1.
  init(of number: PhoneNumber, in context: RequestContext) throws {
    subscriber = try context.sandbox.subscribers[number]
    let scenario = try TestScenario(of: context.request, about: number, in: context.sandbox)
    lineType = Self.lineType(of: scenario) ?? Self.lineType(subscriber.lineType)
    // Disposable numbers are VoIP lines without a fixed place.
    let isTemporary = scenario == .shadowBlocked || subscriber.lineType == .nonFixedVoip
    flags = (subscriber.ported ? [.ported] : []) + (isTemporary ? [.temporary] : [])
  }

  private static func lineType(of scenario: TestScenario) -> LineType? {
    switch scenario {
    case .blockedInvalidPhoneLine: .fixedLine
    case .blockedInvalidPhoneNumber: .unknown
    default: nil
    }
  }

  private static func lineType(_ type: Numbers.LineType) -> LineType {
    switch type {
    case .mobile: .mobile
    case .landline: .fixedLine
    case .fixedVoip, .nonFixedVoip: .voip
    case .tollFree: .tollFree
    case .premium: .premiumRate
    case .sharedCost: .sharedCost
    case .personal: .other
    case .pager: .pager
    case .voicemail: .voiceMail
    case .uan: .universalAccess
    case .unknown: .unknown
    }
  }

  /// As handsets show it: capitals, 15 characters at most.
  fileprivate var callerName: String? {
    let person = subscriber.kyc
    let names = [person[.givenName], person[.familyName]].compactMap { $0 }
    let whole = names.isEmpty ? person[.name] : names.joined(separator: " ")
    return whole.map { String($0.uppercased().prefix(15)) }
  }

  /// `line_type` is always there, because integrators depend on it.
  fileprivate func write(to json: inout JSONWriter) {
    json.member("phone_number", subscriber.number.description)
    if let country = subscriber.country { json.member("country_code", country) }
    json.member("line_type", lineType.rawValue)
    json.member("flags", flags.map(\.rawValue))
    json.object("network_info") {
      $0.member("carrier_name", subscriber.operatorName)
      $0.member("mcc", subscriber.mcc)
      $0.member("mnc", subscriber.mnc)
    }
    json.object("original_network_info") {
      // The carrier does not store the name of the original network.
      if subscriber.originalMCC == subscriber.mcc, subscriber.originalMNC == subscriber.mnc {
        $0.member("carrier_name", subscriber.operatorName)
      }
      $0.member("mcc", subscriber.originalMCC)
      $0.member("mnc", subscriber.originalMNC)
    }
  }
}
