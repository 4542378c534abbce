package import ProviderKit

// The member `fcm` of a seed: `serviceAccounts` and `settings`. Devices and their tokens are in the seed's
// own member `devices`, because other providers use them too.

extension FCMProvider {
  package static var seed: SeedForm {
    SeedForm(
      "FCM",
      [
        .records(
          "serviceAccounts", ServiceAccount.schema,
          "Accounts that may send. No other sandbox may have them, or their projects.",
          key: ["projectId", "clientEmail"], omitting: ServiceAccount(), load: ServiceAccount.load,
          all: ServiceAccount.all),
        Settings.seed(),
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
    guard let key = try sandbox.keys[.accounts]?.barePrivatePEM(in: sandbox) else { return credentials }
    return credentials + [
      (name: "privateKey", value: key),
      (name: ServiceAccount.fileCredential, value: account.file(privateKey: key)),
    ]
  }
}
