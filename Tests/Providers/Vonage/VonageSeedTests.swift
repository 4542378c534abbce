import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Vonage

@Suite("Vonage · seeds and unknown operations", .contract("vonage-verify.md 1, 2 and 12"))
struct VonageSeedTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  @Test("the default sandbox has the documented credentials, another sandbox its own")
  func credentials() throws {
    let other = try #require(try vonage.world.sandboxes.create("other", .init()))

    let standard = try VonageProvider.credentialsByName(of: vonage.sandbox)
    let fresh = try VonageProvider.credentialsByName(of: other)

    #expect(standard["apiKey"] == VonageWorld.key)
    #expect(standard["apiSecret"] == VonageWorld.secret)
    #expect(standard["signatureSecret"] == VonageWorld.signatureSecret)
    #expect(standard["applicationId"] == VonageWorld.application)
    #expect(standard["privateKey"]?.hasPrefix("-----BEGIN") == true)
    #expect(Set(fresh.keys).isSuperset(of: ["apiKey", "apiSecret", "signatureSecret", "applicationId"]))
    #expect(fresh["apiKey"] != VonageWorld.key && fresh["applicationId"] != VonageWorld.application)
    #expect(fresh["apiKey"]?.utf8.count == 8)
  }

  @Test("an export masks the secrets and can be loaded again")
  func export() throws {
    try vonage.configure(#""codeLength":6"#)
    try vonage.receiveEvents()
    try vonage.seed(
      #"{"vonage":{"templates":[{"name":"t","isDefault":true,"fragments":[{"channel":"sms","locale":"en-us","text":"${code}"}]}]}}"#
    )

    let export = String(
      decoding: try VonageProvider.seed.export(from: vonage.sandbox).encoded(), as: UTF8.self)
    try vonage.configure(#""codeLength":4"#)
    try vonage.seed(#"{"vonage":\#(export)}"#)

    #expect(!export.contains(VonageWorld.secret) && !export.contains(VonageWorld.signatureSecret))
    #expect(export.contains(VonageWorld.receiver))
    #expect(try Settings.current(in: vonage.sandbox).codeLength == 6)
    #expect(try Template.all(in: vonage.sandbox).map(\.name) == ["t"])
    _ = try vonage.start()
    #expect(try vonage.inbox().map(\.text) == [try vonage.code()])
  }

  @Test("unknown paths and wrong methods are problems")
  func absent() throws {
    try vonage.get("/vonage/v2/nothing").matches(golden: "unknown-path")
    try vonage.send(.put, "/v2/verify").matches(golden: "wrong-method")
  }
}
