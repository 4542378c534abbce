import Domain
import Testing

@Suite("Domain · accounts")
struct AccountsTests {
  let world: World
  let credential = Credential(provider: "acme", name: "AC1", secret: "s", account: "AC1")

  init() throws { world = try World() }

  @Test("an admitted credential is found by its name")
  func finding() throws {
    let admitted = try world.sandbox.accounts.register(credential)

    #expect(admitted)
    #expect(try world.sandbox.accounts.find("AC1", of: "acme") == credential)
  }

  @Test("names of another provider lead to nothing")
  func providers() throws {
    _ = try world.sandbox.accounts.register(credential)

    #expect(try world.sandbox.accounts.find("AC1", of: "other") == nil)
  }

  @Test("a credential admitted again has its new secret")
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

  @Test("a credential stays with the sandbox that has it")
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

  @Test("a removed sandbox sets its credentials free")
  func removal() throws {
    let other = try #require(try world.sandboxes.create("other", .init()))
    _ = try other.accounts.register(credential)

    try world.sandboxes.remove(other)

    #expect(try world.sandboxes.owner(ofCredential: "AC1", provider: "acme") == nil)
    #expect(try world.sandbox.accounts.register(credential))
  }

  @Test("a credential that was taken back is not known")
  func rollback() throws {
    #expect(throws: Mishap.self) {
      try world.sandbox.atomically {
        _ = try world.sandbox.accounts.register(credential)
        throw Mishap()
      }
    }

    #expect(try world.sandbox.accounts.find("AC1", of: "acme") == nil)
  }

  @Test("credentials survive the reopening of their file")
  func reopening() throws {
    let directory = try TemporaryDirectory()
    let world = try World(directory.database)
    _ = try world.sandbox.accounts.register(credential)
    try world.sandboxes.commit()
    world.close()

    #expect(try World(directory.database).sandbox.accounts.all(of: "acme") == [credential])
  }
}
