package import ProviderKit

/// Sinch Verification v1: text message, flash call, phone call, seamless verification and WhatsApp, with the
/// callbacks that decide. Contract: `sinch-verification.md`; the provider's documentation:
/// https://developers.sinch.com/docs/verification
package enum SinchProvider: Provider, SendsWebhooks {
  package static let name = "sinch"
  package static let defaultSeed = PackageResources.Seed_json
  /// The present host and the older one. Source: contract 1.
  package static let address = ProviderAddress(
    hosts: ["verification.api.sinch.com", "verificationapi-v1.sinch.com"])
  package static let secretFields = ["applicationSecret"]
  package static let variables = [
    Variable("SINCH_APPLICATION_KEY", .credential("applicationKey")),
    Variable("SINCH_APPLICATION_SECRET", .credential("applicationSecret")),
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)

  package static func credential(in request: Request) -> String? {
    AuthorizationHeader(request.headers)?.key
  }

  package static func documentation(ofError answer: JSON) -> String? {
    "https://developers.sinch.com/docs/verification/api-reference/verification-rest/errors"
  }

  package static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules? {
    var rules = try Settings.current(in: sandbox).verificationRules
    rules.codeLength = verification.code.count
    return rules
  }

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(PackageResources.Errors_txt, names: ErrorCode.self)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    APIError(failure).stamped(at: sandbox.clock.now, requestID: RequestContext.newID(in: sandbox)).response
  }

  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {
    switch event {
    case .ended(let verification): try VerificationEvents.ended(verification, in: sandbox)
    case .lost(let message): try VerificationEvents.lost(message, in: sandbox)
    case .released(let message): try VerificationEvents.released(message, in: sandbox)
    case .webhookEnded(let webhook, let answer): try CallbackAnswer.apply(answer, of: webhook, in: sandbox)
    case .reply, .abandoned, .lineChanged, .answered, .marked, .stepBegun, .stepFailed, .workDue: break
    }
  }

  package static func id(of verification: Verification, in sandbox: Sandbox) -> String? {
    VerificationID.text(of: verification.ordinal, in: sandbox)
  }
}
