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
    let accounts = sandbox.accounts
    let credential =
      try accounts.find(key, of: SinchProvider.name) ?? accounts.all(of: SinchProvider.name).first
    return try credential.map { try Application($0, in: sandbox) }
  }

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
