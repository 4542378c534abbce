package import ProviderKit

/// Prelude v2: verification, Lookup, Watch, Notify, KYC match, device signals and silent verification.
/// Contract: `prelude.md`; the provider's documentation: https://docs.prelude.so
package enum PreludeProvider: Provider, SendsWebhooks {
  package static let name = "prelude"
  package static let defaultSeed = PackageResources.Seed_json
  /// The server API, and the edge that front ends call. Source: contract 1.1.
  package static let address = ProviderAddress(hosts: ["api.prelude.dev", "edge.prelude.dev"])
  package static let secretFields = ["apiToken", "sdkKey"]
  /// Source: contract 1.3.
  package static let variables = [
    Variable("API_TOKEN", .credential("apiToken")), Variable("PRELUDE_BASE_URL", .baseURL),
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)

  /// After one minute, doubled each time up to twelve hours, for two weeks. Source: contract 12.1.
  package static let retries = RetrySchedule.doubling(
    from: .seconds(60), upTo: .seconds(12 * 3600), for: .seconds(14 * 86_400))

  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {
    switch event {
    case .reply(let text, let answered): try InboundMessage.receive(text, replyingTo: answered, in: sandbox)
    case .released(let message):
      try VerifyEvent.reportLate(message, in: sandbox)
      try NotifyEvent.reportLate(message, in: sandbox)
    case .abandoned(let number):
      for entry in try SubscriptionConfig.list(in: sandbox) {
        try entry.record.unsubscribeDisconnected(number, in: sandbox)
      }
    case .lost(let message): try CodeSender.retry(after: message, in: sandbox)
    default: break
    }
  }

  /// Pages of any origin may send signals. Source: contract 13.
  package static func crossOriginHeaders(for request: Request) -> Headers {
    request.target.path == "/v1/signals" ? ["Access-Control-Allow-Origin": "*"] : [:]
  }

  package static func receivesTexts(at receiver: String, in sandbox: Sandbox) throws -> Bool {
    let configs = try SubscriptionConfig.list(in: sandbox).map(\.record)
    return try configs.contains { $0.receives(textsTo: receiver, isReply: false) }
      || SenderID.isApproved(receiver, in: sandbox)
  }

  /// Front ends send signals with the key of apps. Source: contract 1.2.
  package static var appSetup: AppSetup? {
    AppSetup { sandbox, _, _ in
      try credentialsByName(of: sandbox)["sdkKey"].map { [.init("sdkKey", $0)] } ?? []
    }
  }

  package static func documentation(ofError answer: JSON) -> String? {
    "https://docs.prelude.so/introduction/errors"
  }

  package static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules? {
    VerificationRules(try Settings.current(in: sandbox), codeLength: verification.code.count)
  }

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(PackageResources.Errors_txt, names: ErrorCode.self)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let error: APIError
    switch failure {
    case .unknownPath: error = APIError(.notFound, "no route has the path \(request.target.path)")
    case .notEmulated: error = APIError(.notFound, "this operation is not emulated")
    case .wrongMethod(let allowed): error = .wrongMethod(allowed: allowed)
    case .malformed(let field, let expected):
      error = .invalid(memberName(of: field), expected: expected)
    case .fault(let status, let code):
      let settings = Settings.readable(in: sandbox)
      error = .injected(status: status, code: code, settings)
    case .rejected(let status, _):
      error = status == 413 ? .bodyTooLarge : .injected(status: status, code: nil, Settings())
    case .internalError: error = APIError(.internal)
    case .overload: error = .overload
    }
    return error.stamped(at: sandbox.clock.now, requestID: RequestContext.newID(in: sandbox)).response
  }

  package static func id(of verification: Verification, in sandbox: Sandbox) -> String? {
    Identifier.text(of: verification, in: sandbox)
  }
}
