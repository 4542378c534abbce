import Domain
import JSON
import ProviderKit

/// What is kept with a verification of the Verify API: what answers repeat and later messages need.
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

  /// Whether an app is being registered: both flags mean it. Source: contract 4.2.
  var registersDevice: Bool { deviceRegistration != nil || pushRegistration == true }

  /// The least there is.
  init(_ recipient: Recipient, _ policy: VerificationPolicy) {
    self.recipient = recipient
    self.policy = policy
  }

  /// Those of a verification; nil for one of another product.
  init?(of verification: Verification) throws {
    let fields = try Fields(Array(verification.details.utf8))
    guard let policy = try fields.optionalObjects("verification_policy") else { return nil }
    self.init(try Recipient(kept: fields.object("recipient")), try VerificationPolicy(kept: policy))
    deviceRegistration = try fields.optionalString("device_registration")
    pushRegistration = try fields.optionalBool("push_registration")
    externalID = try fields.optionalString("external_id")
    templateName = try fields.optionalString("template")
    voiceLanguage = try fields.string("voice_lang")
    callbackURL = try fields.optionalString("callback_url")
  }

  /// As the verification keeps them.
  var encoded: String {
    let bytes = JSONWriter.object { json in
      json.object("recipient") { recipient.write(to: &$0) }
      policy.write(to: &json)
      writeFlags(to: &json)
      json.member("external_id", externalID)
      json.member("template", templateName)
      json.member("voice_lang", voiceLanguage)
      json.member("callback_url", callbackURL)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the flags under the names by which they came.
  func writeFlags(to json: inout JSONWriter) {
    if let deviceRegistration { json.member("device_registration", deviceRegistration) }
    if let pushRegistration { json.member("push_registration", pushRegistration) }
  }
}
