package import Domain
package import JSON
import ProviderKit

// The member `prove` of a seed.

extension ProveProvider {
  package static let seedSchema = ObjectSchema(
    "ProveSeed", "Prove's part of a seed.",
    [
      .init(
        "clients", .array(.object(Client.schema.object), maxItems: SandboxLimits.records),
        "Credentials of back ends, which no other sandbox may have."),
      .init(
        "testUsers", .array(.object(TestUser.schema.object), maxItems: SandboxLimits.records),
        "Test users besides the provider's own. One with the same number replaces the provider's."),
      .init(
        "identities", .array(.object(Identity.schema.object), maxItems: SandboxLimits.records),
        "Customers of clients. A client has one for each number."),
      .init(
        "domains", .array(.object(ClientDomain.schema.object), maxItems: SandboxLimits.records),
        "What clients are for other clients. A client without one gets a domain of its own name."),
      .init(
        "domainLinks", .array(.object(DomainLink.schema.object), maxItems: SandboxLimits.records),
        "Links of domains, and requests for them."),
      .init("settings", .object(Settings.schema.object), Settings.schema.summary),
    ])

  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws {
    try steps.addRecords("clients", of: seed) { try Client.load($0, into: sandbox) }
    try steps.addRecords("testUsers", of: seed, TestUser.schema, empty: TestUser()) {
      try $0.save(in: sandbox)
    }
    try steps.addRecords("identities", of: seed) { try Identity.load($0, into: sandbox) }
    try steps.addRecords("domains", of: seed, ClientDomain.schema, empty: ClientDomain()) {
      try $0.save(in: sandbox)
    }
    try steps.addRecords("domainLinks", of: seed) { try DomainLink.load($0, into: sandbox) }
    try steps.addObject("settings", of: seed) { try Settings.load($0, into: sandbox) }
  }

  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    let users = try TestUser.added(in: sandbox).map { user in
      try JSON(
        parsing: JSONWriter.object { TestUser.schema.writeDifferences(user, from: TestUser(), to: &$0) })
    }
    return .object([
      .init(name: "clients", value: .array(try Client.all(in: sandbox).map { try $0.seed(in: sandbox) })),
      .init(name: "testUsers", value: .array(users)),
      .init(name: "identities", value: .array(try Identity.all(in: sandbox).map { try $0.seed })),
      .init(
        name: "domains", value: .array(try ClientDomain.all(in: sandbox).map { ClientDomain.schema.json($0) })
      ),
      .init(
        name: "domainLinks", value: .array(try DomainLink.all(in: sandbox).map { DomainLink.schema.json($0) })
      ),
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
