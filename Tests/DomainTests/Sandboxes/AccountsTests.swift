import Domain
import Testing

@Suite("Domain · accounts")
struct AccountsTests {
  let world: World
  let credential = Credential(provider: "acme", name: "AC1", secret: "s", account: "AC1")

  init() throws { world = try World() }

  @Test("a registered credential is found by its name")
  func finding() throws {
    let admitted = try world.sandbox.accounts.register(credential)

    #expect(admitted)
    #expect(try world.sandbox.accounts.find("AC1", of: "acme") == credential)
  }

  @Test("another provider's name finds no credential")
  func providers() throws {
    _ = try world.sandbox.accounts.register(credential)

    #expect(try world.sandbox.accounts.find("AC1", of: "other") == nil)
  }

  @Test("a credential registered again has the new secret")
  func renewal() throws {
    _ = try world.sandbox.accounts.register(credential)

    let renewed = Credential(provider: "acme", name: "AC1", secret: "t", account: "AC2")
    _ = try world.sandbox.accounts.register(renewed)

    #expect(try world.sandbox.accounts.all(of: "acme") == [renewed])
  }

  @Test("credentials are listed by name")
  func list() throws {
    for name in ["SK1", "AC1", "AC0"] {
      _ = try world.sandbox.accounts.register(
        Credential(provider: "acme", name: name, secret: "s", account: "AC1"))
    }

    #expect(try world.sandbox.accounts.all(of: "acme").map(\.name) == ["AC0", "AC1", "SK1"])
  }

  @Test("a credential of another sandbox cannot be registered")
  func holder() throws {
    let other = try #require(try world.sandboxes.create("other", .init()))
    _ = try world.sandbox.accounts.register(credential)

    let admitted = try other.accounts.register(
      Credential(provider: "acme", name: "AC1", secret: "t", account: "AC1"))

    #expect(!admitted)
    #expect(try world.sandboxes.owner(ofCredential: "AC1", provider: "acme") === world.sandbox)
    #expect(try other.accounts.find("AC1", of: "acme") == nil)
    #expect(try world.sandbox.accounts.find("AC1", of: "acme")?.secret == "s")
  }

  @Test("the credentials of a removed sandbox can be registered again")
  func removal() throws {
    let other = try #require(try world.sandboxes.create("other", .init()))
    _ = try other.accounts.register(credential)

    try world.sandboxes.remove(other)

    #expect(try world.sandboxes.owner(ofCredential: "AC1", provider: "acme") == nil)
    #expect(try world.sandbox.accounts.register(credential))
  }

  @Test("a credential registered in a failed request is unknown")
  func rollback() throws {
    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        _ = try world.sandbox.accounts.register(credential)
        throw TestError()
      }
    }

    #expect(try world.sandbox.accounts.find("AC1", of: "acme") == nil)
  }

  @Test("credentials survive a restart")
  func reopening() throws {
    let directory = try TemporaryDirectory()
    let world = try World(directory.database)
    _ = try world.sandbox.accounts.register(credential)
    try world.sandboxes.commit()
    world.close()

    #expect(try World(directory.database).sandbox.accounts.all(of: "acme") == [credential])
  }
}
