import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · App Verify", .contract("telesign.md 8"))
struct TelesignAppVerifyTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test("a call is not answered")
  func initiation() throws {
    _ = try telesign.app("initiate", ["phone_number": TelesignWorld.number])

    #expect(try telesign.transcript() == ["network (ringing)", "network (nobody answers)"])
    #expect(try telesign.code().count == 5)
  }
}
