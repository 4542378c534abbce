package import Domain
package import JSON
import ProviderKit

// The member `apns` of a seed: `keys`, `certificates` and `settings`. Devices and their tokens are in the
// seed's own member `devices`, because other providers use them too.

extension APNsProvider {
  package static let seedSchema = ObjectSchema(
    "APNsSeed", "APNs' part of a seed.",
    [
      .init(
        "keys", .array(.object(Key.schema.object), maxItems: SandboxLimits.records),
        "Keys that sign provider tokens. No other sandbox may have them."),
      .init(
        "certificates", .array(.object(PushCertificate.Seed.schema.object), maxItems: SandboxLimits.records),
        "Certificates by which back ends identify themselves. No other sandbox may have them."),
      .init("settings", .object(Settings.schema.object), Settings.schema.summary),
    ])

  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws {
    try steps.addRecords("keys", of: seed) { fields in
      var key = Key()
      try Key.schema.merge(fields, into: &key)
      try sandbox.accounts.refuseTaken(key.keyID, of: name, at: "\(fields.path).keyId")
      // One that another sandbox has is left out: `createCredentials` makes one for this sandbox.
      _ = try key.keep(in: sandbox)
    }
    try steps.addRecords("certificates", of: seed) { try PushCertificate.Seed.load($0, into: sandbox) }
    try steps.addObject("settings", of: seed) { try Settings.load($0, into: sandbox) }
  }

  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    let keys = try Key.all(in: sandbox).map { key in
      try JSON(parsing: JSONWriter.object { Key.schema.writeDifferences(key, from: Key(), to: &$0) })
    }
    return .object([
      .init(name: "keys", value: .array(keys)),
      .init(
        name: "certificates",
        value: .array(try PushCertificate.all(in: sandbox).map { PushCertificate.Seed.schema.json($0) })),
      .init(name: "settings", value: try Settings.current(in: sandbox).json),
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
