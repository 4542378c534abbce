package import Domain
package import JSON
import ProviderKit

// The member `fcm` of a seed: `serviceAccounts` and `settings`. Devices and their tokens are in the seed's
// own member `devices`, because other providers use them too.

extension FCMProvider {
  package static let seedSchema = ObjectSchema(
    "FCMSeed", "FCM's part of a seed.",
    [
      .init(
        "serviceAccounts", .array(.object(ServiceAccount.schema.object), maxItems: SandboxLimits.records),
        "Accounts that may send. No other sandbox may have them, or their projects."),
      .init("settings", .object(Settings.schema.object), Settings.schema.summary),
    ])

  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws {
    try steps.addRecords("serviceAccounts", of: seed) { fields in
      var account = ServiceAccount()
      try ServiceAccount.schema.merge(fields, into: &account)
      try sandbox.accounts.refuseTaken(account.clientEmail, of: name, at: "\(fields.path).clientEmail")
      try sandbox.accounts.refuseTaken(account.projectID, of: name, at: "\(fields.path).projectId")
      // One that another sandbox has is left out: `createCredentials` makes one for this sandbox.
      _ = try account.keep(in: sandbox)
    }
    try steps.addObject("settings", of: seed) { try Settings.load($0, into: sandbox) }
  }

  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    let accounts = try ServiceAccount.all(in: sandbox).map { account in
      try JSON(
        parsing: JSONWriter.object {
          ServiceAccount.schema.writeDifferences(account, from: ServiceAccount(), to: &$0)
        })
    }
    return .object([
      .init(name: "serviceAccounts", value: .array(accounts)),
      .init(name: "settings", value: try Settings.current(in: sandbox).json),
    ])
  }

  /// Gives a sandbox a service account, unless seeds have.
  package static func createCredentials(in sandbox: Sandbox) throws {
    guard try ServiceAccount.all(in: sandbox).isEmpty else { return }
    try generateUnique { suffix in
      let label = "project of \(sandbox.name)\(suffix)"
      let project = "ringfence-" + sandbox.credentialName(label, length: 16, of: .hex)
      // Accounts of all sandboxes sign with one key, so only their own back ends may know their names.
      let name = sandbox.tokenEntropy.secret(label, length: 16, of: .base32).lowercased()
      let email = "firebase-adminsdk-\(name)@\(project).iam.gserviceaccount.com"
      return try ServiceAccount(projectID: project, clientEmail: email).keep(in: sandbox)
    }
  }

  /// Without a private key in the seeds, there is no service account file.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    let accounts = try ServiceAccount.all(in: sandbox)
    guard let account = accounts.first(where: { $0.publicKey == nil }) else { return [] }
    let credentials = [
      (name: "projectId", value: account.projectID), (name: "clientEmail", value: account.clientEmail),
      (name: "tokenUri", value: TokenAddress.newest),
    ]
    guard let key = try sandbox.keys[.accounts]?.barePrivatePEM else { return credentials }
    return credentials + [
      (name: "privateKey", value: key),
      (name: ServiceAccount.fileCredential, value: account.file(privateKey: key)),
    ]
  }
}
