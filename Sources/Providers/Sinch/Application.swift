import ProviderKit

/// An application of the provider's dashboard. Source: contract 1 and 7.
struct Application {
  let key: String
  /// In Base64; empty if the sandbox does not know it.
  let secret: String
  /// Nil: the one of the settings.
  let callbackURL: String?
  let minimumAuth: AuthLevel?

  init(_ credential: Credential, in sandbox: Sandbox) throws {
    let options = try ApplicationOptions.table.find(credential.name, in: sandbox)
    key = credential.name
    secret = credential.secret
    callbackURL = options?.callbackURL
    minimumAuth = options?.minimumAuth
  }

  /// The application with a key; if there is none, the first one, whose secret then signs callbacks.
  static func find(_ key: String, in sandbox: Sandbox) throws -> Application? {
    let credential = try credential(key, in: sandbox) ?? credentials(in: sandbox).first
    return try credential.map { try Application($0, in: sandbox) }
  }

  /// Nil for a credential of SMS.
  static func credential(_ key: String, in sandbox: Sandbox) throws -> Credential? {
    let found = try sandbox.accounts.find(key, of: SinchProvider.name)
    return found?.account == account ? found : nil
  }

  /// Sorted by key.
  static func credentials(in sandbox: Sandbox) throws -> [Credential] {
    try sandbox.accounts.all(of: SinchProvider.name).filter { $0.account == account }
  }

  /// Of all applications' credentials.
  static let account = SinchProvider.name

  /// Where callbacks go; nil: there are none.
  func callbackURL(_ settings: Settings) -> String? {
    let url = callbackURL ?? settings.callbackURL
    return url.isEmpty ? nil : url
  }
}

/// What seeds set for one application.
struct ApplicationOptions: Equatable {
  var callbackURL: String?
  var minimumAuth: AuthLevel?

  static let table = RecordTable("application", of: SinchProvider.name, schema) { ApplicationOptions() }

  /// No record is saved for an application without options.
  func save(for key: String, in sandbox: Sandbox) throws {
    if self == ApplicationOptions() {
      try Self.table.delete(key, in: sandbox)
    } else {
      try Self.table.save(self, as: key, in: sandbox)
    }
  }

  private static let schema = Schema<ApplicationOptions>([
    .optional("callbackUrl", \.callbackURL, .webURL), .optional("minimumAuth", \.minimumAuth, .word),
  ])
}
