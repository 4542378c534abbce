package import ProviderKit

/// Vonage: Verify v2 with silent authentication, templates and webhooks, Verify legacy, Identity Insights,
/// Number Insight, SMS and Messages. Contracts: `vonage-verify.md` and `senders.md`; the provider's
/// documentation: https://developer.vonage.com
package enum VonageProvider: Provider, SendsWebhooks {
  package static let name = "vonage"
  package static let defaultSeed = PackageResources.Seed_json
  /// Source: contract 1; `senders.md` 1.
  package static let address = ProviderAddress(
    hosts: [
      "api.nexmo.com", "api-eu.vonage.com", "api-us.vonage.com", "api-eu-3.vonage.com", "rest.nexmo.com",
      "api-eu.nexmo.com", "api-us.nexmo.com", "api-ap.nexmo.com", "messages-sandbox.nexmo.com",
    ])
  package static let secretFields = ["api_secret", "private_key", "signature_secret"]
  /// Source: the examples of the provider's SDKs.
  package static let variables = [
    Variable("VONAGE_API_KEY", .credential("apiKey")),
    Variable("VONAGE_API_SECRET", .credential("apiSecret")),
    Variable("VONAGE_APPLICATION_ID", .credential("applicationId")),
    Variable("VONAGE_PRIVATE_KEY", .fileOf(credential: "privateKey", type: "pem")),
    Variable("VONAGE_SIGNATURE_SECRET", .credential("signatureSecret")),
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)
  package static let signing: String? = """
    Basic with apiKey and apiSecret; or Authorization: Bearer with a JWT, RS256 by privateKey, with the claims \
    application_id (applicationId), iat, exp (seconds) and jti (another one each time). Only requests with a JWT have \
    webhooks, which are signed with signatureSecret (HS256).
    """

  /// Once a minute for a day. Source: contract 7 for the answers; the times are the sandbox's.
  package static let retries = RetrySchedule(pauses: [.seconds(60)], span: .seconds(86_400))

  /// Those of SMS: after one minute, and then twice the last pause. Source: `senders.md` 5; the times are the
  /// sandbox's.
  package static func retries(of webhook: Webhook, in sandbox: Sandbox) -> RetrySchedule {
    switch StatusKind(rawValue: webhook.draft.kind) {
    case .smsReceipt?, .inboundSMS?:
      .doubling(from: .seconds(60), upTo: .seconds(12 * 3600), for: .seconds(86_400))
    case .event?, .summary?, .numberInsight?, .messageStatus?, .inboundMessage?, nil: retries
    }
  }

  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {
    switch event {
    case .stepBegun(let step, let verification): try Channels.begin(step, of: verification, in: sandbox)
    case .stepFailed(let step, let verification): try StatusReport.ended(step, of: verification, in: sandbox)
    case .ended(let verification): try StatusReport.ended(verification, in: sandbox)
    case .reply(let text, let answered):
      try Channels.receive(text, to: answered, in: sandbox)
      try InboundSMS.receive(text, to: answered, in: sandbox)
      try InboundMessage.receive(text, to: answered, in: sandbox)
    case .released(let message):
      try SMSReceipt.reportDelivery(of: message, in: sandbox)
      try MessageReport.reportDelivery(of: message, in: sandbox)
    case .lost(let message): try SentMessage.find(of: message, in: sandbox)?.fail(in: sandbox)
    default: break
    }
  }

  package static func documentation(ofError answer: JSON) -> String? {
    if case .string(let type) = answer["type"], type.hasPrefix("https://") { return type }
    return "https://developer.vonage.com/en/api-errors"
  }

  package static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules? {
    var rules = try Settings.current(in: sandbox).verificationRules
    rules.codeLength = verification.code.count
    rules.lifetime = verification.expiresAt - verification.createdAt
    return rules
  }

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(
    PackageResources.Errors_txt, names: ErrorCode.self, LegacyStatus.self, SMSStatus.self,
    MessagesErrorCode.self)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let settings = Settings.readable(in: sandbox)
    if LegacyError.isFormat(of: request) { return LegacyError(failure, to: request).response }
    if MessagesError.isFormat(of: request) {
      return MessagesError(failure, to: request).completed(in: sandbox).response
    }
    return APIError(failure, to: request).completed(settings, in: sandbox).response
  }

  package static func id(of verification: Verification, in sandbox: Sandbox) throws -> String? {
    try RequestID.ofAnyAPI(verification, in: sandbox)
  }

  /// Source: contract 1: the hosts of Network APIs know the account's applications.
  package static let findNetworkClient: ProviderHooks.FindNetworkClient? = { id, sandbox in
    guard UUIDText.isValid(id), let application = try Application.find(id, in: sandbox) else { return nil }
    return NetworkClient(
      id: application.id, publicKey: application.publicKey, redirectURIs: application.redirectURIs)
  }

  package static let testCode: ProviderHooks.TestCode? = { number, sandbox in
    let own = try credentialsByName(of: sandbox)
    let caller = BasicAuthentication(name: own["apiKey"] ?? "", password: own["apiSecret"] ?? "")
    let body = JSONWriter.object { json in
      json.member("brand", "Test")
      json.array("workflow", [number]) { json, number in
        json.value { json in
          json.member("channel", "sms")
          json.member("to", String(number.description.dropFirst()))
        }
      }
    }
    return AppRequest(.post, "/v2/verify", authorization: caller.field, body: .json(body))
  }
}
