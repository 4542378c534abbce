import Crypto
package import Domain
package import JSON
import ProviderKit

// What `Seeds/<story>/telesign.json` may say: `accounts`, each `{"customerId","apiKeys":[…]}`, and `settings`.

extension TelesignProvider {
  /// Loads the vendor's part of a seed.
  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox) throws {
    for fields in try seed.optionalObjects("accounts") ?? [] { try loadAccount(fields, into: sandbox) }
    guard let fields = try seed.optionalObject("settings") else { return }
    var settings = try Settings.current(in: sandbox)
    try settings.merge(fields)
    try settings.keep(in: sandbox)
  }

  /// The vendor's part of an export; keys are masked.
  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    let accounts = try sandbox.accounts.all(of: name).map { credential in
      JSON.object([
        .init(name: "customerId", value: .string(credential.name)),
        .init(name: "apiKeys", value: .array(keys(of: credential).map { _ in .string(maskedSecret) })),
      ])
    }
    return .object([
      .init(name: "accounts", value: .array(accounts)),
      .init(name: "settings", value: try JSON(parsing: Settings.current(in: sandbox).encoded)),
    ])
  }

  /// Sees to it that a sandbox has an account. Source: contract 2.1 for the forms.
  package static func createCredentials(in sandbox: Sandbox) throws {
    guard try sandbox.accounts.all(of: name).isEmpty else { return }
    // Letters and digits only: their bytes as a key have less chance in them, which nobody needs here.
    let drawn = sandbox.entropy.secret("API key of \(sandbox.name)", length: 64, of: .alphanumeric)
    let key = Base64.encode(Array(drawn.utf8))
    try generateUnique { ending in
      let label = "customer id of \(sandbox.name)\(ending)"
      let digits = Array(sandbox.entropy.secret(label, length: 32, of: .hex).uppercased())
      let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      return try admit(groups.joined(separator: "-"), [key], in: sandbox)
    }
  }

  /// What clients of a sandbox sign in with: its first account, and that one's first key.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    guard let first = try sandbox.accounts.all(of: name).first, let key = keys(of: first).first else {
      return []
    }
    return [(name: "customerId", value: first.name), (name: "apiKey", value: key)]
  }
}

/// The keys of an account, oldest first: they stand in its secret with a space between them.
func keys(of account: Credential) -> [String] {
  account.secret.split(separator: " ").map(String.init)
}

/// An account that another sandbox has is left to it: `provision` mints a fresh one for this sandbox.
private func loadAccount(_ fields: Fields, into sandbox: Sandbox) throws {
  let customer = try fields.string("customerId")
  let keys = try fields.strings("apiKeys")
  guard isCustomerID(customer) else {
    throw fields.mismatch("customerId", expected: "8-4-4-4-12 hexadecimal digits")
  }
  guard !keys.isEmpty, keys.allSatisfy(isKey) else {
    throw fields.mismatch("apiKeys", expected: "keys in base64, without spaces")
  }
  guard !keys.contains(maskedSecret) else { return }
  _ = try admit(customer, keys, in: sandbox)
}

private func isKey(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}

private func admit(_ customer: String, _ keys: [String], in sandbox: Sandbox) throws -> Bool {
  try sandbox.accounts.register(
    Credential(
      provider: TelesignProvider.name, name: customer, secret: keys.joined(separator: " "), account: customer)
  )
}
