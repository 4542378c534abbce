package import ProviderKit

extension DemoProvider {
  package static let defaultSeed = PackageResources.Seed_json

  package static var seed: SeedForm {
    SeedForm(
      "Demo",
      [
        SeedMember("apiKey", .string(), "The key that clients sign in with. A masked key changes nothing.") {
          part, sandbox, _ in
          guard let key = try part.optionalString("apiKey"), key != maskedSecret else { return }
          try sandbox.accounts.refuseTaken(key, of: name, at: "\(part.path).apiKey")
          // One that another sandbox has is left out: createCredentials makes one for this sandbox.
          _ = try addKey(key, to: sandbox)
        } export: { _ in
          .string(maskedSecret)
        },
        Settings.seed(),
      ])
  }

  package static func createCredentials(in sandbox: Sandbox) throws {
    guard try sandbox.accounts.all(of: name).isEmpty else { return }
    try generateUnique { ending in
      let label = "demo key of \(sandbox.name)\(ending)"
      return try addKey("demo_" + sandbox.entropy.secret(label, length: 24, of: .alphanumeric), to: sandbox)
    }
  }

  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    try sandbox.accounts.all(of: name).prefix(1).map { ("apiKey", $0.name) }
  }

  private static func addKey(_ key: String, to sandbox: Sandbox) throws -> Bool {
    try sandbox.accounts.register(Credential(provider: name, name: key, secret: key, account: key))
  }
}
