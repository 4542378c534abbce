package import Domain
package import JSON
import ProviderKit

extension VonageProvider {
  package static let seedSchema = ObjectSchema(
    "VonageSeed", "Vonage's part of a seed.",
    [
      .init("account", .object(SeedAccount.schema.object), SeedAccount.schema.summary),
      .init(
        "applications", .array(.object(Application.schema.object), maxItems: SandboxLimits.records),
        "Applications, which sign requests and receive webhooks. No other sandbox may have them."),
      .init("settings", .object(Settings.schema.object), Settings.schema.summary),
      .init(
        "templates", .array(.object(SeedTemplate.schema.object), maxItems: SandboxLimits.records),
        "Custom templates with their fragments. One with a known name is replaced."),
    ])

  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws {
    try steps.addObject("account", of: seed) { try SeedAccount.load($0, into: sandbox) }
    try steps.addRecords("applications", of: seed) { fields in
      let id = try fields.value("id", .applicationID)
      try sandbox.accounts.refuseTaken(id.lowercased(), of: name, at: "\(fields.path).id")
      var application = try Application.find(id, in: sandbox) ?? Application()
      try Application.schema.merge(fields, into: &application)
      // One that another sandbox has is left out: `createCredentials` makes one for this sandbox.
      _ = try application.save(in: sandbox)
    }
    try steps.addObject("settings", of: seed) { try Settings.load($0, into: sandbox) }
    try steps.addRecords("templates", of: seed, SeedTemplate.schema, empty: SeedTemplate()) {
      try $0.save(in: sandbox)
    }
  }

  /// The key and the secrets are masked.
  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    let applications = try Application.all(in: sandbox)
    let settings = try Settings.current(in: sandbox)
    let templates = try SeedTemplate.all(in: sandbox)
    let bytes = JSONWriter.object { json in
      json.object("account") { json in
        for name in ["apiKey", "apiSecret", "signatureSecret"] { json.member(named: name, maskedSecret) }
      }
      json.array("applications", applications) { json, application in
        json.value { Application.schema.write(application, to: &$0) }
      }
      json.object("settings") { Settings.schema.write(settings, to: &$0) }
      json.array("templates", templates) { json, template in
        json.value { SeedTemplate.schema.write(template, to: &$0) }
      }
    }
    return try JSON(parsing: bytes, limits: .seed)
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
        return try Application(id: uuidOfVersion4(digits)).save(in: sandbox)
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
    if let key = try sandbox.keys[.accounts]?.barePrivatePEM {
      credentials.append((name: "privateKey", value: key))
    }
    return credentials
  }
}

/// The account in a seed.
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
