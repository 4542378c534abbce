package import Domain
package import HTTP
import ProviderKit

extension TelesignProvider {
  package static var routes: [Route<Sandbox>] {
    verifyRoutes + handsetRoutes + legacyPushRoutes + silentVerifyRoutes + legacyVerifyRoutes
      + appVerifyRoutes
      + messagingRoutes + phoneIDRoutes + intelligenceRoutes + teleBureauRoutes
  }

  /// Verify API. One of the vendor's clients leaves out `/state`. Source: contract 3.3, quirk 6.
  private static var verifyRoutes: [Route<Sandbox>] {
    [
      .post("/verification", as: "createVerification", authenticated(.verify, createVerification)),
      .get(
        "/verification/{reference_id}", as: "fetchVerification", authenticated(.verify, fetchVerification)),
      .on(
        .patch, "/verification/{reference_id}/state", as: "finalizeVerification",
        authenticated(.verify, finalizeVerification)),
      .on(
        .patch, "/verification/{reference_id}", as: "finalizeVerificationShortly",
        authenticated(.verify, finalizeVerification)),
    ]
  }

  /// The app on the user's device: registration, push and silent verification as methods of the Verify API.
  private static var handsetRoutes: [Route<Sandbox>] {
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
  private static var legacyPushRoutes: [Route<Sandbox>] {
    [
      .post("/v2/verify/push", as: "pushVerify", authenticated(.push, pushVerify)),
      .post("/v2/verify/soft_token", as: "checkSoftToken", authenticated(.push, checkSoftToken)),
      .get(
        "/v2/verify/registration/{phone_number}", as: "fetchPushRegistration",
        authenticated(.push, fetchPushRegistration)),
    ]
  }

  /// Silent Verify as a product of its own.
  private static var silentVerifyRoutes: [Route<Sandbox>] {
    [
      .post("/silent/initiate", as: "initiateSilent", authenticated(.silent, initiateSilent)),
      .post("/silent/finalize", as: "finalizeSilent", authenticated(.silent, finalizeSilent)),
    ] + SilentVerifyURL.routes
  }

  /// SMS, Voice and Smart Verify.
  private static var legacyVerifyRoutes: [Route<Sandbox>] {
    [
      .post("/v1/verify/sms", as: "createSMSVerification", authenticated(.smsVerify, createSMSVerification)),
      .post(
        "/v1/verify/call", as: "createCallVerification", authenticated(.voiceVerify, createCallVerification)),
      .post(
        "/v1/verify/smart", as: "createSmartVerification",
        authenticated(.smartVerify, createSmartVerification)),
      .get(
        "/v1/verify/{reference_id}", as: "fetchVerifyStatus", authenticated(.smsVerify, fetchVerifyStatus)),
      .put(
        "/v1/verify/completion/{reference_id}", as: "completeVerification",
        authenticated(.smsVerify, completeVerification)),
    ]
  }

  private static var appVerifyRoutes: [Route<Sandbox>] {
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

  /// SMS, omnichannel messages with their templates, and voice.
  private static var messagingRoutes: [Route<Sandbox>] {
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

  private static var phoneIDRoutes: [Route<Sandbox>] {
    [
      .post("/v1/phoneid", as: "lookUpNumberInBody", authenticated(.phoneID, lookUpNumberInBody)),
      .post("/v1/phoneid/{phone_number}", as: "lookUpNumber", authenticated(.phoneID, lookUpNumber)),
      .get(
        "/v1/phoneid/standard/{phone_number}", as: "lookUpStandard", authenticated(.phoneID, lookUpStandard)),
      .get("/v1/phoneid/live/{phone_number}", as: "lookUpLive", authenticated(.phoneID, lookUpLive)),
      .get("/v1/phoneid/score/{phone_number}", as: "lookUpScore", authenticated(.phoneID, lookUpScore)),
      .get("/v1/phoneid/contact/{phone_number}", as: "lookUpContact", authenticated(.phoneID, lookUpContact)),
      .get(
        "/v1/phoneid/number_deactivation/{phone_number}", as: "lookUpDeactivation",
        authenticated(.phoneID, lookUpDeactivation)),
    ]
  }

  /// Score and Intelligence.
  private static var intelligenceRoutes: [Route<Sandbox>] {
    [
      .post("/v1/score/{phone_number}", as: "scoreNumber", authenticated(.intelligence, scoreNumber)),
      .post("/intelligence/phone", as: "assessPhone", authenticated(.intelligence, assessPhone)),
      .post("/intelligence/email", as: "assessEmail", authenticated(.intelligence, assessEmail)),
      .post("/intelligence", as: "assessPhoneInJSON", authenticated(.intelligence, assessUser)),
    ]
  }

  private static var teleBureauRoutes: [Route<Sandbox>] {
    [
      .post("/v1/telebureau/event", as: "createFraudEvent", authenticated(.teleBureau, createFraudEvent)),
      .get(
        "/v1/telebureau/event/{reference_id}", as: "fetchFraudEvent",
        authenticated(.teleBureau, fetchFraudEvent)),
      .delete(
        "/v1/telebureau/event/{reference_id}", as: "deleteFraudEvent",
        authenticated(.teleBureau, deleteFraudEvent)),
    ]
  }
}
