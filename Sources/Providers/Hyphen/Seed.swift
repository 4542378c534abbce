package import ProviderKit

// The member `hyphen` of a seed. Source: contract 8.

extension HyphenProvider {
  package static var seed: SeedForm {
    SeedForm(
      "Hyphen",
      [
        .records(
          "apps", App.schema, "Apps with their secrets, which no other sandbox may have.", load: App.load
        ) { sandbox in
          try App.all(in: sandbox).map { app in
            var masked = app
            masked.secret = maskedSecret
            return masked
          }
        },
        .records(
          "accounts", SeededAccount.schema,
          "Users with an account. It is created when the user signs in first.", omitting: SeededAccount(),
          load: SeededAccount.load, all: SeededAccount.all),
        .records(
          "locations", Location.schema, "Where addresses are, in requests for approval.",
          from: { _ in Location() }, save: Location.save, all: Location.all),
        Settings.seed(),
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
