import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import FCM

@Suite("FCM · seeds", .contract("push-gateway.md 1.4"))
struct FCMSeedTests {
  let fcm: FCMWorld

  init() throws { fcm = try FCMWorld() }

  @Test("a sandbox draws another account where its first was seeded elsewhere, as exports do")
  func drawnAgain() throws {
    let first = try #require(try make("first"))
    let account = try #require(try ServiceAccount.all(in: first).first)
    try fcm.world.sandboxes.remove(first)
    let heir = try #require(try make("heir"))
    try FCMProvider.loadSeed(seed(account.projectID, account.clientEmail), into: heir)

    let again = try #require(try make("first"))

    let drawn = try FCM.ServiceAccount.all(in: again)
    #expect(drawn.count == 1)
    #expect(drawn.first?.projectID != account.projectID)
    #expect(try ServiceAccount.all(in: heir).contains(account))
  }

  @Test("of an account whose name another sandbox has, nothing is kept")
  func foreign() throws {
    let (first, second) = (try #require(try make("first")), try #require(try make("second")))
    let account = try #require(try ServiceAccount.all(in: first).first)

    try FCMProvider.loadSeed(seed("my-project", account.clientEmail), into: second)

    #expect(try !second.accounts.all(of: FCMProvider.name).contains { $0.account == "my-project" })
    #expect(try ServiceAccount.find(account.clientEmail, in: first) == account)
  }

  private func make(_ name: String) throws -> Sandbox? {
    try fcm.world.sandboxes.create(name, .init())
  }

  private func seed(_ project: String, _ email: String) throws -> Fields {
    try Fields(Array(#"{"serviceAccounts":[{"projectId":"\#(project)","clientEmail":"\#(email)"}]}"#.utf8))
  }
}
