package import ProviderKit

// The member `prove` of a seed.

extension ProveProvider {
  package static var seed: SeedForm {
    SeedForm(
      "Prove",
      [
        Client.seed("clients", "Credentials of back ends, which no other sandbox may have."),
        .records(
          "testUsers", TestUser.schema,
          "Test users besides the provider's own. One with the same number replaces the provider's.",
          from: { _ in TestUser() }, omitting: TestUser(), save: TestUser.save, all: TestUser.all),
        .records(
          "identities", Identity.schema, "Customers of clients. A client has one for each number.",
          key: ["clientId", "phoneNumber"], omitting: Identity(), load: Identity.load, all: Identity.all),
        .records(
          "domains", ClientDomain.schema,
          "What clients are for other clients. A client without one gets a domain of its own name.",
          from: { _ in ClientDomain() }, save: ClientDomain.save, all: ClientDomain.all),
        .records(
          "domainLinks", DomainLink.schema, "Links of domains, and requests for them.",
          key: ["from", "to"], load: DomainLink.load, all: DomainLink.all),
        Settings.seed(),
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
