package import ProviderKit

// The member `camara` of a seed.

extension CAMARAProvider {
  package static var seed: SeedForm {
    SeedForm(
      "CAMARA",
      [
        Client.seed(
          "clients", "Applications that are registered at the operator. No other sandbox may have them."),
        Settings.seed(),
      ])
  }

  package static func createCredentials(in sandbox: Sandbox) throws {
    try Client.createDefault(in: sandbox)
  }

  /// Without a private key in the seeds, there is no `privateKey`.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    guard let client = try Client.all(in: sandbox).first,
      let credential = try sandbox.accounts.find(client.id, of: name)
    else { return [] }
    var credentials = [(name: "clientId", value: client.id)]
    if !credential.secret.isEmpty { credentials.append((name: "clientSecret", value: credential.secret)) }
    if client.keys == nil, let key = try sandbox.keys[.accounts] {
      credentials.append((name: "privateKey", value: key.barePrivatePEM(in: sandbox)))
    }
    return credentials
  }
}
