package import ProviderKit

// The member `apns` of a seed: `keys`, `certificates` and `settings`. Devices and their tokens are in the
// seed's own member `devices`, because other providers use them too.

extension APNsProvider {
  package static var seed: SeedForm {
    SeedForm(
      "APNs",
      [
        .records(
          "keys", Key.schema, "Keys that sign provider tokens. No other sandbox may have them.",
          key: ["teamId", "keyId"], omitting: Key(),
          load: Key.load, all: Key.all),
        .records(
          "certificates", PushCertificate.Seed.schema,
          "Certificates by which back ends identify themselves. No other sandbox may have them.",
          load: PushCertificate.Seed.load, all: PushCertificate.all),
        Settings.seed(),
      ])
  }

  /// Gives a sandbox a team and a key, unless seeds have.
  package static func createCredentials(in sandbox: Sandbox) throws {
    guard try Key.all(in: sandbox).isEmpty else { return }
    try generateUnique { suffix in
      var key = Key()
      key.teamID = sandbox.entropy.secret("APNs team of \(sandbox.name)", length: 10, of: .base32)
      key.keyID = sandbox.credentialName("APNs key of \(sandbox.name)\(suffix)", length: 10, of: .base32)
      return try key.keep(in: sandbox)
    }
  }

  /// Those of the first key that the sandbox has generated. Without one, there is no key file.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    guard let (key, privateKey) = try Key.own(in: sandbox) else { return [] }
    return [
      (name: Key.teamCredential, value: key.teamID), (name: Key.idCredential, value: key.keyID),
      (name: Key.fileCredential, value: privateKey),
    ]
  }
}
