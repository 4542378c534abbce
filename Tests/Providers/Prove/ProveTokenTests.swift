import Basics
import HTTP
import Numbers
import ProviderKit
import Support
import Testing

@testable import Prove

@Suite("Prove · access tokens", .contract("prove.md 2"))
struct ProveTokenTests {
  @Test("a client gets a token at the root of any origin, and under the prefix")
  func issued() throws {
    let prove = try ProveWorld()

    try prove.ask().matches(golden: "issued")
    #expect(try prove.ask(path: "/prove/token").answer.hasPrefix("200 "))
  }

  @Test("a wrong secret is rejected in open and strict sandboxes", arguments: [true, false])
  func wrongSecret(isOpen: Bool) throws {
    try ProveWorld(isOpen: isOpen).ask(secret: "sandbox secret").matches(golden: "wrong-secret")
  }

  @Test("an unknown client is accepted in an open sandbox only")
  func unknownClient() throws {
    #expect(try ProveWorld(isOpen: true).ask(id: "anybody").answer.hasPrefix("200 "))
    #expect(
      try ProveWorld().ask(id: "anybody").answer == #"401 {"code":8002,"message":"not authorized"}"#)
  }

  @Test("a token of the sandbox is read back, and a changed one is not")
  func readBack() throws {
    let prove = try ProveWorld()
    let text = try prove.token()

    let token = try #require(AccessToken.read(text, in: prove.sandbox))
    #expect(token.clientID == "sandbox-client")
    #expect(token.expiresAt - token.issuedAt == .seconds(3600))
    #expect(AccessToken.read(text.dropLast() + "A", in: prove.sandbox) == nil)
    #expect(
      AccessToken.read(
        "e30." + text.split(separator: ".").dropFirst().joined(separator: "."), in: prove.sandbox)
        == nil)
    #expect(!text.contains("="))
  }
}

@Suite("Prove · phone numbers", .contract("prove.md 3.3"))
struct ProveNumberTests {
  @Test(
    "numbers of North America have three forms",
    arguments: ["2001004014", "12001004014", "+12001004014"])
  func northAmerica(text: String) throws {
    let number = try #require(MobileNumber(text))

    #expect(number.number.description == "+12001004014")
    #expect(number.region == .northAmerica)
    #expect(number.text == text)
  }

  @Test(
    "other numbers are literal",
    arguments: [("+2001004025", "+2001004025"), ("447968900002", "+447968900002")])
  func others(text: String, e164: String) throws {
    let number = try #require(MobileNumber(text))

    #expect(number.number.description == e164)
    #expect(number.region == .europe)
  }

  @Test("other text is no number", arguments: ["", "+", "abc", "200-100-4014", "+1 2001004014", "1", "٣٣"])
  func invalid(text: String) {
    #expect(MobileNumber(text) == nil)
  }

  @Test("each test user of the provider has a number of its own")
  func distinct() {
    #expect(Set(TestUser.builtIn.map(\.number)).count == TestUser.builtIn.count)
    #expect(TestUser.builtIn.allSatisfy { PhoneNumber($0.number) != nil })
  }
}
