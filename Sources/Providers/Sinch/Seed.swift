import Crypto
package import ProviderKit

extension SinchProvider {
  package static var seed: SeedForm {
    SeedForm(
      "Sinch",
      [
        .records(
          "applications", SeedApplication.schema, "The applications that may use the API.",
          load: SeedApplication.load, all: SeedApplication.all),
        Settings.seed(),
      ])
  }

  /// Source: contract 1 for the forms.
  package static func createCredentials(in sandbox: Sandbox) throws {
    guard try sandbox.accounts.all(of: name).isEmpty else { return }
    let text = sandbox.entropy.secret("Sinch secret of \(sandbox.name)", length: 33, of: .alphanumeric)
    let secret = Base64.encode(Array(text.utf8))
    try generateUnique { ending in
      let label = "Sinch application of \(sandbox.name)\(ending)"
      let digits = sandbox.credentialName(label, length: 32, of: .hex)
      return try sandbox.accounts.register(
        Credential(provider: name, name: UUIDText.version4(digits), secret: secret, account: name))
    }
  }

  /// The first application.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    guard let first = try sandbox.accounts.all(of: name).first else { return [] }
    return [(name: "applicationKey", value: first.name), (name: "applicationSecret", value: first.secret)]
  }
}

private struct SeedApplication {
  var key = ""
  var secret = ""
  var options = ApplicationOptions()

  static let schema = Schema<SeedApplication>(
    nil, "",
    [
      .required("key", \.key, .uuid, "The application key."),
      .required(
        "secret", \.secret,
        .text(.string(pattern: "^([A-Za-z0-9+/]+=*|[*]{8})$"), expected: "a secret in Base64") {
          $0 == maskedSecret || Base64.decode($0)?.isEmpty == false
        },
        "The application secret in Base64. Masked, as in exports, an application keeps the one that it has."),
      .optional(
        "callbackUrl", \.options.callbackURL, .webURL,
        "Where its callbacks go; without it, the setting callbackUrl."),
      .optional(
        "minimumAuth", \.options.minimumAuth, .word,
        "The weakest authorization that it accepts; without it, the setting minimumAuth."),
    ])

  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var application = SeedApplication()
    try schema.merge(fields, into: &application)
    let key = application.key
    try sandbox.accounts.refuseTaken(key, of: SinchProvider.name, at: "\(fields.path).key")
    if application.secret == maskedSecret {
      // An export of another sandbox does not have its secrets.
      guard try sandbox.accounts.find(key, of: SinchProvider.name) != nil else { return }
    } else {
      _ = try sandbox.accounts.register(
        Credential(
          provider: SinchProvider.name, name: key, secret: application.secret, account: SinchProvider.name))
    }
    try application.options.save(for: key, in: sandbox)
  }

  static func all(in sandbox: Sandbox) throws -> [SeedApplication] {
    try sandbox.accounts.all(of: SinchProvider.name).map { credential in
      SeedApplication(
        key: credential.name, secret: maskedSecret,
        options: try ApplicationOptions.table.find(credential.name, in: sandbox) ?? .init())
    }
  }
}
