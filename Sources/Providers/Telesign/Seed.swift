import Crypto
package import ProviderKit

extension TelesignProvider {
  package static var seed: SeedForm {
    SeedForm(
      "Telesign",
      [
        .records(
          "accounts", SeedAccount.schema, "The customers that may use the API.", load: SeedAccount.load,
          all: SeedAccount.all),
        Settings.seed("Settings that differ from the defaults."),
      ])
  }

  /// Source: contract 2.1 for the forms.
  package static func createCredentials(in sandbox: Sandbox) throws {
    guard try sandbox.accounts.all(of: name).isEmpty else { return }
    let secret = sandbox.entropy.secret("API key of \(sandbox.name)", length: 64, of: .alphanumeric)
    let key = Base64.encode(Array(secret.utf8))
    try generateUnique { ending in
      let label = "customer id of \(sandbox.name)\(ending)"
      let digits = Array(sandbox.credentialName(label, length: 32, of: .hex).utf8)
      return try SeedAccount(customerID: Hex.uuid(digits).uppercased(), apiKeys: [key]).register(in: sandbox)
    }
  }

  /// The first account with its first key.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    guard let first = try sandbox.accounts.all(of: name).first, let key = first.apiKeys.first else {
      return []
    }
    return [(name: "customerId", value: first.name), (name: "apiKey", value: key)]
  }
}

extension Credential {
  /// The keys of an account, oldest first. They are kept in its secret, separated by spaces.
  var apiKeys: [String] { secret.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) } }
}

private struct SeedAccount {
  var customerID = ""
  var apiKeys: [String] = []

  static let schema = Schema<SeedAccount>(
    nil, "",
    [
      .required("customerId", \.customerID, .uuid, "The customer id."),
      .required(
        "apiKeys", \.apiKeys, .array(of: key, minItems: 1, maxItems: SandboxLimits.items),
        "API keys in base64; any of them can sign. Masked keys, as in exports, change nothing."),
    ])

  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var account = SeedAccount()
    try schema.merge(fields, into: &account)
    try sandbox.accounts.refuseTaken(
      account.customerID, of: TelesignProvider.name, at: "\(fields.path).customerId")
    // Exports mask the keys: the account then keeps those it has.
    guard !account.apiKeys.contains(maskedSecret) else { return }
    _ = try account.register(in: sandbox)
  }

  static func all(in sandbox: Sandbox) throws -> [SeedAccount] {
    try sandbox.accounts.all(of: TelesignProvider.name).map { credential in
      SeedAccount(
        customerID: credential.name,
        apiKeys: credential.apiKeys.map { _ in maskedSecret })
    }
  }

  /// False if another sandbox has the account.
  func register(in sandbox: Sandbox) throws -> Bool {
    try sandbox.accounts.register(
      Credential(
        provider: TelesignProvider.name, name: customerID, secret: apiKeys.joined(separator: " "),
        account: customerID))
  }

  private static let key = FieldType<String>.text(
    .string(pattern: "^[!-~]+$"), expected: "a key in base64, without spaces", isKey)

  @Sendable
  private static func isKey(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
