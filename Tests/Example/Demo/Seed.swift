package import Domain
package import JSON
import ProviderKit

extension DemoProvider {
  package static let defaultSeed = PackageResources.Seed_json

  package static let seedSchema = ObjectSchema(
    "DemoSeed", "Demo's part of a seed.",
    [
      .init("apiKey", .string(), "The key that clients sign in with. A masked key changes nothing."),
      .init("settings", .object(Settings.schema.object), Settings.schema.summary),
    ])

  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws {
    if let key = try seed.optionalString("apiKey"), key != maskedSecret {
      try sandbox.accounts.refuseTaken(key, of: name, at: "\(seed.path).apiKey")
      // One that another sandbox has is left out: createCredentials makes one for this sandbox.
      _ = try addKey(key, to: sandbox)
    }
    try steps.addObject("settings", of: seed) { try Settings.load($0, into: sandbox) }
  }

  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    .object([
      .init(name: "apiKey", value: .string(maskedSecret)),
      .init(name: "settings", value: try Settings.current(in: sandbox).json),
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
