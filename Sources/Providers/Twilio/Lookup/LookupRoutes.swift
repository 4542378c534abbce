import ProviderKit

extension TwilioProvider {
  static var lookupRoutes: [Route<Sandbox>] {
    let limit: Pattern = "/v2/RateLimits/Fields/{field}/Bucket/{bucket}"
    let override: Pattern = "/v2/PhoneNumbers/{number}/Overrides/{field}"
    return [
      .get("/v2/PhoneNumbers/{number}", as: "lookUpNumber", authenticated(lookUpNumber)),
      .get("/v1/PhoneNumbers/{number}", as: "lookUpNumberV1", authenticated(lookUpNumberV1)),
      .post("/v2/batch/query", as: "lookUpBatch", authenticated(lookUpBatch)),
      .get("/v2/RateLimits", as: "listLookupRateLimits", authenticated(listLookupRateLimits)),
      .get(limit, as: "fetchLookupRateLimit", authenticated(fetchLookupRateLimit)),
      .put(limit, as: "updateLookupRateLimit", authenticated(updateLookupRateLimit)),
      .delete(limit, as: "deleteLookupRateLimit", authenticated(deleteLookupRateLimit)),
      .get(override, as: "fetchLookupOverride", authenticated(fetchOverride)),
      .post(override, as: "createLookupOverride", authenticated(createOverride)),
      .put(override, as: "updateLookupOverride", authenticated(updateOverride)),
      .delete(override, as: "deleteLookupOverride", authenticated(deleteOverride)),
    ]
  }
}
