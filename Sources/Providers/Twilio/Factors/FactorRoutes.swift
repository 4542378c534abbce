import ProviderKit

// Entities, their factors and challenges. Servers sign in with the account, mobile apps with an access token
// or with the key of their factor. Source: contract 8.4, 9 and 11.

extension TwilioProvider {
  static var factorRoutes: [Route<Sandbox>] {
    let factors: Pattern = "/v2/Services/{service}/Entities/{identity}/Factors"
    let factor: Pattern = "/v2/Services/{service}/Entities/{identity}/Factors/{factor}"
    let challenges: Pattern = "/v2/Services/{service}/Entities/{identity}/Challenges"
    let challenge: Pattern =
      "/v2/Services/{service}/Entities/{identity}/Challenges/{challenge}"
    return [
      .post(
        "/v2/Services/{service}/AccessTokens", as: "createAccessToken",
        authenticated(createAccessToken, adoptsService: true)),
      .get(
        "/v2/Services/{service}/AccessTokens/{token}", as: "fetchAccessToken",
        authenticated(fetchAccessToken)),

      .get("/v2/Services/{service}/Entities", as: "listEntities", authenticated(listEntities)),
      .post(
        "/v2/Services/{service}/Entities", as: "createEntity",
        authenticated(createEntity, adoptsService: true)),
      .get("/v2/Services/{service}/Entities/{identity}", as: "fetchEntity", authenticated(fetchEntity)),
      .delete("/v2/Services/{service}/Entities/{identity}", as: "deleteEntity", authenticated(deleteEntity)),

      .get(factors, as: "listFactors", authenticated(listFactors)),
      .post(factors, as: "createFactor", enrolmentOrServer(createFactor)),
      .get(factor, as: "fetchFactor", deviceOrServer(fetchFactor)),
      .post(factor, as: "updateFactor", deviceOrServer(updateFactor)),
      .delete(factor, as: "deleteFactor", deviceOrServer(deleteFactor)),

      .get(challenges, as: "listChallenges", deviceOrServer(listChallenges)),
      .post(challenges, as: "createChallenge", authenticated(createChallenge)),
      .get(challenge, as: "fetchChallenge", deviceOrServer(fetchChallenge)),
      .post(challenge, as: "updateChallenge", deviceOrServer(updateChallenge)),
      .post(
        "/v2/Services/{service}/Entities/{identity}/Challenges/{challenge}/Notifications",
        as: "createNotification", authenticated(createNotification)),
    ]
  }
}
