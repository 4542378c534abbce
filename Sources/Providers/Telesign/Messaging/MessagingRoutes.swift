import ProviderKit

extension TelesignProvider {
  /// SMS, omnichannel messages with their templates, and voice.
  static var messagingRoutes: [Route<Sandbox>] {
    [
      .post("/v1/messaging", as: "sendMessage", authenticated(.messaging, sendMessage)),
      .get("/v1/messaging/{reference_id}", as: "fetchMessage", authenticated(.messaging, fetchMessage)),
      .post("/v1/omnichannel", as: "sendOmnichannel", authenticated(.omnichannel, sendOmnichannel)),
      .get(
        "/v1/omnichannel/{reference_id}", as: "fetchOmnichannel",
        authenticated(.omnichannel, fetchOmnichannel)
      ),
      .get(
        "/capability/{channel}/{phone_number}", as: "checkCapability",
        authenticated(.omnichannel, checkCapability)),
      .get(
        "/capability/{channel}/{phone_number}/{agent}", as: "checkCapabilityOfAgent",
        authenticated(.omnichannel, checkCapability)),
      .get("/v1/omnichannel/templates", as: "listTemplates", authenticated(.omnichannel, listTemplates)),
      .post("/v1/omnichannel/templates", as: "createTemplate", authenticated(.omnichannel, createTemplate)),
      .get(
        "/v1/omnichannel/templates/{channel}/{name}", as: "fetchTemplate",
        authenticated(.omnichannel, fetchTemplate)),
      .delete(
        "/v1/omnichannel/templates/{channel}/{name}", as: "deleteTemplate",
        authenticated(.omnichannel, deleteTemplate)),
      .post("/v1/voice", as: "placeCall", authenticated(.voice, placeCall)),
      .get("/v1/voice/{reference_id}", as: "fetchCall", authenticated(.voice, fetchCall)),
    ]
  }
}
