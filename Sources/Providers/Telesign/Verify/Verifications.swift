import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/verification`. Source: contract 4.

func createVerification(_ context: RequestContext) throws -> Response {
  guard context.request.body.count <= verificationBodyLimit else {
    throw APIError(3116, in: .omnichannel)
      .because("the body is larger than \(verificationBodyLimit) bytes")
  }
  let form = try VerificationForm(context)
  try context.checkCanSend(to: form.recipient.number)
  let verification = try context.sandbox.fallbacks.start(form.start(context))
  let view = try VerificationView(verification, form.details, in: context.sandbox)
  return context.respond { view.writeCreated(to: &$0) }
}

func fetchVerification(_ context: RequestContext) throws -> Response {
  let (verification, details) = try context.verification()
  let view = try VerificationView(verification, details, in: context.sandbox)
  return context.respond { view.writeFull(to: &$0) }
}

func finalizeVerification(_ context: RequestContext) throws -> Response {
  let form = try FinalizationForm(context)
  let result = try CodeCheckResult(
    of: form.securityFactor, for: context.verification().verification, in: context.sandbox)
  return try context.respond(result.status()) { json in
    json.object("status") { result.write(to: &$0) }
  }
}

/// In bytes. Source: contract 15.
private let verificationBodyLimit = 10 * 1024

extension RequestContext {
  /// The caller's verification that the path names. Source: contract 4.5.
  fileprivate func verification() throws -> (verification: Verification, details: VerificationDetails) {
    let reference = request[parameter: "reference_id"]
    let invalid = APIError(3110, in: .omnichannel)
    guard isReferenceID(reference) else {
      throw invalid.because("reference_id: expected 32 digits of 0 to 9 and A to F")
    }
    guard let found = try findVerification(reference, in: sandbox),
      found.verification.claim.owner == customer,
      found.verification.isRetained(by: settings, sandbox.clock.now)
    else {
      throw APIError(
        invalid.code, Status(settings.unknownReferenceStatus) ?? 400, invalid.description, in: .omnichannel
      ).because("the account has no verification \(reference)")
    }
    return found
  }
}

/// The Verify API's verification with a reference id, of any customer.
func findVerification(
  _ reference: String, in sandbox: Sandbox
) throws -> (verification: Verification, details: VerificationDetails)? {
  guard let (kind, ordinal) = resolveReference(reference, in: sandbox), kind == .verification,
    let verification = try sandbox.verifications.find(ordinal),
    verification.claim.provider == TelesignProvider.name,
    let details = try VerificationDetails(of: verification)
  else { return nil }
  return (verification, details)
}

extension Verification {
  /// True while it can be queried. Source: contract 16.
  fileprivate func isRetained(by settings: Settings, _ now: Timestamp) -> Bool {
    now < createdAt + .seconds(settings.retentionHours * 3600)
  }
}

extension Settings {
  /// The limits of a verification. Source: contract 4.6 and 4.8.
  var verificationRules: VerificationRules {
    var rules = VerificationRules()
    rules.codeLength = verifyCodeLength
    rules.lifetime = .seconds(300)
    rules.codeValidity = .seconds(verifyCodeSeconds)
    rules.checkLimit = verifyAttempts
    rules.locksOnLastFailure = true
    return rules
  }
}

/// What the vendor stores with a verification of the Verify API.
struct VerificationDetails {
  let recipient: Recipient
  let policy: VerificationPolicy
  var deviceRegistration: String?
  var pushRegistration: Bool?
  var externalID: String?
  var templateName: String?
  /// Source: contract 4.2.
  var voiceLanguage = "en-US"
  var callbackURL: String?

  /// True if an app is being registered; either flag means it. Source: contract 4.2.
  var registersDevice: Bool { deviceRegistration != nil || pushRegistration == true }

  init(_ recipient: Recipient, _ policy: VerificationPolicy) {
    self.recipient = recipient
    self.policy = policy
  }

  /// Nil for a verification of another product.
  init?(of verification: Verification) throws {
    let fields = try Fields(Array(verification.details.utf8))
    guard let policy = try fields.optionalObjects("verification_policy") else { return nil }
    self.init(try Recipient(stored: fields.object("recipient")), try VerificationPolicy(stored: policy))
    deviceRegistration = try fields.optionalString("device_registration")
    pushRegistration = try fields.optionalBool("push_registration")
    externalID = try fields.optionalString("external_id")
    templateName = try fields.optionalString("template")
    voiceLanguage = try fields.string("voice_lang")
    callbackURL = try fields.optionalString("callback_url")
  }

  /// The stored form, a JSON object.
  var encoded: String {
    let bytes = JSONWriter.object { json in
      json.object("recipient") { recipient.write(to: &$0) }
      policy.write(to: &json)
      writeRegistrationFlags(to: &json)
      json.member("external_id", externalID)
      json.member("template", templateName)
      json.member("voice_lang", voiceLanguage)
      json.member("callback_url", callbackURL)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the flags that the request contained.
  func writeRegistrationFlags(to json: inout JSONWriter) {
    if let deviceRegistration { json.member("device_registration", deviceRegistration) }
    if let pushRegistration { json.member("push_registration", pushRegistration) }
  }
}
