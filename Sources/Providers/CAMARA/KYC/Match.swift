import ProviderKit

// KYC Match 0.4.0. Source: contract 9.1.

extension Scope {
  static let match = ["kyc-match:match"]
}

extension CAMARAProvider {
  static var matchRoutes: [Route<Sandbox>] {
    [.post("/kyc-match/v0.4/match", as: "matchIdentity", operation("kyc-match:match", matchIdentity))]
  }
}

/// `POST /match`: compares what an app says about a person with the operator's record.
func matchIdentity(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let number = try body.optionalPhoneNumber()
  let claims = try Claims(body, Person.Trait.allCases.filter { context.version.has($0.rawValue) })
  guard !claims.values.isEmpty else {
    guard number != nil else {
      throw APIError.invalid("body", expected: "what to compare, such as givenName")
    }
    throw APIError(.invalidParamCombination).because("the body has phoneNumber only")
  }
  let subscriber = try Subject.subscriber(numbered: number, context, mayRepeatToken: true)
  let matches = claims.matches(with: subscriber)
  if context.settings.idDocumentRequired {
    guard let document = matches.first(where: { $0.trait == .idDocument }) else {
      throw APIError(.idDocumentRequired).because("the setting idDocumentRequired is on")
    }
    guard case .match = document.match else { throw APIError(.idDocumentMismatch) }
  }
  return context.response { json in
    for (trait, match) in matches {
      json.member(named: "\(trait.rawValue)Match", match.word)
      if case .mismatch(let score?) = match, context.settings.matchScores {
        json.member(named: "\(trait.rawValue)MatchScore", score)
      }
    }
  }
}
