import ProviderKit

// KYC Age Verification 0.2.1. Source: contract 9.3.

extension Scope {
  static let ageVerification = ["kyc-age-verification:verify"]
}

extension CAMARAProvider {
  static var ageRoutes: [Route<Sandbox>] {
    [
      .post(
        "/kyc-age-verification/v0.2/verify", as: "verifyAge",
        operation("kyc-age-verification:verify", verifyAge))
    ]
  }
}

/// `POST /verify`: whether the person is old enough.
func verifyAge(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let number = try body.optionalPhoneNumber()
  let claims = try Claims(
    body,
    [.idDocument, .name, .givenName, .familyName, .middleNames, .familyNameAtBirth, .birthdate, .email])
  let (includesLock, includesControl) = (
    try body.optionalFlag("includeContentLock"), try body.optionalFlag("includeParentalControl")
  )
  let range = context.settings.ageMinimum...120
  guard let threshold = try body.optionalInteger("ageThreshold", in: range) else {
    throw body.mismatch("ageThreshold", expected: "an integer")
  }
  let subscriber = try Subject.subscriber(numbered: number, context)
  let birthday = subscriber.kyc[.birthdate].flatMap { Day($0) }
  let isOldEnough = birthday?.isPast(years: threshold, on: context.today)
  let scores = claims.matches(with: subscriber).compactMap(\.match.score)
  return context.response { json in
    json.member("ageCheck", word(isOldEnough))
    json.member("verifiedStatus", subscriber.kyc[.idDocument] != nil)
    if !scores.isEmpty, context.settings.matchScores {
      json.member("identityMatchScore", scores.reduce(0, +) / scores.count)
    }
    if includesLock { json.member("contentLock", word(subscriber.contentLock)) }
    if includesControl { json.member("parentalControl", word(subscriber.parentalControl)) }
  }
}

private func word(_ isTrue: Bool?) -> String { isTrue.map { $0 ? "true" : "false" } ?? "not_available" }

extension Fields {
  /// Absent: false.
  fileprivate func optionalFlag(_ name: String) throws -> Bool {
    guard let flag = try optionalBool(name) else {
      try requireAbsent(name, expected: "true or false")
      return false
    }
    return flag
  }
}
