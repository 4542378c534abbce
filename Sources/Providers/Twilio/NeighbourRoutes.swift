import Domain
import HTTP
import ProviderKit

// The operations of other Twilio APIs: `twilio_oauth_v2.json`, `twilio_lookups_v2.json` and
// `twilio_api_v2010_messages.json`. Source: contract 16 and 20.

extension TwilioProvider {
  static var neighbourRoutes: [Route<Sandbox>] {
    [
      .post("/v2/token", as: "createToken", createToken),
      .notEmulated(.get, "/v2/authorize", as: "authorize"),

      .get("/v2/PhoneNumbers/{number}", as: "lookUpNumber", authenticated(lookUpNumber)),
      .post("/v2/batch/query", as: "lookUpBatch", authenticated(lookUpBatch)),
      .get("/v2/RateLimits", as: "listLookupRateLimits", authenticated(listLookupRateLimits)),
      .get(limit, as: "fetchLookupRateLimit", authenticated(fetchLookupRateLimit)),
      .put(limit, as: "updateLookupRateLimit", authenticated(updateLookupRateLimit)),
      .delete(limit, as: "deleteLookupRateLimit", authenticated(deleteLookupRateLimit)),
      .get(override, as: "fetchLookupOverride", authenticated(fetchOverride)),
      .post(override, as: "createLookupOverride", authenticated(createOverride)),
      .put(override, as: "updateLookupOverride", authenticated(updateOverride)),
      .delete(override, as: "deleteLookupOverride", authenticated(deleteOverride)),

      .get("/2010-04-01/Accounts/{account}.json", as: "fetchAccount", signedIn(fetchAccount)),
      .notEmulated(.post, "/2010-04-01/Accounts/{account}.json", as: "updateAccount"),
      .notEmulated(.get, "/2010-04-01/Accounts.json", as: "listAccounts"),
      .notEmulated(.post, "/2010-04-01/Accounts.json", as: "createAccount"),
      .get(messages, as: "listMessages", authenticated(listMessages)),
      .post(messages, as: "createMessage", signedIn(createMessage)),
      .get(message, as: "fetchMessage", authenticated(fetchMessage)),
      .post(message, as: "updateMessage", authenticated(updateMessage)),
      .delete(message, as: "deleteMessage", authenticated(deleteMessage)),
      .post(
        "/2010-04-01/Accounts/{account}/Messages/{message}/Feedback.json", as: "createMessageFeedback",
        authenticated(createMessageFeedback)),
      .get(
        "/2010-04-01/Accounts/{account}/Messages/{message}/Media.json", as: "listMedia",
        authenticated(listMedia)),
      .get(media, as: "fetchMedia", authenticated(fetchMedia)),
      .delete(media, as: "deleteMedia", authenticated(deleteMedia)),
    ]
  }

  private static let limit: Pattern = "/v2/RateLimits/Fields/{field}/Bucket/{bucket}"
  private static let override: Pattern = "/v2/PhoneNumbers/{number}/Overrides/{field}"
  private static let messages: Pattern = "/2010-04-01/Accounts/{account}/Messages.json"
  private static let message: Pattern = "/2010-04-01/Accounts/{account}/Messages/{message}.json"
  private static let media: Pattern = "/2010-04-01/Accounts/{account}/Messages/{message}/Media/{media}.json"
}

/// The handler of a route that test credentials can use too. Source: contract 15.
private func signedIn(
  _ operation: @escaping (RequestContext) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { try operation(RequestContext($0, of: try authenticate($0, in: $1), in: $1)) }
}
