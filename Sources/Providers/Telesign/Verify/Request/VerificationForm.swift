import Domain
import HTTP
import JSON
import ProviderKit

/// The body of a creation; members that the vendor does not name are passed over. Source: contract 4.2.
struct VerificationForm {
  let recipient: Recipient
  let policy: VerificationPolicy
  /// The caller's own code.
  let securityFactor: String?
  let details: VerificationDetails

  /// Reads and checks the body.
  init(_ call: Call) throws {
    let fields = try call.request.json
    recipient = try Recipient(fields.object("recipient"), call)
    policy = try VerificationPolicy(fields.optionalObjects("verification_policy"))
    securityFactor = try fields.optionalText("security_factor", expected: "3 to 10 digits in a string") {
      (3...10).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    var details = VerificationDetails(recipient, policy)
    details.deviceRegistration = try fields.optionalText("device_registration", expected: "stamp") {
      $0 == "stamp"
    }
    details.pushRegistration = try fields.optionalBool("push_registration")
    details.externalID = try Self.externalID(fields)
    details.templateName = try Self.templateName(fields)
    details.voiceLanguage = try fields.optionalString("voice_lang") ?? details.voiceLanguage
    details.callbackURL = try Self.callbackURL(fields, call)
    try recipient.check(policy, registers: details.registersDevice)
    self.details = details
  }

  /// What the core is asked for: methods that need a device have no turn while it is being registered.
  func start(_ call: Call) -> Fallbacks.Start {
    let steps = policy.entries.map { entry in
      Fallbacks.Start.PlannedStep(
        entry.method.channel, timeout: .seconds(entry.seconds),
        isSkipped: details.registersDevice && !entry.method.channel.carriesCode)
    }
    let claim = Claim(
      provider: TelesignProvider.name, owner: call.customer, destination: recipient.destination)
    var start = Fallbacks.Start(claim, steps: steps, rules: call.settings.verificationRules)
    start.customCode = securityFactor
    start.details = details.encoded
    return start
  }

  private static func externalID(_ fields: Fields) throws -> String? {
    guard let text = try fields.optionalString("external_id") else { return nil }
    guard text.utf8.count <= 100, text.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw Problem(3103, in: .omnichannel).because("external_id: expected up to 100 characters of ASCII")
    }
    return text
  }

  private static func templateName(_ fields: Fields) throws -> String? {
    try fields.optionalObject("message_template")?
      .optionalText(
        "name", expected: "small letters, digits and underscores", where: MessageTemplate.isName)
  }

  private static func callbackURL(_ fields: Fields, _ call: Call) throws -> String? {
    guard let url = try fields.optionalString("callback_url") else { return nil }
    guard call.settings.allowsCallback else {
      throw Problem(3203, in: .omnichannel).because("the setting verify.callback_allowed is off")
    }
    guard isCallbackURL(url) else { throw Problem(3106, in: .omnichannel) }
    return url
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
