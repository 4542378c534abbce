import HTTP
import JSON
import Support
import Testing

/// A valid value of a parameter, with the response member that shows it and the value there.
struct ValidValue: Sendable, CustomTestStringConvertible {
  let parameter: String
  let text: String
  let member: String
  let value: JSON

  init(_ parameter: String, _ text: String, _ member: String, _ value: JSON) {
    (self.parameter, self.text, self.member, self.value) = (parameter, text, member, value)
  }

  var testDescription: String { "\(parameter)=\(text)" }
}

/// A parameter with the response member that shows it, the default there, and another valid value.
struct Default: Sendable, CustomTestStringConvertible {
  let parameter: String
  let member: String
  let value: JSON
  let sample: String

  init(_ parameter: String, _ member: String, _ value: JSON, not sample: String) {
    (self.parameter, self.member, self.value, self.sample) = (parameter, member, value, sample)
  }

  var testDescription: String { parameter }
}

struct InvalidValue: Sendable, CustomTestStringConvertible {
  let parameter: String
  let text: String

  init(_ parameter: String, _ text: String) { (self.parameter, self.text) = (parameter, text) }

  var testDescription: String { "\(parameter)=\(text)" }
}

private let credential = "CR0123456789abcdefABCDEF0123456789"
/// A built-in one.
private let template = "HJ000000000000000000000000000000a3"
private let messagingService = "MG0123456789abcdefABCDEF0123456789"

@Suite("Twilio · Service parameters", .contract("twilio-verify.md 3"))
struct ServiceParametersTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  static let flags = [
    ("LookupEnabled", "lookup_enabled"), ("SkipSmsToLandlines", "skip_sms_to_landlines"),
    ("DtmfInputRequired", "dtmf_input_required"), ("Psd2Enabled", "psd2_enabled"),
    ("DoNotShareWarningEnabled", "do_not_share_warning_enabled"),
    ("CustomCodeEnabled", "custom_code_enabled"), ("Push.IncludeDate", "push.include_date"),
    ("VerifyEventSubscriptionEnabled", "verify_event_subscription_enabled"),
  ]

  static let defaults: [Default] =
    flags.map { parameter, member in
      let isOn = ["DtmfInputRequired", "Push.IncludeDate"].contains(parameter)
      return Default(parameter, member, .bool(isOn), not: String(!isOn))
    } + [
      Default("CodeLength", "code_length", .integer(6), not: "4"),
      Default("TtsName", "tts_name", .null, not: "Acme"),
      Default("Push.ApnCredentialSid", "push.apn_credential_sid", .null, not: credential),
      Default("Push.FcmCredentialSid", "push.fcm_credential_sid", .null, not: credential),
      Default("Totp.Issuer", "totp.issuer", .string("Acme"), not: "Acme Bank"),
      Default("Totp.TimeStep", "totp.time_step", .integer(30), not: "40"),
      Default("Totp.CodeLength", "totp.code_length", .integer(6), not: "8"),
      Default("Totp.Skew", "totp.skew", .integer(1), not: "2"),
      Default("DefaultTemplateSid", "default_template_sid", .null, not: template),
      Default("Whatsapp.MsgServiceSid", "whatsapp.msg_service_sid", .null, not: messagingService),
      Default("Whatsapp.From", "whatsapp.from", .null, not: "whatsapp:+12025550199"),
      Default("Passkeys.RelyingParty.Id", "passkeys.relying_party.id", .null, not: "acme.test"),
      Default("Passkeys.RelyingParty.Name", "passkeys.relying_party.name", .null, not: "Acme"),
      Default(
        "Passkeys.RelyingParty.Origins", "passkeys.relying_party.origins", .null, not: "https://acme.test"),
      Default(
        "Passkeys.AuthenticatorAttachment", "passkeys.authenticator_attachment", .null, not: "cross-platform"),
      Default(
        "Passkeys.DiscoverableCredentials", "passkeys.discoverable_credentials", .null, not: "required"),
      Default("Passkeys.UserVerification", "passkeys.user_verification", .null, not: "required"),
    ]

  @Test(
    "parameters that were never set or were cleared show their defaults",
    arguments: defaults)
  func clearing(_ parameter: Default) throws {
    let created = try twilio.post(TwilioWorld.services, ["FriendlyName": "Acme", parameter.parameter: ""])
      .decode(ServiceAnswer.self)
    let path = "\(TwilioWorld.services)/\(created.sid)"
    let set = try twilio.post(path, [parameter.parameter: parameter.sample]).decode(ServiceAnswer.self)
    let untouched = try twilio.post(path, ["FriendlyName": "Acme"]).decode(ServiceAnswer.self)
    let cleared = try twilio.post(path, [parameter.parameter: ""]).decode(ServiceAnswer.self)

    #expect(created[parameter.member] == parameter.value)
    #expect(set[parameter.member] != parameter.value)
    #expect(untouched[parameter.member] == set[parameter.member])
    #expect(cleared[parameter.member] == parameter.value)
  }

  @Test("true and false are accepted in any letter case", arguments: flags)
  func letterCase(parameter: String, member: String) throws {
    let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"
    for (text, value) in [("TRUE", true), ("False", false), ("true", true), ("fAlSe", false), ("True", true)]
    {
      let service = try twilio.post(path, [parameter: text]).decode(ServiceAnswer.self)

      #expect(service[member] == .bool(value), "\(text)")
    }
  }

  static let valid = [
    ValidValue("FriendlyName", "A", "friendly_name", .string("A")),
    ValidValue(
      "FriendlyName", "123456789012345678901234567890".replacing(#/\d/#, with: "x"), "friendly_name",
      .string(String(repeating: "x", count: 30))),
    ValidValue("FriendlyName", "Ab 1-2_34", "friendly_name", .string("Ab 1-2_34")),
    ValidValue("CodeLength", "4", "code_length", .integer(4)),
    ValidValue("CodeLength", "10", "code_length", .integer(10)),
    ValidValue("Totp.TimeStep", "20", "totp.time_step", .integer(20)),
    ValidValue("Totp.TimeStep", "60", "totp.time_step", .integer(60)),
    ValidValue("Totp.CodeLength", "3", "totp.code_length", .integer(3)),
    ValidValue("Totp.CodeLength", "8", "totp.code_length", .integer(8)),
    ValidValue("Totp.Skew", "0", "totp.skew", .integer(0)),
    ValidValue("Totp.Skew", "2", "totp.skew", .integer(2)),
    ValidValue("Push.ApnCredentialSid", credential, "push.apn_credential_sid", .string(credential)),
    ValidValue("DefaultTemplateSid", template, "default_template_sid", .string(template)),
    ValidValue(
      "Whatsapp.MsgServiceSid", messagingService, "whatsapp.msg_service_sid", .string(messagingService)),
    ValidValue(
      "Passkeys.RelyingParty.Origins", "https://a.test,https://b.test", "passkeys.relying_party.origins",
      .array([.string("https://a.test"), .string("https://b.test")])),
    ValidValue(
      "Passkeys.AuthenticatorAttachment", "any", "passkeys.authenticator_attachment", .string("any")),
    ValidValue("Passkeys.UserVerification", "preferred", "passkeys.user_verification", .string("preferred")),
  ]

  @Test("valid values are accepted", arguments: valid)
  func accepting(_ valid: ValidValue) throws {
    let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"

    let service = try twilio.post(path, [valid.parameter: valid.text]).decode(ServiceAnswer.self)

    #expect(service[valid.member] == valid.value)
  }

  static let invalid: [InvalidValue] =
    flags.flatMap { [InvalidValue($0.0, "yes"), InvalidValue($0.0, "1")] } + [
      InvalidValue("FriendlyName", ""), InvalidValue("FriendlyName", String(repeating: "x", count: 31)),
      InvalidValue("FriendlyName", "Acme 12345"), InvalidValue("FriendlyName", "1a2b3c4d5"),
      InvalidValue("FriendlyName", "Acme!"), InvalidValue("FriendlyName", "Acme\nBank"),
      InvalidValue("CodeLength", "3"), InvalidValue("CodeLength", "11"), InvalidValue("CodeLength", "six"),
      InvalidValue("CodeLength", "6.0"), InvalidValue("CodeLength", " 6"), InvalidValue("CodeLength", "-6"),
      InvalidValue("CodeLength", "99999999999999999999"),
      InvalidValue("Totp.TimeStep", "19"), InvalidValue("Totp.TimeStep", "61"),
      InvalidValue("Totp.CodeLength", "2"), InvalidValue("Totp.CodeLength", "9"),
      InvalidValue("Totp.Skew", "-1"), InvalidValue("Totp.Skew", "3"),
      InvalidValue("Push.ApnCredentialSid", "CR1"), InvalidValue("Push.FcmCredentialSid", template),
      InvalidValue("DefaultTemplateSid", credential), InvalidValue("Whatsapp.MsgServiceSid", "MG"),
      InvalidValue("Passkeys.AuthenticatorAttachment", "both"),
      InvalidValue("Passkeys.DiscoverableCredentials", "never"),
      InvalidValue("Passkeys.UserVerification", "maybe"),
    ]

  @Test("invalid values are 60200, on create and on update", arguments: invalid)
  func rejecting(_ invalid: InvalidValue) throws {
    let expected = errorAnswer(400, 60200, "Invalid parameter: \(invalid.parameter)")

    let update = try twilio.post(
      "\(TwilioWorld.services)/\(TwilioWorld.service)", [invalid.parameter: invalid.text])
    let create = try twilio.post(
      TwilioWorld.services,
      invalid.parameter == "FriendlyName"
        ? ["FriendlyName": invalid.text] : ["FriendlyName": "Acme", invalid.parameter: invalid.text])

    #expect(update.answer == expected)
    #expect(create.answer == expected)
  }
}
