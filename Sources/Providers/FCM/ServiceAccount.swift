import Domain
import JSON
import ProviderKit

/// An identity that a back end signs in with, of one project. Source: contract 1.4.
struct ServiceAccount: Equatable {
  /// The project's id, which is in the path of each request.
  let projectID: String
  /// Its name: `iss` of what it signs.
  let clientEmail: String
  /// The public key of its own, in PEM; nil: it has the sandbox's.
  let publicKey: String?

  /// The form of a project's id. Source: https://cloud.google.com/resource-manager/docs/creating-managing-projects
  static let projectForm = "6 to 30 small letters, digits and hyphens, the first a letter"

  /// Whether a text may be a project's id.
  static func isProject(_ text: String) -> Bool {
    (6...30).contains(text.utf8.count) && text.utf8.first.map { (0x61...0x7A).contains($0) } == true
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
      }
  }

  /// The credential that holds the whole account, as the file that the vendor's console hands out.
  static let whole = "serviceAccount"

  /// The account of this name.
  static func find(_ clientEmail: String, in sandbox: Sandbox) throws -> ServiceAccount? {
    try sandbox.accounts.find(clientEmail, of: FCMProvider.name).flatMap(ServiceAccount.init)
  }

  /// All of a sandbox, by name.
  static func all(in sandbox: Sandbox) throws -> [ServiceAccount] {
    try sandbox.accounts.all(of: FCMProvider.name).compactMap(ServiceAccount.init)
  }

  /// Keeps the account, and its project, by which requests find their sandbox; false, and nothing is kept, where
  /// another sandbox has either.
  func keep(in sandbox: Sandbox) throws -> Bool {
    let project = Credential(provider: FCMProvider.name, name: projectID, secret: "", account: projectID)
    let own = Credential(
      provider: FCMProvider.name, name: clientEmail, secret: publicKey ?? "", account: projectID)
    return try sandbox.accounts.register(project, own)
  }

  /// The file that the vendor's console hands out, with this private key. Source: contract 1.4.
  func file(privateKey: String) -> String {
    let bytes = JSONWriter.object { json in
      json.member("type", "service_account")
      json.member("project_id", projectID)
      json.member("private_key_id", "ringfence-test-key")
      json.member("private_key", privateKey)
      json.member("client_email", clientEmail)
      json.member("client_id", "100000000000000000001")
      json.member("auth_uri", "https://accounts.google.com/o/oauth2/auth")
      json.member("token_uri", tokenURI)
      json.member("universe_domain", "googleapis.com")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Where service accounts get their access tokens.
let tokenURI = "https://oauth2.googleapis.com/token"

extension ServiceAccount {
  /// A credential that is an account's, and not a project's.
  fileprivate init?(_ credential: Credential) {
    guard credential.name != credential.account else { return nil }
    self.init(
      projectID: credential.account, clientEmail: credential.name,
      publicKey: credential.secret.isEmpty ? nil : credential.secret)
  }
}
