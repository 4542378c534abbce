import HTTP
import JSON
import Support
import Testing

/// A parameter with a value that is taken, the member it shows in, and what the member holds then.
struct Taken: Sendable, CustomTestStringConvertible {
  let parameter: String
  let text: String
  let member: String
  let value: JSON

  init(_ parameter: String, _ text: String, _ member: String, _ value: JSON) {
    (self.parameter, self.text, self.member, self.value) = (parameter, text, member, value)
  }

  var testDescription: String { "\(parameter)=\(text)" }
}

/// A parameter with its member and what that shows when nothing is set.
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

/// A parameter with a value that is refused.
struct Untaken: Sendable, CustomTestStringConvertible {
  let parameter: String
  let text: String

  init(_ parameter: String, _ text: String) { (self.parameter, self.text) = (parameter, text) }

  var testDescription: String { "\(parameter)=\(text)" }
}

private let credential = "CR0123456789abcdefABCDEF0123456789"
private let template = "HJ0123456789abcdefABCDEF0123456789"
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
      let isOn = parameter == "DtmfInputRequired"
      return Default(parameter, member, .bool(isOn), not: String(!isOn))
    } + [
      Default("CodeLength", "code_length", .integer(6), not: "4"),
      Default("TtsName", "tts_name", .null, not: "Acme"),
      Default("Push.ApnCredentialSid", "push.apn_credential_sid", .null, not: credential),
      Default("Push.FcmCredentialSid", "push.fcm_credential_sid", .null, not: credential),
      Default("Totp.Issuer", "totp.issuer", .null, not: "Acme"),
      Default("Totp.TimeStep", "totp.time_step", .null, not: "30"),
      Default("Totp.CodeLength", "totp.code_length", .null, not: "6"),
      Default("Totp.Skew", "totp.skew", .null, not: "1"),
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
    "a parameter that was never set shows its default, and so does one that an empty value cleared",
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

  @Test("true and false are read in any letter case", arguments: flags)
  func letterCase(parameter: String, member: String) throws {
    let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"
    for (text, value) in [("TRUE", true), ("False", false), ("true", true), ("fAlSe", false), ("True", true)]
    {
      let service = try twilio.post(path, [parameter: text]).decode(ServiceAnswer.self)

      #expect(service[member] == .bool(value), "\(text)")
    }
  }

  static let taken = [
    Taken("FriendlyName", "A", "friendly_name", .string("A")),
    Taken(
      "FriendlyName", "123456789012345678901234567890".replacing(#/\d/#, with: "x"), "friendly_name",
      .string(String(repeating: "x", count: 30))),
    Taken("FriendlyName", "Ab 1-2_34", "friendly_name", .string("Ab 1-2_34")),
    Taken("CodeLength", "4", "code_length", .integer(4)),
    Taken("CodeLength", "10", "code_length", .integer(10)),
    Taken("Totp.TimeStep", "20", "totp.time_step", .integer(20)),
    Taken("Totp.TimeStep", "60", "totp.time_step", .integer(60)),
    Taken("Totp.CodeLength", "3", "totp.code_length", .integer(3)),
    Taken("Totp.CodeLength", "8", "totp.code_length", .integer(8)),
    Taken("Totp.Skew", "0", "totp.skew", .integer(0)),
    Taken("Totp.Skew", "2", "totp.skew", .integer(2)),
    Taken("Push.ApnCredentialSid", credential, "push.apn_credential_sid", .string(credential)),
    Taken("DefaultTemplateSid", template, "default_template_sid", .string(template)),
    Taken("Whatsapp.MsgServiceSid", messagingService, "whatsapp.msg_service_sid", .string(messagingService)),
    Taken(
      "Passkeys.RelyingParty.Origins", "https://a.test,https://b.test", "passkeys.relying_party.origins",
      .array([.string("https://a.test"), .string("https://b.test")])),
    Taken("Passkeys.AuthenticatorAttachment", "any", "passkeys.authenticator_attachment", .string("any")),
    Taken("Passkeys.UserVerification", "preferred", "passkeys.user_verification", .string("preferred")),
  ]

  @Test("a value within its limits is taken", arguments: taken)
  func taking(_ taken: Taken) throws {
    let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"

    let service = try twilio.post(path, [taken.parameter: taken.text]).decode(ServiceAnswer.self)

    #expect(service[taken.member] == taken.value)
  }

  static let untaken: [Untaken] =
    flags.flatMap { [Untaken($0.0, "yes"), Untaken($0.0, "1")] } + [
      Untaken("FriendlyName", ""), Untaken("FriendlyName", String(repeating: "x", count: 31)),
      Untaken("FriendlyName", "Acme 12345"), Untaken("FriendlyName", "1a2b3c4d5"),
      Untaken("FriendlyName", "Acme!"), Untaken("FriendlyName", "Acme\nBank"),
      Untaken("CodeLength", "3"), Untaken("CodeLength", "11"), Untaken("CodeLength", "six"),
      Untaken("CodeLength", "6.0"), Untaken("CodeLength", " 6"), Untaken("CodeLength", "-6"),
      Untaken("CodeLength", "99999999999999999999"),
      Untaken("Totp.TimeStep", "19"), Untaken("Totp.TimeStep", "61"),
      Untaken("Totp.CodeLength", "2"), Untaken("Totp.CodeLength", "9"),
      Untaken("Totp.Skew", "-1"), Untaken("Totp.Skew", "3"),
      Untaken("Push.ApnCredentialSid", "CR1"), Untaken("Push.FcmCredentialSid", template),
      Untaken("DefaultTemplateSid", credential), Untaken("Whatsapp.MsgServiceSid", "MG"),
      Untaken("Passkeys.AuthenticatorAttachment", "both"),
      Untaken("Passkeys.DiscoverableCredentials", "never"), Untaken("Passkeys.UserVerification", "maybe"),
    ]

  @Test("a value outside its limits is 60200, on create and on update", arguments: untaken)
  func refusing(_ untaken: Untaken) throws {
    let expected = refused(400, 60200, "Invalid parameter: \(untaken.parameter)")

    let update = try twilio.post(
      "\(TwilioWorld.services)/\(TwilioWorld.service)", [untaken.parameter: untaken.text])
    let create = try twilio.post(
      TwilioWorld.services,
      untaken.parameter == "FriendlyName"
        ? ["FriendlyName": untaken.text] : ["FriendlyName": "Acme", untaken.parameter: untaken.text])

    #expect(update.answer == expected)
    #expect(create.answer == expected)
  }
}
