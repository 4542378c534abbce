package import Domain
package import JSON
import ProviderKit

// The member `prove` of a seed: `clients`, `testUsers` and `settings`.

extension ProveProvider {
  package static let seedSchema = ObjectSchema(
    "ProveSeed", "Prove's part of a seed.",
    [
      .init(
        "clients", .array(.object(Client.schema.object), maxItems: SandboxLimits.records),
        "Credentials of back ends. A client of another sandbox is ignored."),
      .init(
        "testUsers", .array(.object(TestUser.schema.object), maxItems: SandboxLimits.records),
        "Test users besides the vendor's own. One with the same number replaces the vendor's."),
      .init("settings", .object(Settings.schema.object), Settings.schema.summary),
    ])

  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox) throws {
    for fields in try seed.optionalObjects("clients", atMost: SandboxLimits.records) ?? [] {
      try Client.load(fields, into: sandbox)
    }
    for fields in try seed.optionalObjects("testUsers", atMost: SandboxLimits.records) ?? [] {
      var user = TestUser()
      try TestUser.schema.merge(fields, into: &user)
      try user.save(in: sandbox)
    }
    if let settings = try seed.optionalObject("settings") { try Settings.load(settings, into: sandbox) }
  }

  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    let users = try TestUser.added(in: sandbox).map { user in
      try JSON(
        parsing: JSONWriter.object { TestUser.schema.writeDifferences(user, from: TestUser(), to: &$0) })
    }
    return .object([
      .init(name: "clients", value: .array(try Client.all(in: sandbox).map { try $0.seed })),
      .init(name: "testUsers", value: .array(users)),
      .init(name: "settings", value: try Settings.current(in: sandbox).json),
    ])
  }

  package static func createCredentials(in sandbox: Sandbox) throws {
    try Client.createDefault(in: sandbox)
  }

  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    guard let client = try Client.all(in: sandbox).first,
      let credential = try sandbox.accounts.find(client.id, of: name)
    else { return [] }
    return [(name: "clientId", value: client.id), (name: "clientSecret", value: credential.secret)]
  }
}
