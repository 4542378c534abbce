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
        "Test users besides the vendor's own. One with the same number replaces the vendor's."),
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

  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox) throws {
    for fields in try seed.optionalObjects("clients", atMost: SandboxLimits.records) ?? [] {
      try Client.load(fields, into: sandbox)
    }
    for fields in try seed.optionalObjects("testUsers", atMost: SandboxLimits.records) ?? [] {
      var user = TestUser()
      try TestUser.schema.merge(fields, into: &user)
      try user.save(in: sandbox)
    }
    for fields in try seed.optionalObjects("identities", atMost: SandboxLimits.records) ?? [] {
      try Identity.load(fields, into: sandbox)
    }
    for fields in try seed.optionalObjects("domains", atMost: SandboxLimits.records) ?? [] {
      var domain = ClientDomain()
      try ClientDomain.schema.merge(fields, into: &domain)
      try domain.save(in: sandbox)
    }
    for fields in try seed.optionalObjects("domainLinks", atMost: SandboxLimits.records) ?? [] {
      try DomainLink.load(fields, into: sandbox)
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
