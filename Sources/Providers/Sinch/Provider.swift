package import ProviderKit

/// Sinch Verification v1: text message, flash call, phone call, seamless verification and WhatsApp, with the
/// callbacks that decide; SMS: batches and what people answer. Contracts: `sinch-verification.md` and
/// `senders.md` 7; the provider's documentation: https://developers.sinch.com/docs
package enum SinchProvider: Provider, SendsWebhooks {
  package static let name = "sinch"
  package static let defaultSeed = PackageResources.Seed_json
  /// The present host of Verification and the older one, and those of SMS with its regions. Source: contract
  /// 1, `senders.md` 1.
  package static let address = ProviderAddress(
    hosts: [
      "verification.api.sinch.com", "verificationapi-v1.sinch.com", "auth.sinch.com", "sms.api.sinch.com",
    ] + ["us", "eu", "au", "br", "ca"].flatMap { ["\($0).sms.api.sinch.com", "zt.\($0).sms.api.sinch.com"] })
  package static let secretFields = ["applicationSecret"]
  package static let variables = [
    Variable("SINCH_APPLICATION_KEY", .credential("applicationKey")),
    Variable("SINCH_APPLICATION_SECRET", .credential("applicationSecret")),
    Variable("SINCH_SERVICE_PLAN_ID", .credential("servicePlanId")),
    Variable("SINCH_API_TOKEN", .credential("apiToken")),
    Variable("SINCH_PROJECT_ID", .credential("projectId")),
    Variable("SINCH_KEY_ID", .credential("keyId")),
    Variable("SINCH_KEY_SECRET", .credential("keySecret")),
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)
  package static let signing: String? = """
    Basic with applicationKey and applicationSecret; or Authorization: application KEY:SIGNATURE and x-timestamp, the \
    signature being the Base64 of the HMAC-SHA256, by the decoded applicationSecret, of five lines: method, Base64 \
    of the body's MD5, Content-Type, x-timestamp:TIME, path. SMS has Bearer with apiToken.
    """

  package static func credential(in request: Request) -> String? {
    request.parameters.value("plan") ?? AuthorizationHeader(request.headers)?.key
  }

  package static func documentation(ofError answer: JSON) -> String? {
    let pages = "https://developers.sinch.com/docs"
    if case .string? = answer["text"] { return "\(pages)/sms/api-reference/status-codes" }
    return "\(pages)/verification/api-reference/verification-rest/errors"
  }

  package static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules? {
    var rules = try Settings.current(in: sandbox).verificationRules
    rules.codeLength = verification.code.count
    return rules
  }

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(
    PackageResources.Errors_txt, names: ErrorCode.self, SMSErrorCode.self, OAuthErrorCode.self)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let path = request.target.path
    if path.hasPrefix("/xms/") { return SMSError(failure).explainedResponse }
    if path.hasPrefix("/oauth2/") { return OAuthError(failure).response }
    let requestID = RequestContext.newID(in: sandbox)
    return APIError(failure).stamped(at: sandbox.clock.now, requestID: requestID).response
  }

  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {
    switch event {
    case .ended(let verification): try VerificationEvents.ended(verification, in: sandbox)
    case .lost(let message): try VerificationEvents.lost(message, in: sandbox)
    case .released(let message):
      try VerificationEvents.released(message, in: sandbox)
      try SMSCallback.released(message, in: sandbox)
    case .webhookEnded(let webhook, let answer): try CallbackAnswer.apply(answer, of: webhook, in: sandbox)
    case .reply(let text, let answered): try Inbound.receive(text, replyingTo: answered, in: sandbox)
    case .workDue(let ordinal, let count): try BatchSending.goOn(with: ordinal, after: count, in: sandbox)
    default: break
    }
  }

  package static func receivesTexts(at receiver: String, in sandbox: Sandbox) throws -> Bool {
    try Inbound.plan(receivingAt: receiver, in: sandbox) != nil
  }

  package static func id(of verification: Verification, in sandbox: Sandbox) -> String? {
    VerificationID.text(of: verification.ordinal, in: sandbox)
  }
}
