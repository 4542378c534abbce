package import Domain
package import JSON
import ProviderKit

// The member `camara` of a seed.

extension CAMARAProvider {
  package static let seedSchema = ObjectSchema(
    "CAMARASeed", "CAMARA's part of a seed.",
    [
      .init(
        "clients", .array(.object(Client.schema.object), maxItems: SandboxLimits.records),
        "Applications that are registered at the operator. No other sandbox may have them."),
      .init("settings", .object(Settings.schema.object), Settings.schema.summary),
    ])

  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws {
    try steps.addRecords("clients", of: seed) { try Client.load($0, into: sandbox) }
    try steps.addObject("settings", of: seed) { try Settings.load($0, into: sandbox) }
  }

  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    .object([
      .init(name: "clients", value: .array(try Client.all(in: sandbox).map { try $0.seed(in: sandbox) })),
      .init(name: "settings", value: try Settings.current(in: sandbox).json),
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
      credentials.append((name: "privateKey", value: key.barePrivatePEM))
    }
    return credentials
  }
}
