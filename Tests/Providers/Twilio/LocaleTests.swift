import Domain
import HTTP
import Support
import Testing

@testable import Twilio

@Suite("Twilio · languages", .contract("twilio-verify.md 20"))
struct LocaleTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  private func send(_ number: String, over channel: String = "sms", locale: String? = nil) throws -> Exchange
  {
    try twilio.post(
      TwilioWorld.verifications,
      pairs: [("To", number), ("Channel", channel)] + (locale.map { [("Locale", $0)] } ?? []))
  }

  @Test(
    "the number's country chooses the language",
    arguments: [
      ("+12025550100", "en"), ("+18095550100", "es"), ("+4915112345678", "de"), ("+41791234567", "de"),
      ("+33612345678", "fr"), ("+351912345678", "pt"), ("+5511912345678", "pt-BR"), ("+85251234567", "zh-HK"),
      ("+8613123456789", "zh-CN"), ("+380501234567", "uk"), ("+447700900123", "en"), ("+99891234567", "en"),
      ("ana@example.test", "en"), ("+1", "en"),
    ])
  func country(destination: String, tag: String) {
    #expect(Language.ofCountry(of: destination).tag == tag)
  }

  @Test("every language has a message with name and code, and a warning")
  func texts() {
    #expect(Language.all.count == 43)
    #expect(Language.all.map(\.tag) == Language.all.map(\.tag).sorted())
    for language in Language.all {
      let text = language.message(from: "Acme", code: "123456")
      #expect(text.contains("Acme") && text.hasSuffix("123456"), "\(language.tag)")
      #expect(language.addWarning(to: text).count > text.count + 10, "\(language.tag)")
      #expect(Language.find(language.tag.uppercased()) === language)
    }
    #expect(Language.find("de-AT")?.tag == "de")
    #expect(Language.find("xx") == nil)
  }

  @Test("a German number gets a German message and call, and Locale overrides both")
  func german() throws {
    let number = "+4915112345678"
    try twilio.set(["DoNotShareWarningEnabled": "true"])
    try send(number).matches(golden: "german")
    #expect(
      try twilio.inbox(number).last?.text
        == "Ihr Sandbox Service-Bestätigungscode lautet: \(try twilio.code(for: number)). "
        + "Geben Sie diesen Code an niemanden weiter.")

    _ = try send(number, over: "call", locale: "fr-CA")
    let message = try #require(try twilio.inbox(number).last)
    let call = try #require(try twilio.sandbox.calls.find(message.ordinal))
    #expect(call.speech.language == "fr")
    #expect(call.speech.question == "Appuyez sur n'importe quelle touche pour entendre votre code.")
    #expect(message.text.hasPrefix("Votre code de vérification Sandbox Service est : "))
  }

  @Test("a language that calls do not speak is replaced by English, and the journal says 60331")
  func unspoken() throws {
    let exchange = try send(TwilioWorld.number, over: "call", locale: "uk")

    #expect(exchange.hasStatus(201))
    #expect(exchange.why == "60331: calls do not speak uk, so the text is in English")
    #expect(try twilio.inbox().last?.text.hasPrefix("Your Sandbox Service") == true)
    #expect(try send("+380501234567", over: "call").why == nil)
  }

  @Test("a Locale without a text is 404, or English with the setting")
  func unsupported() throws {
    let exchange = try send(TwilioWorld.number, locale: "xx-yy")
    exchange.matches(golden: "unsupported-locale")
    #expect(exchange.answer == notFound(TwilioWorld.verifications))
    #expect(exchange.why?.hasPrefix("Locale: expected one of af, ar, ") == true)

    try twilio.configure(#""unsupportedLocale":"english""#)
    let english = try send("+4915112345678", locale: "xx-yy")
    #expect(english.hasStatus(201))
    #expect(english.why == "Locale: no text in xx-yy, so it is in English")
  }

  @Test("an email is in English, whatever its Locale")
  func email() throws {
    _ = try send("ana@example.test", over: "email", locale: "de")

    #expect(try twilio.inbox("ana@example.test").last?.text.hasPrefix("Your Sandbox") == true)
  }
}
