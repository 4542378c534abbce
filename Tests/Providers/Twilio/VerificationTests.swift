import Domain
import HTTP
import JSON
import Support
import Testing

/// A form of a creation with the error that it gets.
struct InvalidForm: Sendable, CustomTestStringConvertible {
  let form: [(String, String)]
  let code: Int
  let message: String

  /// The name of its golden; one form of each kind of error has one.
  let golden: String?

  init(_ form: [(String, String)], _ message: String, golden: String? = nil) {
    self.init(form, 60200, message, golden: golden)
  }

  init(_ form: [(String, String)], _ code: Int, _ message: String, golden: String? = nil) {
    (self.form, self.code, self.message, self.golden) = (form, code, message, golden)
  }

  var testDescription: String { form.map { "\($0.0)=\($0.1)" }.joined(separator: "&") }
}

@Suite("Twilio · Verifications", .contract("twilio-verify.md 4.1"))
struct VerificationTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test(
    "channels are accepted in any letter case and shown in lower case",
    arguments: ["sms", "SMS", "call", "Call", "whatsapp", "WhatsApp", "rcs"])
  func channels(word: String) throws {
    let verification = try twilio.started(over: word)

    #expect(verification.channel == word.lowercased())
    #expect(verification.attempts.map(\.channel) == [word.lowercased()])
    #expect(try twilio.inbox().map(\.channel.rawValue) == [word.lowercased()])
  }

  @Test("auto sends a text if the operator has no silent verification")
  func auto() throws {
    let exchange = try twilio.create(to: "+12025550150", over: "auto")

    exchange.matches(golden: "auto")
    #expect(try exchange.decode(VerificationAnswer.self).channel == "sms")
  }

  @Test("an email address's domain is compared without case", .contract("twilio-verify.md 4.4"))
  func email() throws {
    let exchange = try twilio.create(to: "Ana@Example.Test", over: "email")
    exchange.matches(golden: "email")
    let first = try exchange.decode(VerificationAnswer.self)

    let second = try twilio.started(to: "Ana@example.test", over: "email")
    let third = try twilio.started(to: "ana@example.test", over: "email")

    #expect(second.sid == first.sid)
    #expect(third.sid != first.sid)
    let check = try twilio.check(try twilio.code(for: "Ana@example.test"), for: "Ana@EXAMPLE.test")
    #expect(try check.decode(CheckAnswer.self).status == "approved")
  }

  static let number = TwilioWorld.number

  static let invalidForms: [InvalidForm] = [
    InvalidForm([("Channel", "sms")], "Invalid parameter `To`: "),
    InvalidForm([("To", ""), ("Channel", "sms")], "Invalid parameter `To`: "),
    InvalidForm([("To", "12"), ("Channel", "sms")], "Invalid parameter `To`: 12", golden: "bad-to"),
    InvalidForm([("To", "+1555"), ("Channel", "sms")], "Invalid parameter `To`: +1555"),
    InvalidForm([("To", "+0123456789"), ("Channel", "sms")], "Invalid parameter `To`: +0123456789"),
    InvalidForm(
      [("To", "+1234567890123456"), ("Channel", "sms")], "Invalid parameter `To`: +1234567890123456"),
    InvalidForm([("To", " 12025550100"), ("Channel", "sms")], "Invalid parameter `To`:  12025550100"),
    InvalidForm(
      [("To", "ana@example.test"), ("Channel", "sms")], "Invalid parameter `To`: ana@example.test"),
    InvalidForm([("To", number), ("Channel", "email")], "Invalid parameter `To`: \(number)"),
    InvalidForm([("To", "@example.test"), ("Channel", "email")], "Invalid parameter `To`: @example.test"),
    InvalidForm([("To", "a@b@c"), ("Channel", "email")], "Invalid parameter `To`: a@b@c"),
    InvalidForm([("To", number)], "Invalid parameter: Channel", golden: "no-channel"),
    InvalidForm([("To", number), ("Channel", "")], "Invalid parameter: Channel"),
    InvalidForm([("To", number), ("Channel", "fax")], "Invalid parameter: Channel"),
    InvalidForm(
      [("To", "ana@example.test"), ("Channel", "sna")], "Invalid parameter `To`: ana@example.test"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("CustomCode", "123")], "Invalid parameter: CustomCode"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("CustomCode", "12345678901")], "Invalid parameter: CustomCode"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("Locale", "english please")], "Invalid parameter: Locale"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("RiskCheck", "maybe")], "Invalid parameter: RiskCheck"),
    InvalidForm([("To", number), ("Channel", "sms"), ("AppHash", "short")], "Invalid parameter: AppHash"),
    InvalidForm(
      [("To", number), ("Channel", "call"), ("AppHash", "He42w354ol9")], 60602,
      "App hash can only be used with SMS channel", golden: "app-hash-on-call"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("TemplateSid", "HJ1")], "Invalid parameter: TemplateSid"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("TemplateSid", "HJ00000000000000000000000000000001")], 60228,
      "Template was not found", golden: "template-not-found"),
    InvalidForm(
      [("To", number), ("Channel", "whatsapp"), ("TemplateSid", "HJ00000000000000000000000000000001")], 60408,
      "TemplateSid is only supported for the SMS channel", golden: "template-on-whatsapp"),
    InvalidForm([("To", number), ("Channel", "sms"), ("RateLimits", "{")], "Invalid parameter: RateLimits"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("RateLimits", #"{"ip":"1"}"#)], "Invalid parameter: RateLimits"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("ChannelConfiguration", "[]")],
      "Invalid parameter: ChannelConfiguration"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("TemplateCustomSubstitutions", "x")],
      "Invalid parameter: TemplateCustomSubstitutions"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("EnableSnaClientToken", "x")],
      "Invalid parameter: EnableSnaClientToken"),
    InvalidForm([("To", number), ("Channel", "sms"), ("Tags", "x")], "Invalid parameter: Tags"),
    InvalidForm([("To", number), ("Channel", "sms"), ("Tags", #"{"a":1}"#)], "Invalid parameter: Tags"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("Tags", tags(11))], "Invalid parameter: Tags"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("Tags", #"{"a":"\#(String(repeating: "x", count: 129))"}"#)],
      "Invalid parameter: Tags"),
    InvalidForm(
      [("To", number), ("Channel", "sms"), ("CustomCode", "8312")], 60204,
      "Service does not support this feature", golden: "custom-code-disabled"),
  ]

  @Test("an invalid value gets its error and starts nothing", arguments: invalidForms)
  func rejecting(_ invalid: InvalidForm) throws {
    let status = [60204: 403][invalid.code] ?? 400

    let exchange = try send(invalid.form)

    if let golden = invalid.golden { exchange.matches(golden: golden) }
    #expect(exchange.answer == errorAnswer(status, invalid.code, invalid.message))
    #expect(try twilio.inbox() == [])
    #expect(try twilio.fetch().answer.hasPrefix("404 "))
  }

  static let valid: [[(String, String)]] = [
    [("Locale", "en")], [("Locale", "pt-BR")], [("Locale", "zh-Hant-TW")], [("RiskCheck", "disable")],
    [("DeviceIp", "192.0.2.1")], [("EnableSnaClientToken", "True")], [("Tags", #"{"team":"blue"}"#)],
    [("Tags", tags(10))], [("RateLimits", "{}")], [("ChannelConfiguration", #"{"from": "a@b.c"}"#)],
    [("SendDigits", "ww1234")], [("CustomMessage", "Hello")], [("CustomCode", "")], [("AppHash", "")],
    [("TemplateSid", "")], [("Amount", "5")], [("Templates", "[]")],
  ]

  @Test("valid and empty values are accepted and read", arguments: valid)
  func taking(form: [(String, String)]) throws {
    let exchange = try send([("To", TwilioWorld.number), ("Channel", "sms")] + form)

    #expect(try exchange.decode(VerificationAnswer.self).status == "pending")
    #expect(exchange.unread == [])
  }

  @Test(
    "a custom code is sent and approves, if the Service allows it",
    arguments: ["8312", "ab-CD 12", "0000000000"])
  func customCode(code: String) throws {
    try twilio.set(["CustomCodeEnabled": "true"])

    let exchange = try send([("To", TwilioWorld.number), ("Channel", "sms"), ("CustomCode", code)])

    if code == "8312" { exchange.matches(golden: "custom-code") }
    #expect(try twilio.code() == code)
    #expect(try twilio.check(code).decode(CheckAnswer.self).status == "approved")
  }

  @Test("custom codes are compared exactly")
  func customCodeCase() throws {
    try twilio.set(["CustomCodeEnabled": "true"])
    _ = try send([("To", TwilioWorld.number), ("Channel", "sms"), ("CustomCode", "abcd")])

    #expect(try twilio.check("ABCD").decode(CheckAnswer.self).status == "pending")
  }

  @Test("CodeLength sets the digits of a code", arguments: 4...10)
  func codeLength(length: Int) throws {
    try twilio.set(["CodeLength": String(length)])

    _ = try twilio.started()

    let code = try twilio.code()
    #expect(code.count == length)
    #expect(code.allSatisfy { $0.isASCII && $0.isNumber })
  }

  @Test("a subscriber's fixed code is used")
  func pinnedCode() throws {
    try twilio.seed(#"{"subscribers":[{"number":"+12025550100","code":"0042"}]}"#)

    _ = try twilio.started()

    #expect(try twilio.code() == "0042")
    #expect(try twilio.check("0042").decode(CheckAnswer.self).status == "approved")
  }

  @Test(
    "with lookup on, the response shows the carrier",
    arguments: [
      ("+12025550100", "mobile"), ("+12025550112", "landline"), ("+12025550155", "voip"),
      ("+18005550100", "tollFree"), ("+442079460018", "landline"), ("+15005550006", "personal"),
    ])
  func lookup(number: String, type: String) throws {
    try twilio.set(["LookupEnabled": "true"])

    let exchange = try twilio.create(to: number)

    if type == "mobile" { exchange.matches(golden: "lookup") }
    let carrier = try exchange.decode(VerificationAnswer.self).lookup["carrier"]
    #expect(carrier?["type"] == .string(type))
    #expect(carrier?["error_code"] == .null)
  }

  @Test("a text to a landline is 60205 only if lookup and skipping are on")
  func landline() throws {
    let landline = "+12025550112"
    #expect(try twilio.started(to: landline).status == "pending")
    _ = try twilio.update(landline, to: "canceled")
    try twilio.set(["SkipSmsToLandlines": "true"])
    #expect(try twilio.started(to: landline).status == "pending")
    _ = try twilio.update(landline, to: "canceled")
    try twilio.set(["LookupEnabled": "true"])

    let exchange = try twilio.create(to: landline)

    exchange.matches(golden: "landline")
    #expect(exchange.answer == errorAnswer(403, 60205, "SMS is not supported by landline phone number"))
    #expect(try twilio.started(to: landline, over: "call").status == "pending")
  }

  private static func tags(_ count: Int) -> String {
    "{" + (0..<count).map { "\"tag\($0)\":\"x\"" }.joined(separator: ",") + "}"
  }

  private func send(_ form: [(String, String)]) throws -> Exchange {
    let body = form.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(
      separator: "&")
    var headers = TwilioWorld.credentials
    headers.add("Content-Type", "application/x-www-form-urlencoded")
    return try twilio.send(.to(TwilioWorld.verifications, .post, headers: headers, body: Array(body.utf8)))
  }
}
