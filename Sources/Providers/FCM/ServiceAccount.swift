import Crypto
import ProviderKit

/// An account of a project, with which a back end signs in. Source: contract 1.4.
struct ServiceAccount: Equatable {
  var projectID = ""
  /// The account's name: `iss` of its assertions.
  var clientEmail = ""
  /// In PEM; nil for the sandbox's own key.
  var publicKey: String?

  /// One of `serviceAccounts` in seeds.
  static let schema = Schema<ServiceAccount>(
    "FCMServiceAccount", "An account that may send.",
    [
      .required("projectId", \.projectID, .projectID, "The project that it sends for."),
      .required("clientEmail", \.clientEmail, .emailAddress, "The account's name: an email address."),
      .nullable(
        "publicKey", \.publicKey, .rsaPublicKey,
        "The public RSA key of its assertions, in PEM; null: the key keys.accounts of the sandbox."),
    ])

  /// 6 to 30 characters. Source: https://cloud.google.com/resource-manager/docs/creating-managing-projects
  static func isProjectID(_ text: String) -> Bool {
    (6...30).contains(text.utf8.count) && text.utf8.first.map { (0x61...0x7A).contains($0) } == true
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || $0.isDigit || $0 == UInt8(ascii: "-")
      }
  }
}

/// Storage. Each account is two credentials: one by its name, one by its project.
extension ServiceAccount {
  static func find(_ clientEmail: String, in sandbox: Sandbox) throws -> ServiceAccount? {
    try sandbox.accounts.find(clientEmail, of: FCMProvider.name).flatMap(ServiceAccount.init)
  }

  static func has(project: String, in sandbox: Sandbox) throws -> Bool {
    try sandbox.accounts.find(project, of: FCMProvider.name) != nil
  }

  /// All accounts of a sandbox, by name.
  static func all(in sandbox: Sandbox) throws -> [ServiceAccount] {
    try sandbox.accounts.all(of: FCMProvider.name).compactMap(ServiceAccount.init)
  }

  /// Loads one of `serviceAccounts`. One that another sandbox has is left out: `createCredentials` makes one
  /// for this sandbox.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var account = ServiceAccount()
    try schema.merge(fields, into: &account)
    for (member, name) in [("clientEmail", account.clientEmail), ("projectId", account.projectID)] {
      try sandbox.accounts.refuseTaken(name, of: FCMProvider.name, at: "\(fields.path).\(member)")
    }
    _ = try account.keep(in: sandbox)
  }

  /// Returns false and keeps nothing if another sandbox has the account or the project: requests find their
  /// sandbox by these names.
  func keep(in sandbox: Sandbox) throws -> Bool {
    let project = Credential(provider: FCMProvider.name, name: projectID, secret: "", account: projectID)
    let account = Credential(
      provider: FCMProvider.name, name: clientEmail, secret: publicKey ?? "", account: projectID)
    return try sandbox.accounts.register(project, account)
  }

  /// Nil for the credential of a project.
  private init?(_ credential: Credential) {
    guard credential.name != credential.account else { return nil }
    self.init(
      projectID: credential.account, clientEmail: credential.name,
      publicKey: credential.secret.isEmpty ? nil : credential.secret)
  }
}

/// The file with a service account that Google's console creates. Source: contract 1.4.
extension ServiceAccount {
  /// The credential of the control API that holds the file.
  static let fileCredential = "serviceAccount"

  func file(privateKey: String) -> String {
    return JSONWriter.text { json in
      json.member("type", "service_account")
      json.member("project_id", projectID)
      json.member("private_key_id", "ringfence-test-key")
      json.member("private_key", privateKey)
      json.member("client_email", clientEmail)
      json.member("client_id", "100000000000000000001")
      json.member("auth_uri", "https://accounts.google.com/o/oauth2/auth")
      json.member("token_uri", TokenAddress.newest)
      json.member("universe_domain", "googleapis.com")
    }
  }
}

extension FieldType where Value == String {
  fileprivate static var projectID: FieldType {
    .text(
      .string(pattern: "^[a-z][a-z0-9-]{5,29}$"),
      expected: "6 to 30 lower-case letters, digits and hyphens, the first one a letter",
      ServiceAccount.isProjectID)
  }

  fileprivate static var rsaPublicKey: FieldType {
    .text(.string(), expected: "a public RSA key in PEM") { RSAPublicKey(pem: $0) != nil }
  }
}
