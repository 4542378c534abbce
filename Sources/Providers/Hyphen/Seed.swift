package import Domain
package import JSON
import ProviderKit

// The member `hyphen` of a seed. Source: contract 8.

extension HyphenProvider {
  package static let seedSchema = ObjectSchema(
    "HyphenSeed", "Hyphen's part of a seed.",
    [
      .init(
        "apps", .array(.object(App.schema.object), maxItems: SandboxLimits.records),
        "Apps with their secrets, which no other sandbox may have."),
      .init(
        "accounts", .array(.object(SeededAccount.schema.object), maxItems: SandboxLimits.records),
        "Users with an account. It is created when the user signs in first."),
      .init(
        "locations", .array(.object(Location.schema.object), maxItems: SandboxLimits.records),
        "Where addresses are, in requests for approval."),
      .init("settings", .object(Settings.schema.object), Settings.schema.summary),
    ])

  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws {
    try steps.addRecords("apps", of: seed) { try App.load($0, into: sandbox) }
    try steps.addRecords("accounts", of: seed) { try SeededAccount.load($0, into: sandbox) }
    try steps.addRecords("locations", of: seed, Location.schema, empty: Location()) {
      try $0.save(in: sandbox)
    }
    try steps.addObject("settings", of: seed) { try Settings.load($0, into: sandbox) }
  }

  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    let apps = try App.all(in: sandbox).map { app in
      var masked = app
      masked.secret = maskedSecret
      return App.schema.json(masked)
    }
    let accounts = try SeededAccount.all(in: sandbox).map { account in
      try JSON(
        parsing: JSONWriter.object {
          SeededAccount.schema.writeDifferences(account, from: SeededAccount(), to: &$0)
        })
    }
    return .object([
      .init(name: "apps", value: .array(apps)),
      .init(name: "accounts", value: .array(accounts)),
      .init(
        name: "locations", value: .array(try Location.all(in: sandbox).map { Location.schema.json($0) })),
      .init(name: "settings", value: try Settings.current(in: sandbox).json),
    ])
  }

  package static func createCredentials(in sandbox: Sandbox) throws {
    try App.createDefault(in: sandbox)
  }

  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    guard let app = try App.all(in: sandbox).first else { return [] }
    return [(name: "appId", value: app.id), (name: "appSecret", value: app.secret)]
  }
}
