import Crypto
import ProviderKit

/// A customer's app, which its secret identifies. Source: contract 1.
struct App: Equatable, Sendable {
  var id = ""
  /// Shown to the user who approves.
  var name = ""
  /// Only in seeds; the sandbox stores it with its credentials.
  var secret = ""

  static let header: StaticString = "X-Hyphen-App-Secret"

  /// One of `apps` in seeds.
  static let schema = Schema<App>(
    "HyphenApp", "An app.",
    [
      .required("appId", \.id, .string(1...200), "The id."),
      .field("appName", \.name, .string(1...200), "The name that users see; the id by default."),
      .required(
        "appSecret", \.secret,
        .text(.string(pattern: "^[!-~]{1,200}$"), expected: "1 to 200 visible ASCII characters") {
          (1...200).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        },
        "The secret. A masked secret, as in exports, keeps the present one."),
    ])

  /// The stored part of an app, by its id.
  private static let table = RecordTable(
    "app", of: HyphenProvider.name,
    Schema<App>([
      .required("appId", \.id, .string), .required("appName", \.name, .string),
    ])
  ) { App() }

  /// The app of a request. In the profile lenient, an open sandbox gives any secret an app of its own.
  init(_ request: Request, _ settings: Settings, in sandbox: Sandbox) throws {
    guard let secret = request.headers[Self.header], !secret.isEmpty else {
      throw APIError(.invalidAppSecret).because("no header \(Self.header)")
    }
    if let known = try sandbox.accounts.find(secret, of: HyphenProvider.name) {
      self = try Self.find(known.account, in: sandbox)
      return
    }
    guard settings.profile == .lenient, sandbox.acceptsUnknownAccounts else {
      throw APIError(.invalidAppSecret).because("no app of sandbox \(sandbox.name) has this secret")
    }
    id = "app_" + Hex.encode(SHA256.hash(Array(secret.utf8)).prefix(8))
    name = "Sandbox App"
  }

  init() {}

  /// An app without a record is called as its id.
  private static func find(_ id: String, in sandbox: Sandbox) throws -> App {
    if let stored = try table.find(id, in: sandbox) { return stored }
    var app = App()
    (app.id, app.name) = (id, id)
    return app
  }

  static func all(in sandbox: Sandbox) throws -> [App] {
    try sandbox.accounts.all(of: HyphenProvider.name).map { credential in
      var app = try find(credential.account, in: sandbox)
      app.secret = credential.name
      return app
    }.sorted { $0.id < $1.id }
  }

  /// Returns false and keeps nothing if another sandbox has the secret.
  private func save(in sandbox: Sandbox) throws -> Bool {
    let credential = Credential(provider: HyphenProvider.name, name: secret, secret: secret, account: id)
    guard try sandbox.accounts.register(credential) else { return false }
    if name != id { try Self.table.save(self, as: id, group: id, ordinal: 0, in: sandbox) }
    return true
  }
}

extension App {
  /// Loads one of `apps`.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var app = App()
    try schema.merge(fields, into: &app)
    if app.name.isEmpty { app.name = app.id }
    if app.secret == maskedSecret {
      let known = try all(in: sandbox).first { $0.id == app.id }
      app.secret = known?.secret ?? newSecret(app.id, in: sandbox)
    }
    try sandbox.accounts.refuseTaken(app.secret, of: HyphenProvider.name, at: "\(fields.path).appSecret")
    _ = try app.save(in: sandbox)
  }

  /// Gives a sandbox an app, unless seeds have.
  static func createDefault(in sandbox: Sandbox) throws {
    guard try all(in: sandbox).isEmpty else { return }
    try generateUnique { suffix in
      var app = App()
      app.id = "app-" + sandbox.credentialName("app of \(sandbox.name)\(suffix)", length: 12, of: .hex)
      app.name = app.id
      app.secret = newSecret(app.id, in: sandbox)
      return try app.save(in: sandbox)
    }
  }

  private static func newSecret(_ id: String, in sandbox: Sandbox) -> String {
    "sbx_app_" + sandbox.credentialName("secret of \(id)", length: 32, of: .alphanumeric)
  }
}
