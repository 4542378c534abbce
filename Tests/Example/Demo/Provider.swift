package import ProviderKit

/// Demo Verify, a provider that does not exist: the example of Docs/Adding-a-provider.md.
///
/// A request passes `Routes.swift` and `RequestContext.swift`; then comes the file of its resource.
package enum DemoProvider: Provider, SendsWebhooks {
  package static let name = "demo"
  package static let address = ProviderAddress(hosts: ["api.demo-verify.example"])
  package static let variables = [
    Variable("DEMO_API_KEY", .credential("apiKey")), Variable("DEMO_BASE_URL", .baseURL),
  ]
  package static let sdks = [SDK("demo-python", .python, baseURL: "DEMO_BASE_URL=$URL")]

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(PackageResources.Errors_txt, names: APIError.Code.self)
  package static let checkFiles = PackageResources.files(in: "Checks")

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    switch failure {
    case .unknownPath, .notEmulated: APIError(404, .notFound).response
    case .wrongMethod: APIError(405, .invalidRequest).response
    case .malformed: APIError(400, .invalidRequest).response
    case .fault(let status, let code):
      APIError(status ?? 500, code.flatMap { .init(rawValue: $0) } ?? .internalError).response
    case .rejected(let status, _): APIError(status, .invalidRequest).response
    case .internalError: APIError(500, .internalError).response
    case .overload: APIError(503, .internalError).response
    }
  }

  package static func credential(in request: Request) -> String? {
    if case .token(let key) = BearerToken(request.headers) { key } else { nil }
  }

  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    try Callback.request(for: webhook, in: sandbox)
  }

  package static let webhookKinds = [Callback.kind]
  package static let signatureFields = [Callback.signatureField]

  package static func request(
    sending body: JSON, of kind: String, to url: String, in sandbox: Sandbox
  ) throws -> (url: String, request: WebhookRequest) {
    (url, try Callback.sign(body.encoded(), in: sandbox))
  }

  /// After one minute and after two more, then no more.
  package static var retries: RetrySchedule {
    RetrySchedule(pauses: [.seconds(60), .seconds(120)], span: .seconds(3600))
  }

  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {
    if case .reply(let text, _) = event { try answerReply(text, in: sandbox) }
  }

  package static func receivesTexts(at receiver: String, in sandbox: Sandbox) throws -> Bool {
    try Settings.current(in: sandbox).brand == receiver
  }
}
