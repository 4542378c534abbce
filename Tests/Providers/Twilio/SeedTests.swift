import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Twilio · seeds and credentials", .contract("Docs/Decisions.md 0007, twilio-verify.md 1.2"))
struct SeedTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("a new sandbox has its own credentials, in a form that every SDK accepts")
  func credentials() throws {
    let names = [
      "accountSid", "authToken", "apiKeySid", "apiKeySecret", "serviceSid", "oauthClientId",
      "oauthClientSecret",
    ]
    let one = try credentials(of: try sandbox("one"))
    let two = try credentials(of: try sandbox("two"))

    #expect(one.map(\.name) == names)
    #expect(zip(one, two).filter { $0.value == $1.value }.map(\.0.name) == ["serviceSid"])
    for credential in one {
      #expect(
        credential.value.wholeMatch(of: #/[a-zA-Z0-9]+/#) != nil,
        "the Go client takes letters and digits only")
    }
    #expect(one[0].value.wholeMatch(of: #/AC[0-9a-f]{32}/#) != nil)
    #expect(one[1].value.wholeMatch(of: #/[0-9a-f]{32}/#) != nil)
    #expect(one[2].value.wholeMatch(of: #/SK[0-9a-f]{32}/#) != nil)
    #expect(one[4].value.wholeMatch(of: #/VA[0-9a-f]{32}/#) != nil)
    #expect(one[5].value.wholeMatch(of: #/OQ[0-9a-f]{32}/#) != nil)
  }

  @Test("an export masks secrets, and loading it restores the Services")
  func roundTrip() throws {
    try twilio.set(["FriendlyName": "Kept", "CodeLength": "7", "Totp.Issuer": "Acme"])
    _ = try twilio.post(
      TwilioWorld.services,
      ["FriendlyName": "Second", "Passkeys.RelyingParty.Origins": "https://a.test,https://b.test"])
    let before = try twilio.get(TwilioWorld.services).decode(ServicePage.self)
    let export = try export()
    #expect(!export.contains(TwilioWorld.token))
    #expect(!export.contains("SandboxKeySecret") && !export.contains("SandboxOAuthSecret"))

    let fresh = try TwilioWorld()
    try fresh.seed(export)

    #expect(try fresh.get(TwilioWorld.services).decode(ServicePage.self).names == before.names)
    let service = try fresh.get("\(TwilioWorld.services)/\(TwilioWorld.service)").decode(ServiceAnswer.self)
    #expect(service["code_length"] == .integer(7))
    #expect(service.text("totp.issuer") == "Acme")
  }

  @Test("an export of a sandbox with several accounts can be loaded")
  func severalAccounts() throws {
    try seed(
      #"{"account":{"accountSid":"AC00000000000000000000000000000002","authToken":"fedcba9876543210fedcba9876543210"}}"#
    )

    let export = try export()

    #expect(throws: Never.self) { try TwilioWorld().seed(export) }
  }

  @Test(
    "an account or an API key of another sandbox is rejected together with one that is new",
    arguments: [
      ("AC00000000000000000000000000000001", "SK" + String(repeating: "6", count: 32), "accountSid"),
      ("AC" + String(repeating: "7", count: 32), "SK00000000000000000000000000000001", "apiKeySid"),
    ])
  func halfOfAnotherSandbox(account: String, key: String, member: String) throws {
    let other = try sandbox("other")
    let before = try credentials(of: other).map(\.value)

    let error = #expect(throws: FieldError.self) {
      try twilio.world.sandboxes.seeds.load(accountSeed(account, key), into: other)
    }

    #expect(error?.path == "$.twilio.account.\(member)")
    #expect(error?.description.contains("of another sandbox") == true)
    #expect(try credentials(of: other).map(\.value) == before)
    for name in [account, key] { #expect(try other.accounts.find(name, of: "twilio") == nil) }
  }

  @Test("an account and an API key of another sandbox are rejected; the seeds of a new sandbox may name them")
  func wholeOfAnotherSandbox() throws {
    let other = try sandbox("other")
    let before = try credentials(of: other).map(\.value)

    #expect(throws: FieldError.self) {
      try twilio.world.sandboxes.seeds.load(
        accountSeed("AC00000000000000000000000000000001", "SK00000000000000000000000000000001"), into: other)
    }

    #expect(try credentials(of: other).map(\.value) == before)
  }

  @Test("an API key needs an account that the sandbox has")
  func keyWithoutAccount() throws {
    let error = #expect(throws: FieldError.self) {
      try twilio.world.sandboxes.seeds.load(
        accountSeed(
          "AC" + String(repeating: "8", count: 32), "SK" + String(repeating: "9", count: 32), "********"),
        into: twilio.sandbox)
    }

    #expect(error?.path == "$.twilio.account.authToken")
  }

  private func accountSeed(_ account: String, _ key: String, _ token: String = "secret") throws -> Fields {
    let members =
      #""accountSid":"\#(account)","authToken":"\#(token)","apiKeySid":"\#(key)","apiKeySecret":"s""#
    return try Fields(Array(#"{"twilio":{"account":{\#(members)}}}"#.utf8))
  }

  private func seed(_ json: String) throws { try twilio.seed(#"{"twilio":\#(json)}"#) }

  private func export() throws -> String {
    let json = try twilio.world.sandboxes.seeds.export(from: twilio.sandbox)
    return String(decoding: json.encoded(), as: UTF8.self)
  }

  private func sandbox(_ name: String) throws -> Sandbox {
    try #require(try twilio.world.sandboxes.create(name, Sandbox.Configuration()))
  }

  private func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    let section = try #require(twilio.world.sandboxes.seeds.sections.first { $0.name == "twilio" })
    return try section.credentials(of: sandbox)
  }
}
