package import ProviderKit

/// Telesign: Verify API with push and silent verification, SMS, voice and app verification, messaging,
/// PhoneID, Score and Intelligence. Contract: `telesign.md`; the provider's documentation:
/// https://developer.telesign.com
package enum TelesignProvider: Provider, SendsWebhooks {
  package static let name = "telesign"
  /// Full-service and self-service accounts, the old name, Verify API, Score. Source: contract 1.1.
  package static let address = ProviderAddress(
    hosts: [
      "rest-ww.telesign.com", "rest-api.telesign.com", "rest.telesign.com", "verify.telesign.com",
      "detect.telesign.com",
    ])
  package static let secretFields = ["mobile_app_token", "api_key"]
  /// The last three are those of the provider's examples. Source: contract, Additions of 2026-11-22.
  package static let variables = [
    Variable("TELESIGN_CUSTOMER_ID", .credential("customerId")),
    Variable("TELESIGN_API_KEY", .credential("apiKey")),
    Variable("CUSTOMER_ID", .credential("customerId"), isForExamples: true),
    Variable("API_KEY", .credential("apiKey"), isForExamples: true),
    Variable("PHONE_NUMBER", .phoneNumber, isForExamples: true),
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)
  package static let signing: String? = """
    Basic with customerId and apiKey; or Authorization: TSA ID:SIGNATURE and Date, the signature being the Base64 of \
    the HMAC-SHA256, by the decoded apiKey, of the lines method, Content-Type, Date, each header x-ts-… in order as \
    name:value, the body if there is one, and the path. x-ts-auth-method is HMAC-SHA256.
    """
  package static let defaultSeed = PackageResources.Seed_json

  /// Three retries, 5, 10 and 15 seconds apart, unless the answer is 200 within 5 seconds. Source: contract
  /// 13.1.
  package static let retries: RetrySchedule = {
    var retries = RetrySchedule(pauses: [.seconds(5), .seconds(10), .seconds(15)])
    retries.acknowledgements = 200...200
    retries.timeouts.total = .seconds(5)
    return retries
  }()

  package static let webhookKinds = CallbackKind.allCases.map(\.rawValue)
  package static let timestampedKinds = CallbackKind.allCases.filter { $0 != .verification }.map(\.rawValue)
  package static let signatureFields = ["Authorization", "X-TS-Authorization"]

  package static func request(
    sending body: JSON, of kind: String, to url: String, in sandbox: Sandbox
  ) throws -> (url: String, request: WebhookRequest) {
    (
      url,
      try Callback.sign(body.encoded(), for: sandbox.accounts.all(of: name).first?.account ?? "", in: sandbox)
    )
  }

  package static func credential(in request: Request) -> String? {
    if let header = AuthorizationHeader(request.headers) { return header.customer }
    guard case .token(let token) = BearerToken(request.headers) else { return nil }
    return MobileAppToken.customer(of: token)
  }

  package static func documentation(ofError answer: JSON) -> String? {
    "https://developer.telesign.com/enterprise/docs/all-status-and-error-codes"
  }

  package static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules? {
    let settings = try Settings.current(in: sandbox)
    if try VerificationDetails(of: verification) != nil { return settings.verificationRules }
    return settings.legacyRules(codeLength: verification.code.count)
  }

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(PackageResources.Errors_txt)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  /// The codes of statuses too, with which tests may let a request fail.
  package static var errorCodes: [String] {
    Set(errors.compactMap { Int($0.code) }).union(StatusTexts.all.keys).sorted().map { String($0) }
  }

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let path = request.target.path
    let format = ErrorFormat(path: path)
    let error: APIError =
      switch failure {
      case .unknownPath, .notEmulated: .unknownPath(in: format)
      case .wrongMethod(let allowed): .wrongMethod(allowed, in: format)
      case .malformed: .invalidRequest(in: format)
      case .fault(let status, let code): .injected(status: status, code: code, in: format, at: path)
      case .rejected(let status, _): .injected(status: status, code: nil, in: format, at: path)
      case .internalError: .unavailable(500, in: format, at: path)
      case .overload: .unavailable(503, in: format, at: path)
      }
    return error.stamped(in: sandbox).response
  }

  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    try Callback.request(for: webhook, in: sandbox)
  }

  /// Source: contract 5.4.5
  package static func ownsPushPayload(_ data: Texts) -> Bool { data["provider"] == name }

  package static var mobileSDK: MobileSDK? {
    MobileSDK(register: VirtualHandset.register, answer: VirtualHandset.decide)
  }

  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {
    switch event {
    case .workDue(let ordinal, let count): try BulkSMS.goOn(with: ordinal, after: count, in: sandbox)
    case .released(let message): try Callback.reschedule(of: message, in: sandbox)
    case .stepBegun(let step, let verification):
      try VerificationEvents.stepBegun(step, of: verification, in: sandbox)
    case .stepFailed(let step, let verification):
      try VerificationEvents.stepFailed(step, of: verification, in: sandbox)
    case .ended(let verification): try VerificationEvents.ended(verification, in: sandbox)
    case .answered(let challenge): try PushChallenge.answered(challenge, in: sandbox)
    case .marked(let challenge, let mark): try PushChallenge.marked(challenge, mark, in: sandbox)
    default: break
    }
  }

  /// Nil for the older products: there, the messages have the id.
  package static func id(of verification: Verification, in sandbox: Sandbox) throws -> String? {
    guard try VerificationDetails(of: verification) != nil else { return nil }
    return ReferenceID.text(.verification, verification.ordinal, in: sandbox)
  }
}
