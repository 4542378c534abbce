import Domain
import HTTP
import Support
import Testing

@testable import Twilio

@Suite("Twilio · languages", .contract("twilio-verify.md 20"))
struct LocaleTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

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
}
