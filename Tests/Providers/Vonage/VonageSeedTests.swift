import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Vonage

@Suite("Vonage · seeds, unknown operations and faults", .contract("vonage-verify.md 1, 2 and 12"))
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

  @Test(
    "an invalid seed is refused with its field",
    arguments: [
      (#""settings":{"codeLength":11}"#, "codeLength"), (#""settings":{"nonsense":1}"#, "nonsense"),
      (#""settings":{"legacyPrice":"cheap"}"#, "legacyPrice"),
      (#""applications":[{"id":"x"}]"#, "id"),
      (#""applications":[{"id":"\#(VonageWorld.application)","publicKey":"x"}]"#, "publicKey"),
      (#""applications":[{"id":"\#(VonageWorld.application)","statusUrl":"x"}]"#, "statusUrl"),
      (#""account":{"apiKey":"a b"}"#, "apiKey"), (#""templates":[{"name":"a b"}]"#, "name"),
    ])
  func broken(member: String, name: String) throws {
    let error = #expect(throws: FieldError.self) { try vonage.seed("{\"vonage\":{\(member)}}") }

    #expect(error?.path.hasSuffix(".\(name)") == true)
  }

  @Test("unknown paths and wrong methods are problems")
  func absent() throws {
    let unknown = try vonage.get("/vonage/v2/nothing")
    unknown.matches(golden: "unknown-path")
    let wrong = try vonage.send(.put, "/v2/verify")
    wrong.matches(golden: "wrong-method")

    #expect(try unknown.problem() == "404 not-found")
    #expect(try wrong.problem() == "405 method-not-allowed")
    #expect(wrong.headers["Allow"] == "POST")
    #expect(unknown.headers["X-Sandbox-Provider"] == "vonage")
  }

  @Test(
    "an injected fault is the provider's error of its code, or the general error of its status",
    arguments: [
      (#""code":"low-balance""#, "402 low-balance"), (#""status":500"#, "500 internal-error"),
      (#""status":429"#, "429 throttled"), (#""status":401"#, "401 unauthorized"),
      (#""code":"conflict","status":418"#, "418 conflict"),
    ])
  func fault(rule: String, problem: String) throws {
    try vonage.seed(#"{"faults":[{"provider":"vonage",\#(rule)}]}"#)

    #expect(try vonage.startRaw().problem() == problem)
  }

  @Test(
    "a fault of Verify legacy has its status", arguments: [(#""code":"9""#, "9"), (#""status":429"#, "1")])
  func legacyFault(rule: String, status: String) throws {
    try vonage.seed(#"{"faults":[{"provider":"vonage",\#(rule)}]}"#)

    let exchange = try vonage.world.send(
      .to("/vonage/verify/json?number=12025550150&brand=A", .post, headers: VonageWorld.basic))

    #expect(try exchange.legacyStatus() == status)
  }
}
