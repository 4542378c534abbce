import ProviderKit

extension TelesignProvider {
  /// The app on the user's device: registration, push and silent verification as methods of the Verify API.
  static var handsetRoutes: [Route<Sandbox>] {
    [
      .post("/handset/telesign/v1/registrations", as: "registerDevice", handset(registerDevice)),
      .get("/handset/telesign/v1/registrations", as: "fetchRegistration", handset(fetchRegistration)),
      .post(
        "/handset/telesign/v1/verifications/{reference_id}/decision", as: "decideOnDevice",
        handset(decideOnDevice)),
      .post(
        "/handset/telesign/v1/verifications/{reference_id}/push-status", as: "reportPushStatus",
        handset(reportPushStatus)),
      .post(
        "/handset/telesign/v1/verifications/{reference_id}/silent", as: "reportSilent", handset(reportSilent)),
      .get(
        "/handset/telesign/v1/verifications/{reference_id}/silent", as: "offerSilent", handset(offerSilent)),
    ] + SilentStepURL.routes
  }

  /// Push verification of 2013 to 2023.
  static var legacyPushRoutes: [Route<Sandbox>] {
    [
      .post("/v2/verify/push", as: "pushVerify", authenticated(.push, pushVerify)),
      .post("/v2/verify/soft_token", as: "checkSoftToken", authenticated(.push, checkSoftToken)),
      .get(
        "/v2/verify/registration/{phone_number}", as: "fetchPushRegistration",
        authenticated(.push, fetchPushRegistration)),
    ]
  }
}
