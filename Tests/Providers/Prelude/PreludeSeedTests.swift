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

  @Test("the default sandbox has the documented keys, another sandbox its own")
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

  @Test("an export masks the keys and can be loaded again")
  func export() throws {
    try prelude.configure(#""codeSize":4,"codes":"same_for_window","channels":["whatsapp","sms"]"#)

    let export = String(
      decoding: try PreludeProvider.seed.export(from: prelude.sandbox).encoded(), as: UTF8.self)
    try prelude.configure(#""codeSize":8,"codes":"per_attempt","channels":["sms"]"#)
    try prelude.seed(#"{"prelude":\#(export)}"#)

    #expect(!export.contains(PreludeWorld.token) && !export.contains(PreludeWorld.sdkKey))
    let settings = try Settings.current(in: prelude.sandbox)
    #expect(
      settings.codeSize == 4 && settings.codes == .sameForWindow
        && settings.channels == [.whatsapp, .sms])
  }

  @Test("all configurations of subscriptions together have at most 2,000 members, and an export has them")
  func members() throws {
    func subscription(_ id: String, _ numbers: Range<Int>) -> String {
      let members = numbers.map { #"{"number":"+1202\#($0)","state":"SUB","source":"API"}"# }
      return
        #"{"id":"\#(id)","name":"n","callbackUrl":"http://127.0.0.1:9","members":[\#(members.joined(separator: ","))]}"#
    }
    func load(_ subscriptions: String...) throws {
      try prelude.seed(#"{"prelude":{"subscriptions":[\#(subscriptions.joined(separator: ","))]}}"#)
    }
    try load(subscription("a", 2_000_000..<2_001_000), subscription("b", 2_000_000..<2_001_000))

    let error = #expect(throws: FieldError.self) { try load(subscription("c", 2_000_000..<2_000_001)) }

    #expect(error?.description.contains("at most 2000 in a sandbox") == true)
    let exported = try prelude.world.sandboxes.seeds.export(from: prelude.sandbox).encoded()
    #expect(
      String(decoding: exported, as: UTF8.self).ranges(of: #""state":"SUB""#).count == 2_000)
  }
}
