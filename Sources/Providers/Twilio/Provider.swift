import Crypto
package import ProviderKit

/// Twilio Verify v2, and the neighbouring APIs that its users call: Lookup, messages, calls, OAuth tokens.
/// Contract: `twilio-verify.md`; the provider's pages: https://www.twilio.com/docs/verify/api
///
/// A request passes `Routes.swift`, `RequestContext.swift` and `Authentication.swift`; then comes the file of
/// its resource.
package enum TwilioProvider: Provider, SendsWebhooks {
  package static let name = "twilio"
  package static let address = {
    var address = ProviderAddress(hosts: products.map { "\($0).twilio.com" } + Twimlet.hosts)
    // Some tools mount the API under the product's name. Source: contract 1.4.
    address.prefixes = products
    // The hosts of a region, and of an edge of a region. SDKs rewrite every product's host. Source: contract
    // 1.1 and 20.
    address.hostPatterns = ["{product}.{region}.twilio.com", "{product}.{edge}.{region}.twilio.com"].map {
      HostPattern(
        $0, choices: ["product": products],
        known: [
          "region": ["us1", "ie1", "au1", "jp1"],
          "edge": [
            "ashburn", "dublin", "frankfurt", "london", "sao-paulo", "singapore", "sydney", "tokyo",
            "umatilla",
          ],
        ])
    }
    return address
  }()
  private static let products = ["verify", "lookups", "api", "oauth"]
  /// `token` is what an app presents once. Source: contract 8.4.
  package static let secretFields = ["authToken", "token"]
  package static let variables = [
    Variable("TWILIO_ACCOUNT_SID", .credential("accountSid")),
    Variable("TWILIO_AUTH_TOKEN", .credential("authToken")),
    Variable("TWILIO_VERIFY_SERVICE_SID", .credential("serviceSid")),
    Variable("TWILIO_CA_BUNDLE", .authorities),
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)
  package static let defaultSeed = PackageResources.Seed_json

  /// Source: contract 2.4.
  package static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) {
    headers.append(crossOriginHeaders)
    headers.add("Twilio-Request-Id", sandbox.labelledRequestIdentifier("RQ"))
  }

  private static let crossOriginHeaders: Headers = [
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers":
      "Accept, Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since",
    "Access-Control-Allow-Methods": "GET, POST, PATCH, PUT, DELETE, OPTIONS",
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": "ETag, Twilio-Request-Id",
  ]

  /// The error itself has the address. Source: contract 2.5.
  package static func documentation(ofError answer: JSON) -> String? {
    if case .string(let url)? = answer["more_info"] { url } else { nil }
  }

  package static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules? {
    VerificationRules(try Settings.current(in: sandbox), codeLength: verification.code.count)
  }

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(PackageResources.Errors_txt)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let error = APIError(failure, of: request, in: sandbox)
    var response = error.response
    response.why = error.why
    // Source: contract 7. A full bucket has a time of its own.
    if case .fault(status: 429, code: nil) = failure { response.headers.add("Retry-After", "1") }
    return response
  }

  /// Fraud protection does not block numbers of the SafeList, nor creations without a risk check.
  /// Source: contract 8.3 and 4.1.
  package static func skipsFault(code: String, for request: Request, in sandbox: Sandbox) throws -> Bool {
    guard code == "60410" || code == "60238", let number = APIError.destination(of: request) else {
      return false
    }
    if (try? Form(parsing: request.body))?.text("RiskCheck") == "disable" { return true }
    guard let caller = try? Authentication.caller(of: request, in: sandbox) else { return false }
    return try SafeNumber.covers(number, of: caller.account, in: sandbox)
  }

  /// A lookup's number may be in its country's notation. Source: contract 16.1.
  package static func names(_ number: PhoneNumber, in request: Request) -> Bool {
    guard let text = request.parameters.value("number"), let query = try? request.query else { return false }
    let country = query.text("CountryCode") ?? LookupQuery.defaultCountry
    return DialledText(text, from: country.uppercased()).number == number
  }

  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    _ = try ConnectionOverrides(of: webhook.draft.url)
    let request =
      switch webhook.draft.kind {
      case StatusCallback.kind: try StatusCallback.request(for: webhook, in: sandbox)
      case _ where CallRequest.kinds.contains(webhook.draft.kind):
        try CallRequest.request(for: webhook, in: sandbox)
      default: try SignedBody.request(for: webhook, in: sandbox)
      }
    return request?.sent(as: sandbox.entropy.identifier("idempotency token", webhook.ordinal))
  }

  package static var retries: RetrySchedule { ConnectionOverrides.defaults.schedule }
  package static func retries(of webhook: Webhook, in sandbox: Sandbox) throws -> RetrySchedule {
    let kind = webhook.draft.kind
    if EventSink.kinds.contains(kind) { return EventSink.retries }
    guard InboundMessage.Kind(rawValue: kind) != nil || kind == CallRequest.documentKind else {
      return try ConnectionOverrides(of: webhook.draft.url).schedule
    }
    return try InboundMessage.retries(of: webhook)
  }
  package static var webhookKinds: [String] {
    [StatusCallback.kind] + InboundMessage.Kind.allCases.map(\.rawValue) + CallRequest.kinds
      + FactorEvent.allCases.map(\.rawValue) + EventSink.kinds
  }
  package static let signatureFields = [WebhookSignature.fieldName]

  package static func number(of webhook: Webhook, in sandbox: Sandbox) throws -> String? {
    switch webhook.draft.kind {
    case StatusCallback.kind: try StatusCallback.number(of: webhook, in: sandbox)
    case _ where InboundMessage.Kind(rawValue: webhook.draft.kind) != nil:
      try StoredMessage.inbound(webhook.draft.subject, in: sandbox)?.from.map { MessageAddress($0).name }
    default: try subject(of: webhook, in: sandbox)
    }
  }

  package static func request(
    sending body: JSON, of kind: String, to url: String, in sandbox: Sandbox
  ) throws -> (url: String, request: WebhookRequest) {
    let (url, request) = try SignedBody(body, of: kind, in: sandbox)
      .request(to: url, of: SignedBody.account(in: body, sandbox), in: sandbox)
    return (url, request.sent(as: sandbox.requestIdentifier("idempotency token")))
  }

  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {
    switch event {
    case .ended(let verification): try EventSink.ended(verification, in: sandbox)
    case .released(let message):
      try EventSink.released(message, in: sandbox)
      try StatusCallback.reportDelivery(of: message, in: sandbox)
    // People's replies to Verify messages have no effect.
    case .reply(let reply, let answered):
      if let message = try StoredMessage.keep(reply, to: answered, in: sandbox) {
        try InboundMessage.report(message, in: sandbox)
      }
    case .webhookEnded(let webhook, let answer):
      try InboundAnswer.apply(answer, to: webhook, in: sandbox)
      try CallCourse.handle(event, in: sandbox)
    default: try CallCourse.handle(event, in: sandbox)
    }
  }

  package static func receivesTexts(at receiver: String, in sandbox: Sandbox) throws -> Bool {
    try Settings.current(in: sandbox).senders.contains(receiver)
      || OwnNumber.find(receiver, in: sandbox) != nil
  }

  package static var mobileSDK: MobileSDK? {
    MobileSDK(
      reading: [.identity, .service], signsTimes: true, register: VirtualHandset.register,
      answer: VirtualHandset.answer)
  }

  package static var appSetup: AppSetup? {
    AppSetup(reading: [.identity, .service], values: VirtualHandset.appValues)
  }

  /// Source: `push-gateway.md` 3.1
  package static func ownsPushPayload(_ data: Texts) -> Bool { data["type"] == "verify_push_challenge" }

  package static func id(of verification: Verification, in sandbox: Sandbox) -> String? {
    VerificationSid.of(verification, in: sandbox)
  }

  /// SDKs on phones sign in with a token of their own.
  package static func isFromPhone(_ exchange: Journal.Exchange) -> Bool {
    let credentials = Base64.encode(Array("\(MobilePassword.userName):".utf8))
    return exchange.requestHead.firstRange(of: Array(" \(credentials)".utf8)) != nil
  }
}
