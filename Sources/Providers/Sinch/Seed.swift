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
        .records(
          "plans", PlanSeed.schema, "The service plans of SMS, each with its project.", load: PlanSeed.load,
          all: PlanSeed.all),
        Settings.seed(),
      ])
  }

  /// Source: contract 1 for the forms.
  package static func createCredentials(in sandbox: Sandbox) throws {
    try PlanSeed.createDefault(in: sandbox)
    guard try Application.credentials(in: sandbox).isEmpty else { return }
    let text = sandbox.entropy.secret("Sinch secret of \(sandbox.name)", length: 33, of: .alphanumeric)
    let secret = Base64.encode(Array(text.utf8))
    try generateUnique { ending in
      let label = "Sinch application of \(sandbox.name)\(ending)"
      let digits = sandbox.credentialName(label, length: 32, of: .hex)
      return try sandbox.accounts.register(
        Credential(
          provider: name, name: UUIDText.version4(digits), secret: secret, account: Application.account))
    }
  }

  /// The first application, and the first service plan.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    let first = try Application.credentials(in: sandbox).first
    return (first.map { [("applicationKey", $0.name), ("applicationSecret", $0.secret)] } ?? [])
      + (try PlanSeed.credentials(of: sandbox))
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
      guard try Application.credential(key, in: sandbox) != nil else { return }
    } else {
      _ = try sandbox.accounts.register(
        Credential(
          provider: SinchProvider.name, name: key, secret: application.secret,
          account: Application.account))
    }
    try application.options.save(for: key, in: sandbox)
  }

  static func all(in sandbox: Sandbox) throws -> [SeedApplication] {
    try Application.credentials(in: sandbox).map { credential in
      SeedApplication(
        key: credential.name, secret: maskedSecret,
        options: try ApplicationOptions.table.find(credential.name, in: sandbox) ?? .init())
    }
  }
}
