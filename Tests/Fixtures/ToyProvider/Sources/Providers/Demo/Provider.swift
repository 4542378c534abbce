package import Domain
package import HTTP
package import JSON
package import ProviderKit

/// Demo Verify, a vendor that does not exist: the example of Docs/Adding-a-provider.md.
package enum DemoProvider: Provider {
  package static let name = "demo"
  package static let prefixes: [String] = []
  package static let hosts = ["api.demo-verify.example"]
  package static let variables = [
    Variable("DEMO_API_KEY", .credential("apiKey")), Variable("DEMO_BASE_URL", .baseURL),
  ]
  package static let sdks = [SDK("demo-python", .python, baseURL: "DEMO_BASE_URL=$URL")]

  package static var routes: [Route<Sandbox>] {
    [
      .post("/codes", as: "sendCode", sendCode),
      .post("/codes/{number}/check", as: "checkCode", checkCode),
      .notEmulated(.delete, "/codes/{number}", as: "cancelCode"),
    ]
  }

  package static var errorCodes: [String] { [] }

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    switch failure {
    case .unknownPath, .wrongMethod, .notEmulated: DemoError(404, "not_found").response
    case .malformed: DemoError(400, "invalid_request").response
    case .fault(let status, let code): DemoError(status ?? 500, code ?? "internal").response
    case .rejected(let status, _): DemoError(status, "invalid_request").response
    case .internalError: DemoError(500, "internal").response
    case .overload: DemoError(503, "overloaded").response
    }
  }

  package static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) {
    headers.add("X-Demo-Version", "1")
  }

  package static func credential(in request: Request) -> String? {
    if case .token(let key) = BearerToken(request.headers) { key } else { nil }
  }

  // The vendor sends no webhooks and no pushes, and does nothing when a verification expires or a person
  // replies.
  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? { nil }
  package static var retries: RetrySchedule { .never }
  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {}
  package static func ownsPushPayload(_ data: Texts) -> Bool { false }
}
