import ProviderKit

extension TelesignProvider {
  /// SMS, Voice and Smart Verify.
  static var legacyVerifyRoutes: [Route<Sandbox>] {
    [
      .post("/v1/verify/sms", as: "createSMSVerification", authenticated(.smsVerify, createSMSVerification)),
      .post(
        "/v1/verify/call", as: "createCallVerification", authenticated(.voiceVerify, createCallVerification)),
      .post(
        "/v1/verify/smart", as: "createSmartVerification",
        authenticated(.smartVerify, createSmartVerification)),
      .post("/v1/verify/bulk_sms", as: "sendBulkSMS", authenticated(.smsVerify, sendBulkSMS)),
      .get(
        "/v1/verify/{reference_id}", as: "fetchVerifyStatus", authenticated(.smsVerify, fetchVerifyStatus)),
      .put(
        "/v1/verify/completion/{reference_id}", as: "completeVerification",
        authenticated(.smsVerify, completeVerification)),
    ]
  }

  static var appVerifyRoutes: [Route<Sandbox>] {
    [
      .post(
        "/v1/verify/auto/voice/initiate", as: "initiateAppVerification",
        authenticated(.appVerify, initiateAppVerification)),
      .post(
        "/v1/verify/auto/voice/finalize", as: "finalizeAppVerification",
        authenticated(.appVerify, finalizeAppVerification)),
      .post(
        "/v1/verify/auto/voice/finalize/callerid", as: "reportUnknownCaller",
        authenticated(.appVerify, reportUnknownCaller)),
      .post(
        "/v1/verify/auto/voice/finalize/timeout", as: "reportMissingCall",
        authenticated(.appVerify, reportMissingCall)),
      .get(
        "/v1/verify/auto/voice/{reference_id}", as: "fetchAppVerification",
        authenticated(.appVerify, fetchAppVerification)),
      .get(
        "/v1/mobile/verification/status/{external_id}", as: "fetchAppVerificationByExternalID",
        authenticated(.appVerify, fetchAppVerificationByExternalID)),
    ]
  }
}
