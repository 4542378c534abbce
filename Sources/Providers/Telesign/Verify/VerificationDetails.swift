import ProviderKit

/// What the provider stores with a verification of the Verify API.
struct VerificationDetails: VerificationRecord {
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
    guard let record: Self = try verification.details.optionalRecord() else { return nil }
    self = record
  }

  /// The Verify API's verification with a reference id, of any customer.
  static func find(
    _ reference: String, in sandbox: Sandbox
  ) throws -> (verification: Verification, details: VerificationDetails)? {
    guard let (kind, ordinal) = ReferenceID.resolve(reference, in: sandbox), kind == .verification,
      let verification = try sandbox.verifications.find(ordinal),
      verification.claim.provider == TelesignProvider.name,
      let details = try Self(of: verification)
    else { return nil }
    return (verification, details)
  }

  init?(stored text: String) throws {
    let fields = try Fields(Array(text.utf8))
    guard let policy = try fields.optionalObjects("verification_policy") else { return nil }
    self.init(try Recipient(stored: fields.object("recipient")), try VerificationPolicy(stored: policy))
    deviceRegistration = try fields.optionalString("device_registration")
    pushRegistration = try fields.optionalBool("push_registration")
    externalID = try fields.optionalString("external_id")
    templateName = try fields.optionalString("template")
    voiceLanguage = try fields.string("voice_lang")
    callbackURL = try fields.optionalString("callback_url")
  }

  var encoded: String {
    return JSONWriter.text { json in
      json.object("recipient") { recipient.write(to: &$0) }
      policy.write(to: &json)
      writeRegistrationFlags(to: &json)
      json.member("external_id", externalID)
      json.member("template", templateName)
      json.member("voice_lang", voiceLanguage)
      json.member("callback_url", callbackURL)
    }
  }

  /// Writes the flags that the request contained.
  func writeRegistrationFlags(to json: inout JSONWriter) {
    if let deviceRegistration { json.member("device_registration", deviceRegistration) }
    if let pushRegistration { json.member("push_registration", pushRegistration) }
  }
}
