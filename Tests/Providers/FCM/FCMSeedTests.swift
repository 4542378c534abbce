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

  @Test("a sandbox generates another account if a seed gave its first one to another sandbox")
  func generatedAgain() throws {
    let first = try #require(try make("first"))
    let account = try #require(try ServiceAccount.all(in: first).first)
    try fcm.world.sandboxes.remove(first)
    let heir = try #require(try make("heir"))
    try FCMProvider.loadAll(of: seed(account.projectID, account.clientEmail), into: heir)

    let again = try #require(try make("first"))

    let generated = try ServiceAccount.all(in: again)
    #expect(generated.count == 1)
    #expect(generated.first?.projectID != account.projectID)
    #expect(try ServiceAccount.all(in: heir).contains(account))
  }

  @Test("C7: a seeded account of another sandbox is refused")
  func foreign() throws {
    let (first, second) = (try #require(try make("first")), try #require(try make("second")))
    let account = try #require(try ServiceAccount.all(in: first).first)

    let error = #expect(throws: FieldError.self) {
      try FCMProvider.loadAll(of: seed("my-project", account.clientEmail), into: second)
    }

    #expect(error?.path == "$.serviceAccounts[0].clientEmail")
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
