package import Domain
package import JSON
import ProviderKit

// What `Seeds/<story>/prelude.json` may say: `account`, `settings`, `numbers`, and what `loadProducts` reads.

extension PreludeProvider {
  /// Loads the vendor's part of a seed.
  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox) throws {
    if let account = try seed.optionalObject("account") { try loadAccount(account, into: sandbox) }
    if let fields = try seed.optionalObject("settings") {
      var settings = try Settings.current(in: sandbox)
      try settings.merge(fields)
      try settings.keep(in: sandbox)
    }
    for fields in try seed.optionalObjects("numbers") ?? [] { try NumberRule.load(fields, into: sandbox) }
    try loadProducts(seed, into: sandbox)
  }

  /// The vendor's part of an export; keys are masked.
  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    .object(
      try [
        .init(
          name: "account",
          value: .object([
            .init(name: Key.apiToken.rawValue, value: .string(maskedSecret)),
            .init(name: Key.sdkKey.rawValue, value: .string(maskedSecret)),
          ])),
        .init(name: "settings", value: try JSON(parsing: Settings.current(in: sandbox).encoded)),
        .init(name: "numbers", value: .array(try NumberRule.all(in: sandbox))),
      ] + exportProducts(from: sandbox))
  }

  /// Sees to it that a sandbox has a key for servers and one for apps.
  package static func createCredentials(in sandbox: Sandbox) throws {
    let known = try sandbox.accounts.all(of: name)
    for key in [Key.apiToken, .sdkKey] where !known.contains(where: { $0.account == key.rawValue }) {
      try generateUnique { ending in
        let label = "\(key.rawValue) of \(sandbox.name)\(ending)"
        let drawn = sandbox.entropy.secret(label, length: 32, of: .alphanumeric)
        return try admit((key == .sdkKey ? "sdk_" : "sk_") + drawn, as: key, in: sandbox)
      }
    }
  }

  /// What clients of a sandbox sign in with.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    let known = try sandbox.accounts.all(of: name)
    return [Key.apiToken, .sdkKey].compactMap { key in
      known.first { $0.account == key.rawValue }.map { (name: key.rawValue, value: $0.name) }
    }
  }
}

/// A key that another sandbox has is left to it: `provision` mints a fresh one for this sandbox.
private func loadAccount(_ fields: Fields, into sandbox: Sandbox) throws {
  for key in [Key.apiToken, .sdkKey] {
    guard let text = try fields.optionalString(key.rawValue), text != maskedSecret else { continue }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw fields.mismatch(key.rawValue, expected: "a key without spaces")
    }
    guard key == .apiToken || text.hasPrefix("sdk_") else {
      throw fields.mismatch(key.rawValue, expected: "a key that begins with sdk_")
    }
    _ = try admit(text, as: key, in: sandbox)
  }
}

/// A key is a name that is its own secret.
private func admit(_ text: String, as key: Key, in sandbox: Sandbox) throws -> Bool {
  try sandbox.accounts.register(
    Credential(provider: PreludeProvider.name, name: text, secret: text, account: key.rawValue))
}
