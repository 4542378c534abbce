package import Domain
package import JSON
import ProviderKit

// What `Seeds/<story>/twilio.json` may say: `account`, `services`, `settings`.

extension TwilioProvider {
  /// Loads the vendor's part of a seed.
  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox) throws {
    if let account = try seed.optionalObject("account") { try loadAccount(account, into: sandbox) }
    for fields in try seed.optionalObjects("services") ?? [] { try loadService(fields, into: sandbox) }
    if let fields = try seed.optionalObject("settings") {
      var settings = try Settings.current(in: sandbox)
      try settings.merge(fields)
      try settings.keep(in: sandbox)
    }
  }

  /// The vendor's part of an export; secrets are masked, so that of accounts only the standard one is told.
  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    let (standard, key) = try standardCredentials(of: sandbox)
    let services = try sandbox.records.all(Service.section).map { try Service($0) }
    let settings = try Settings.current(in: sandbox)
    var account: [JSON.Member] = []
    if let standard {
      account.append(.init(name: "accountSid", value: .string(standard.name)))
      account.append(.init(name: "authToken", value: .string(maskedSecret)))
    }
    if let key {
      account.append(.init(name: "apiKeySid", value: .string(key.name)))
      account.append(.init(name: "apiKeySecret", value: .string(maskedSecret)))
    }
    return .object([
      .init(name: "account", value: .object(account)),
      .init(
        name: "services",
        value: .array(
          services.map { service in
            .object([
              .init(name: "sid", value: .string(service.sid)),
              .init(name: "settings", value: service.settings),
            ])
          })),
      .init(name: "settings", value: try JSON(parsing: JSONWriter.object { settings.write(to: &$0) })),
    ])
  }

  /// Sees to it that a sandbox has an account with an API key, and a Service.
  package static func createCredentials(in sandbox: Sandbox) throws {
    try provisionAccount(sandbox)
    guard try sandbox.records.all(Service.section).isEmpty else { return }
    let ordinal = sandbox.nextOrdinal()
    let sid = sandbox.entropy.labelledIdentifier("VA", ordinal)
    var service = Service(sid: sid, account: try standardAccount(of: sandbox), at: sandbox.clock.now)
    service.friendlyName = "Sandbox Service"
    try service.keep(in: sandbox, ordinal: ordinal)
  }

  /// What clients of a sandbox sign in with, and the Service they verify with.
  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    let (account, key) = try standardCredentials(of: sandbox)
    let service = try sandbox.records.all(Service.section).first?.key
    return [
      ("accountSid", account?.name), ("authToken", account?.secret), ("apiKeySid", key?.name),
      ("apiKeySecret", key?.secret), ("serviceSid", service),
    ].compactMap { pair in pair.1.map { (name: pair.0, value: $0) } }
  }
}

/// The sandbox's first account and the first key of that.
private func standardCredentials(
  of sandbox: Sandbox
) throws -> (account: Credential?, key: Credential?) {
  let all = try sandbox.accounts.all(of: TwilioProvider.name)
  let account = all.first { $0.name == $0.account }
  return (account, all.first { $0.name != $0.account && $0.account == account?.name })
}

private func loadAccount(_ fields: Fields, into sandbox: Sandbox) throws {
  let account = try fields.string("accountSid")
  guard SidKind.account.matches(account) else {
    throw fields.mismatch("accountSid", expected: "AC and 32 hex digits")
  }
  try load(account, secret: try fields.string("authToken"), account: account, into: sandbox)
  guard let key = try fields.optionalString("apiKeySid") else { return }
  guard SidKind.apiKey.matches(key) else {
    throw fields.mismatch("apiKeySid", expected: "SK and 32 hex digits")
  }
  try load(key, secret: try fields.string("apiKeySecret"), account: account, into: sandbox)
}

/// A credential that another sandbox has is left to it: `provision` mints fresh ones for this sandbox.
private func load(_ name: String, secret: String, account: String, into sandbox: Sandbox) throws {
  guard secret != maskedSecret else { return }
  _ = try sandbox.accounts.register(
    Credential(provider: TwilioProvider.name, name: name, secret: secret, account: account))
}

private func loadService(_ fields: Fields, into sandbox: Sandbox) throws {
  let sid = try fields.string("sid")
  guard SidKind.service.matches(sid) else { throw fields.mismatch("sid", expected: "VA and 32 hex digits") }
  let known = try sandbox.records.find(sid, in: Service.section).map { try Service($0) }
  try provisionAccount(sandbox)
  var service = try known ?? Service(sid: sid, account: standardAccount(of: sandbox), at: sandbox.clock.now)
  let settings = try fields.object("settings")
  try service.load(settings)
  guard service.friendlyName != nil else { throw settings.mismatch("FriendlyName", expected: "a name") }
  try service.keep(in: sandbox)
}

private func provisionAccount(_ sandbox: Sandbox) throws {
  guard try sandbox.accounts.all(of: TwilioProvider.name).isEmpty else { return }
  let secret = sandbox.entropy.secret("API key secret of \(sandbox.name)", length: 32, of: .alphanumeric)
  try generateUnique { ending in
    let account = "AC" + hexSecret("account", sandbox, ending)
    let token = hexSecret("auth token", sandbox, ending)
    return try sandbox.accounts.register(
      Credential(provider: TwilioProvider.name, name: account, secret: token, account: account),
      Credential(
        provider: TwilioProvider.name, name: "SK" + hexSecret("API key", sandbox, ending), secret: secret,
        account: account
      ))
  }
}

private func hexSecret(_ label: String, _ sandbox: Sandbox, _ ending: String) -> String {
  sandbox.entropy.secret("\(label) of \(sandbox.name)\(ending)", length: 32, of: .hex)
}
