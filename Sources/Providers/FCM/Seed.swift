import Crypto
package import Domain
package import JSON
import ProviderKit

// What `Seeds/<story>/fcm.json` may say: `serviceAccounts`, `settings`. Devices and the states of their tokens stand under
// the seed's `devices`, for they are no vendor's.

extension FCMProvider {
  /// Loads the vendor's part of a seed.
  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox) throws {
    for fields in try seed.optionalObjects("serviceAccounts") ?? [] {
      // An account that another sandbox has is left to it: `provision` makes one for this sandbox.
      _ = try account(from: fields).keep(in: sandbox)
    }
    if let fields = try seed.optionalObject("settings") {
      var settings = try Settings.current(in: sandbox)
      try settings.merge(fields)
      try settings.keep(in: sandbox)
    }
  }

  /// The vendor's part of an export.
  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    let accounts = try ServiceAccount.all(in: sandbox).map { account in
      JSON.object(
        [
          .init(name: "projectId", value: .string(account.projectID)),
          .init(name: "clientEmail", value: .string(account.clientEmail)),
        ] + (account.publicKey.map { [.init(name: "publicKey", value: .string($0))] } ?? []))
    }
    return .object([
      .init(name: "serviceAccounts", value: .array(accounts)),
      .init(name: "settings", value: try JSON(parsing: Settings.current(in: sandbox).encoded)),
    ])
  }

  /// Sees to it that a sandbox has a service account. Another sandbox may have been seeded with the one that is drawn
  /// first, from an export: then the next is drawn.
  package static func createCredentials(in sandbox: Sandbox) throws {
    guard try ServiceAccount.all(in: sandbox).isEmpty else { return }
    try generateUnique { ending in
      let label = "project of \(sandbox.name)\(ending)"
      let project = "ringfence-" + sandbox.entropy.secret(label, length: 16, of: .hex)
      let email = "firebase-adminsdk@\(project).iam.gserviceaccount.com"
      return try ServiceAccount(projectID: project, clientEmail: email, publicKey: nil).keep(in: sandbox)
    }
  }

  /// What clients of a sandbox sign in with; without a key in its seeds there is no file to sign in with.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    let accounts = try ServiceAccount.all(in: sandbox)
    guard let account = accounts.first(where: { $0.publicKey == nil }) else { return [] }
    let named = [
      (name: "projectId", value: account.projectID), (name: "clientEmail", value: account.clientEmail),
      (name: "tokenUri", value: tokenURI),
    ]
    guard let key = try sandbox.keys[.accounts]?.barePrivatePEM else { return named }
    return named + [
      (name: "privateKey", value: key), (name: ServiceAccount.whole, value: account.file(privateKey: key)),
    ]
  }
}

private func account(from fields: Fields) throws(FieldError) -> ServiceAccount {
  let project = try fields.string("projectId")
  guard ServiceAccount.isProject(project) else {
    throw fields.mismatch("projectId", expected: ServiceAccount.projectForm)
  }
  let email = try fields.string("clientEmail")
  guard EmailAddress.isValid(email) else {
    throw fields.mismatch("clientEmail", expected: "an email address")
  }
  let key = try fields.optionalText("publicKey", expected: "a public RSA key in PEM") {
    RSAPublicKey(pem: $0) != nil
  }
  return ServiceAccount(projectID: project, clientEmail: email, publicKey: key)
}

extension SigningKey {
  /// The private key without what stands around it, for readers that want it so.
  fileprivate var barePrivatePEM: String {
    let lines = privatePEM.split(separator: "\n", omittingEmptySubsequences: true)
    return lines.drop { !$0.hasPrefix("-----BEGIN") }.map { $0 + "\n" }.joined()
  }
}
