import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Twilio

@Suite("Twilio · templates", .contract("twilio-verify.md 4.1, 8.5, 13.2"))
struct TemplateTests {
  let twilio: TwilioWorld
  static let own = "HJ" + String(repeating: "c", count: 32)

  init() throws { twilio = try TwilioWorld() }

  private static func builtIn(_ digits: String) -> String {
    "HJ" + String(repeating: "0", count: 30) + digits
  }

  private func send(
    _ template: String?, over channel: String = "sms", _ more: [(String, String)] = []
  ) throws -> Exchange {
    let form = [("To", TwilioWorld.number), ("Channel", channel)] + more
    return try twilio.post(
      TwilioWorld.verifications, pairs: form + (template.map { [("TemplateSid", $0)] } ?? []))
  }

  private func seedOwn(_ translations: String, channels: String = #"["sms","voice"]"#) throws {
    try twilio.seed(
      """
      {"twilio":{"templates":[{"sid":"\(Self.own)","friendlyName":"Own","channels":\(channels),
        "translations":[\(translations)]}]}}
      """)
  }

  private func text() throws -> String? {
    let message = try twilio.inbox().last
    return message.map { $0.text.replacing($0.code ?? "?", with: "CODE") }
  }

  @Test("templates are listed with their translations, and filtered by name")
  func list() throws {
    try seedOwn(#"{"locale":"is","text":"{{code}}","status":"pending"}"#)

    try twilio.get("/v2/Templates?FriendlyName=Own").matches(golden: "own")
    try twilio.get("/v2/Templates?PageSize=0").matches(golden: "bad-page-size")

    let first = try twilio.get("/v2/Templates?PageSize=4").members
    let meta = try first.object("meta")
    let rest = try twilio.get(try meta.string("next_page_url").replacing("http://127.0.0.1:5550", with: ""))
      .members
    #expect(try first.objects("templates").count == 4)
    #expect(try rest.objects("templates").map { try $0.string("sid") } == [Self.builtIn("a5"), Self.own])
    #expect(try rest.object("meta").optionalString("next_page_url") == nil)
    #expect(try first.objects("templates")[0].object("translations").object("de").string("locale") == "de")
  }

  @Test("a template words the message")
  func templateSid() throws {
    try send(Self.builtIn("a3")).matches(golden: "template")
    #expect(try text() == "CODE is your Sandbox Service code. It expires in 10 minutes.")

    _ = try send(Self.builtIn("a3"), [("Locale", "de"), ("CustomFriendlyName", "Blau")])
    #expect(try text() == "CODE ist Ihr Code für Blau. Er läuft in 10 Minuten ab.")

    _ = try send(Self.builtIn("a4"), [("TemplateCustomSubstitutions", #"{"order":"{{code}}7"}"#)])
    #expect(try text() == "Use CODE to confirm your Sandbox Service order {{code}}7.")
  }

  @Test("a Service's default template words its messages, and substitutions fill it")
  func defaultTemplate() throws {
    try twilio.set(["DefaultTemplateSid": Self.builtIn("a4"), "DoNotShareWarningEnabled": "true"])

    _ = try send(nil, [("TemplateCustomSubstitutions", #"{"order":"7"}"#)])
    #expect(
      try text() == "Use CODE to confirm your Sandbox Service order 7. Don't share this code with anyone.")
    #expect(try send(nil).answer.contains("60224"))

    _ = try send(nil, over: "whatsapp")
    #expect(try text()?.hasPrefix("Your Sandbox Service verification code is: CODE") == true)

    try twilio.set(["DefaultTemplateSid": Self.builtIn("a5")])
    #expect(try send(nil, over: "call").hasStatus(201))
  }

  @Test("a Service cannot have an unknown default template; one from a seed fails when a message needs it")
  func unknownDefaultTemplate() throws {
    let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"
    let error = errorAnswer(400, 60228, "Template was not found")

    let changed = try twilio.post(path, ["DefaultTemplateSid": Self.own])
    let created = try twilio.post(
      TwilioWorld.services, ["FriendlyName": "New", "DefaultTemplateSid": Self.own])
    #expect([changed.answer, created.answer] == [error, error])
    #expect(changed.why?.hasPrefix("no template \(Self.own)") == true)

    try twilio.seed(
      """
      {"twilio":{"services":[{"sid":"\(TwilioWorld.service)","settings":{"DefaultTemplateSid":"\(Self.own)"}}]}}
      """)
    #expect(try twilio.post(path, ["FriendlyName": "Other"]).hasStatus(200))
    #expect(try send(nil).answer == error)
  }

  @Test(
    "a template that cannot be used has an error of its own",
    arguments: [
      (60201, "sms", [("Locale", "de")]), (60201, "sms", [("Locale", "fr")]), (60224, "sms", []),
      (60227, "call", []), (60229, "sms", [("Locale", "sv")]), (60408, "email", []),
    ])
  func refusals(code: Int, channel: String, more: [(String, String)]) throws {
    try seedOwn(
      #"""
      {"locale":"en","text":"{{code}} for {{thing}}"},{"locale":"de","text":"{{code}}","status":"pending"},
      {"locale":"fr","text":"{{code}}","status":"rejected"}
      """#, channels: #"["sms"]"#)
    let form = [("To", channel == "email" ? "ana@example.test" : TwilioWorld.number), ("Channel", channel)]

    let exchange = try twilio.post(
      TwilioWorld.verifications, pairs: form + [("TemplateSid", Self.own)] + more)

    if more.isEmpty { exchange.matches(golden: "template-\(code)") }
    #expect(try exchange.decode(ErrorAnswer.self).code == code)
    #expect(exchange.why?.isEmpty == false)
    #expect(try twilio.inbox().isEmpty)
  }

  @Test("a translation that is not approved is not chosen by the country, and none at all is 60229")
  func unapproved() throws {
    try seedOwn(
      #"{"locale":"en","text":"{{code}} now","status":"pending"},{"locale":"es","text":"{{code}} ya","default":true}"#
    )
    _ = try send(Self.own)
    #expect(try text() == "CODE ya")

    try seedOwn("")
    #expect(try send(Self.own).answer.contains("60229"))
  }

  @Test("of Templates the first that can be used counts, else they are 60252, and malformed ones 60251")
  func templates() throws {
    func templates(_ text: String) throws -> Exchange { try send(Self.own, [("Templates", text)]) }
    let unknown = #"{"sid":"\#(Self.own)"}"#
    let order = #"{"sid":"\#(Self.builtIn("a4"))","substitutions":{"order":"7"}}"#
    let missing = #"{"sid":"\#(Self.builtIn("a4"))"}"#

    #expect(try templates("[\(unknown),\(missing),\(order)]").hasStatus(201))
    #expect(try text() == "Use CODE to confirm your Sandbox Service order 7.")
    let refused = try templates("[\(missing),\(unknown)]")
    #expect(refused.answer == errorAnswer(400, 60252, "Templates are invalid"))
    #expect(refused.why?.hasPrefix("60224: ") == true)
    for bad in ["{}", "1", "[1]", #"[{"sid":"HJ1"}]"#, #"[{"sid":"\#(Self.own)","substitutions":[]}]"#] {
      #expect(try templates(bad).answer == errorAnswer(400, 60251, "Invalid Templates parameter"))
    }
  }

  @Test("a message of more than 500 characters is 60247")
  func tooLong() throws {
    let long = String(repeating: "x", count: 470)

    #expect(try send(nil, [("CustomFriendlyName", long)]).answer.contains("60247"))
    #expect(try send(nil, [("CustomFriendlyName", String(long.dropLast(10)))]).hasStatus(201))
  }

  @Test("own templates are in the exported seed, which loads again")
  func export() throws {
    try seedOwn(#"{"locale":"is","text":"{{code}}","status":"rejected","default":true}"#)
    let exported = try TwilioProvider.seed.export(from: twilio.sandbox)

    let other = try TwilioWorld()
    try other.seed(
      #"{"twilio":{"templates":\#(String(decoding: exported["templates"]?.encoded() ?? [], as: UTF8.self))}}"#
    )

    #expect(try Template.own(in: other.sandbox) == Template.own(in: twilio.sandbox))
  }
}
