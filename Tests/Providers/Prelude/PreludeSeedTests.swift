import Domain
import JSON
import ProviderKit
import Support
import Testing

@testable import Prelude

@Suite("Prelude · seeds", .contract("prelude.md 1.2, 16"))
struct PreludeSeedTests {
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  @Test("the default sandbox has the keys that documents name, another one its own")
  func credentials() throws {
    let other = try #require(try prelude.world.sandboxes.create("other", .init()))

    let standard = try PreludeProvider.credentials(of: prelude.sandbox)
    let fresh = try PreludeProvider.credentials(of: other)

    #expect(standard.map(\.name) == ["apiToken", "sdkKey"])
    #expect(standard.map(\.value) == [PreludeWorld.token, PreludeWorld.sdkKey])
    #expect(fresh.map(\.name) == ["apiToken", "sdkKey"])
    #expect(fresh[0].value.hasPrefix("sk_") && fresh[1].value.hasPrefix("sdk_"))
    #expect(fresh[0].value != PreludeWorld.token)
  }

  @Test("an export shows no key, and can be loaded again")
  func export() throws {
    try prelude.turn(#""codeSize":4,"codes":"same_for_window","channels":["whatsapp","sms"]"#)

    let export = String(
      decoding: try PreludeProvider.exportSeed(from: prelude.sandbox).encoded(), as: UTF8.self)
    try prelude.turn(#""codeSize":8,"codes":"per_attempt","channels":["sms"]"#)
    try prelude.seed(#"{"prelude":\#(export)}"#)

    #expect(!export.contains(PreludeWorld.token) && !export.contains(PreludeWorld.sdkKey))
    let settings = try Prelude.Settings.current(in: prelude.sandbox)
    #expect(
      settings.codeSize == 4 && settings.codes == "same_for_window"
        && settings.channels == ["whatsapp", "sms"])
  }

  @Test(
    "a setting outside its values is refused by name and changes nothing",
    arguments: [
      (#""codeSize":9"#, "codeSize"), (#""codeSize":3"#, "codeSize"), (#""codes":"some""#, "codes"),
      (#""fixedCode":"1234""#, "fixedCode"), (#""fixedCode":"1234567a""#, "fixedCode"),
      (#""channels":[]"#, "channels"), (#""channels":["sms","sms"]"#, "channels"),
      (#""channels":["pigeon"]"#, "channels"), (#""customCodes":"yes""#, "customCodes"),
      (#""silentRedirect":304"#, "silentRedirect"), (#""windowSeconds":0"#, "windowSeconds"),
      (#""nonsense":1"#, "nonsense"),
    ])
  func brokenSetting(member: String, name: String) throws {
    let error = #expect(throws: FieldError.self) { try prelude.turn(#""maxChecks":7,\#(member)"#) }

    #expect(error?.path.hasSuffix(".\(name)") == true)
    #expect(try Settings.current(in: prelude.sandbox) == Settings())
  }

  @Test(
    "a key that cannot be one is refused",
    arguments: [#""apiToken":"""#, #""apiToken":"a b""#, #""sdkKey":"key""#, #""apiToken":1"#])
  func brokenKey(member: String) {
    #expect(throws: FieldError.self) { try prelude.seed(#"{"prelude":{"account":{\#(member)}}}"#) }
  }
}
