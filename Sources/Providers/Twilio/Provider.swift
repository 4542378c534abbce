package import Domain
package import HTTP
package import JSON
package import ProviderKit

/// Twilio Verify v2. Contract: `twilio-verify.md`; the vendor's pages: https://www.twilio.com/docs/verify/api
package enum TwilioProvider: Provider {
  /// URL prefix, seed member and tag.
  package static let name = "twilio"
  /// What a bare start loads.
  package static let defaultSeed = PackageResources.Seed_json
  /// The mount point of tools that keep one per product. Source: contract 1.4.
  package static let prefixes = ["verify"]
  /// The product's host, and those of its neighbours, which are refused here rather than asked. Source: contract 1.4.
  package static let hosts = ["verify.twilio.com", "lookups.twilio.com", "api.twilio.com"]
  /// What the vendor's documentation calls them.
  package static let variables = [
    Variable("TWILIO_ACCOUNT_SID", .credential("accountSid")),
    Variable("TWILIO_AUTH_TOKEN", .credential("authToken")),
    Variable("TWILIO_VERIFY_SERVICE_SID", .credential("serviceSid")),
    Variable("TWILIO_CA_BUNDLE", .authorities),
  ]

  /// The operations of `twilio_verify_v2.json`, in its order.
  package static var routes: [Route<Sandbox>] {
    [
      .get("/v2/Services", as: "listServices", listServices),
      .post("/v2/Services", as: "createService", createService),
      .get("/v2/Services/{service}", as: "fetchService", fetchService),
      .post("/v2/Services/{service}", as: "updateService", updateService),
      .delete("/v2/Services/{service}", as: "deleteService", deleteService),
      .post("/v2/Services/{service}/Verifications", as: "createVerification", createVerification),
      .get("/v2/Services/{service}/Verifications/{verification}", as: "fetchVerification", fetchVerification),
      .post(
        "/v2/Services/{service}/Verifications/{verification}", as: "updateVerification", updateVerification),
      .post("/v2/Services/{service}/VerificationCheck", as: "checkVerification", checkVerification),
    ] + silentRoutes + absentRoutes
  }

  /// Fields that the vendor puts on every answer. Source: contract 2.4.
  package static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) {
    headers.append(crossOriginHeaders)
    headers.add("Twilio-Request-Id", sandbox.labelledRequestIdentifier("RQ"))
  }

  /// The vendor's words for what no handler answers.
  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    switch failure {
    case .unknownPath, .notEmulated: notFound(request, in: sandbox).response
    case .wrongMethod: Problem.methodNotAllowed.response
    case .malformed(let field, _): Problem.invalid(field ?? "body").response
    case .fault(let status, let code):
      Problem.fault(status: status, code: code, path: request.target.path, channel: channel(of: request))
        .response
    case .failure: Problem.internalServerError.response
    case .overload: Problem.serviceUnavailable.response
    }
  }

  /// 20404 for a path as the sandbox's setting has it; a refusal must not fail, so a broken setting is as none.
  private static func notFound(_ request: Request, in sandbox: Sandbox) -> Problem {
    let settings = (try? Settings.current(in: sandbox)) ?? Settings()
    return .notFound(settings.shown(request.target.path))
  }

  /// The channel that a creation asks for, `sms` where it asks for none; leaves `request.form` unread.
  private static func channel(of request: Request) -> String {
    (try? Form(parsing: request.body))?.text("Channel") ?? "sms"
  }

  /// Nothing: its status callbacks are not emulated.
  package static func request(for webhook: Webhook, in sandbox: Sandbox) -> WebhookRequest? { nil }

  /// Nothing: what people text to a Verify Service goes nowhere.
  package static func handleEvent(_ notice: DomainEvent, in sandbox: Sandbox) {}

  /// Its SDK reads what has this type. Source: `push-gateway.md` 3.1
  package static func ownsPushPayload(_ data: Texts) -> Bool { data["type"] == "verify_push_challenge" }

  /// One attempt.
  package static var retries: RetrySchedule { .never }

  private static let crossOriginHeaders: Headers = [
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers":
      "Accept, Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since",
    "Access-Control-Allow-Methods": "GET, POST, PATCH, PUT, DELETE, OPTIONS",
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": "ETag, Twilio-Request-Id",
  ]
}
