import ProviderKit

// The resource `/v2/intel/kyc/match/{number}`. Source: contract 9.

extension PreludeProvider {
  static var kycRoutes: [Route<Sandbox>] {
    [withBody(.post, "/v2/intel/kyc/match/{number}", as: "matchIdentity", matchIdentity)]
  }
}

func matchIdentity(_ context: RequestContext) throws -> Response {
  let claims = try identityClaims(in: context.request.json)
  let countries = context.settings.kycCountries
  guard !countries.isEmpty else {
    throw APIError(.forbidden).because("the setting kycCountries is empty")
  }
  let number = try Validation.phoneNumber(
    context.request[parameter: "number"], param: "phone", in: context.sandbox)
  let subscriber = try context.sandbox.subscribers[number]
  guard let country = subscriber.country, countries.contains(country) else {
    throw APIError(.unsupportedCountry, param: "phone").because(
      "the country of the line is \(subscriber.country ?? "unknown"), and the setting kycCountries allows "
        + countries.joined(separator: ", "))
  }
  return context.response { json in
    json.member("phone_number", subscriber.number.description)
    json.member("country_code", country)
    json.member("operator", subscriber.operatorName)
    for claim in claims {
      IdentityMatch(of: claim, with: subscriber).write(claim.attribute, to: &json)
    }
  }
}

/// What an app says about the person behind a number. Source: contract 9.
private struct IdentityClaim {
  let attribute: IdentityAttribute
  let value: String
}

/// The claims of a body in the provider's order. Absent and empty attributes are ignored. Source: contract 9.
private func identityClaims(in fields: Fields) throws -> [IdentityClaim] {
  let claims = try IdentityAttribute.allCases.compactMap { attribute -> IdentityClaim? in
    guard let value = try fields.optionalString(attribute.rawValue), !value.isEmpty else { return nil }
    return IdentityClaim(attribute: attribute, value: value)
  }
  let birthdate = claims.first { $0.attribute == .birthdate }?.value
  guard birthdate.map(isDay) ?? true else {
    throw APIError(.invalidDateFormat, param: "birthdate").because("expected YYYY-MM-DD")
  }
  return claims
}

private func isDay(_ text: String) -> Bool {
  text.utf8.count == 10 && Timestamp(iso8601: text + "T00:00:00Z") != nil
}

/// In the provider's order. Source: contract 9.
private enum IdentityAttribute: String, CaseIterable {
  case address
  case birthdate
  case country
  case email
  case familyName = "family_name"
  case givenName = "given_name"
  case locality
  case postalCode = "postal_code"
  case region

  /// True if similar values get a score.
  var isFuzzy: Bool {
    switch self {
    case .birthdate, .country, .postalCode: false
    case .address, .email, .familyName, .givenName, .locality, .region: true
    }
  }

  func recorded(of subscriber: Subscriber) -> String? {
    let person = subscriber.kyc
    return switch self {
    case .address: person[.address]
    case .birthdate: person[.birthdate]
    case .country: person[.country]
    case .email: person[.email] ?? subscriber.email
    case .familyName: person[.familyName]
    case .givenName: person[.givenName]
    case .locality: person[.locality]
    case .postalCode: person[.postalCode]
    case .region: person[.region]
    }
  }
}

/// The result of one claim. Source: contract 9.
private enum IdentityMatch {
  case match
  /// The score is from 0 to 99; nil for attributes that are compared exactly.
  case mismatch(score: Int?)
  /// The operator has no record of the attribute.
  case notAvailable

  init(of claim: IdentityClaim, with subscriber: Subscriber) {
    guard let recorded = claim.attribute.recorded(of: subscriber) else {
      self = .notAvailable
      return
    }
    guard claim.attribute.isFuzzy else {
      self = claim.value == recorded ? .match : .mismatch(score: nil)
      return
    }
    let likeness = Similarity(of: claim.value, and: recorded)
    self = likeness.isSame ? .match : .mismatch(score: likeness.score)
  }

  /// The values are strings, not booleans.
  func write(_ attribute: IdentityAttribute, to json: inout JSONWriter) {
    let name = attribute.rawValue
    switch self {
    case .match: json.member(named: "\(name)_match", "true")
    case .notAvailable: json.member(named: "\(name)_match", "not_available")
    case .mismatch(let score):
      json.member(named: "\(name)_match", "false")
      if let score { json.member(named: "\(name)_match_score", score) }
    }
  }
}
