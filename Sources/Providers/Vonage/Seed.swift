package import ProviderKit

extension VonageProvider {
  package static var seed: SeedForm {
    SeedForm(
      "Vonage",
      [
        .object("account", SeedAccount.schema.object, SeedAccount.schema.summary, load: SeedAccount.load) {
          _ in
          SeedAccount.schema.json(.masked)
        },
        .records(
          "applications", Application.schema,
          "Applications, which sign requests and receive webhooks. No other sandbox may have them.",
          load: Application.load, all: Application.all),
        Settings.seed(),
        .records(
          "templates", SeedTemplate.schema,
          "Custom templates with their fragments. One with a known name is replaced.",
          from: { _ in SeedTemplate() }, save: SeedTemplate.save, all: SeedTemplate.all),
      ])
  }

  /// Source: contract 1 for the forms.
  package static func createCredentials(in sandbox: Sandbox) throws {
    if try AccountSecrets.current(in: sandbox) == nil {
      try generateUnique { ending in
        let label = "account of \(sandbox.name)\(ending)"
        let key = sandbox.credentialName("vonage \(label)", length: 8, of: .hex)
        return try AccountSecrets.new(key, label, in: sandbox).register(in: sandbox)
      }
    }
    if try Application.all(in: sandbox).isEmpty {
      try generateUnique { ending in
        // Applications of all sandboxes sign with one key, so only their own back ends may know their ids.
        let label = "application of \(sandbox.name)\(ending)"
        let digits = sandbox.credentialName(label, length: 32, of: .hex, from: sandbox.tokenEntropy)
        return try Application(id: UUIDText.version4(digits)).save(in: sandbox)
      }
    }
  }

  /// Without a private key in the seeds, applications cannot sign.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    var credentials: [(name: String, value: String)] = []
    if let account = try AccountSecrets.current(in: sandbox) {
      credentials += [
        (name: "apiKey", value: account.key), (name: "apiSecret", value: account.api),
        (name: "signatureSecret", value: account.signature),
      ]
    }
    guard let application = try Application.all(in: sandbox).first(where: { $0.publicKey == nil }) else {
      return credentials
    }
    credentials.append((name: "applicationId", value: application.id))
    if let key = try sandbox.keys[.accounts]?.barePrivatePEM(in: sandbox) {
      credentials.append((name: "privateKey", value: key))
    }
    return credentials
  }
}

private struct SeedAccount {
  var key: String?
  var secret: String?
  var signatureSecret: String?

  static let schema = Schema<SeedAccount>(
    nil, "The key and the secrets of the account. Masked ones, as in exports, change nothing.",
    [
      .nullable("apiKey", \.key, .word, "The key: text without spaces."),
      .nullable("apiSecret", \.secret, .word, "The secret of requests: text without spaces."),
      .nullable("signatureSecret", \.signatureSecret, .word, "The secret of signed webhooks."),
    ])

  /// As in exports.
  static let masked = SeedAccount(key: maskedSecret, secret: maskedSecret, signatureSecret: maskedSecret)

  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var seed = SeedAccount()
    try schema.merge(fields, into: &seed)
    let current = try AccountSecrets.current(in: sandbox)
    let key = shown(seed.key) ?? current?.key
    guard let key else { return }
    try sandbox.accounts.refuseTaken(key, of: VonageProvider.name, at: "\(fields.path).apiKey")
    // Without a secret, everybody would have the right one.
    var account = current ?? .new(key, "account of \(sandbox.name)", in: sandbox)
    account.key = key
    account.api = shown(seed.secret) ?? account.api
    account.signature = shown(seed.signatureSecret) ?? account.signature
    _ = try account.register(in: sandbox)
  }

  private static func shown(_ text: String?) -> String? { text == maskedSecret ? nil : text }
}

extension FieldType where Value == String {
  fileprivate static var word: FieldType {
    .text(.string(pattern: "^[!-~]+$"), expected: "text without spaces") { text in
      !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
  }
}
