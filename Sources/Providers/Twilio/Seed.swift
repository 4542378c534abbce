package import ProviderKit

// The member `twilio` of a seed: `account`, `services`, `templates`, `contentTemplates`, `numbers`,
// `messagingServices` and `settings`.

extension TwilioProvider {
  package static var seed: SeedForm {
    SeedForm(
      "Twilio",
      [
        .object(
          "account", AccountSeed.schema.object,
          "The account that clients sign in with. A masked secret, as exports have it, changes nothing.",
          load: loadAccount
        ) { sandbox in
          try AccountSeed(of: sandbox).map { AccountSeed.schema.json($0, omitting: AccountSeed()) }
        },
        .list("services", of: serviceSchema, "Verify Services.", load: loadService) { sandbox in
          try sandbox.records.all(Service.section).map { item in
            let service = try Service(item)
            return .object([
              .init(name: "sid", value: .string(service.sid)),
              .init(name: "settings", value: Service.parameterSchema.json(service)),
            ])
          }
        },
        .records(
          "templates", Template.schema, "Message templates beside the built-in ones.", load: Template.load,
          all: Template.own
        ).unlessEmpty,
        .records(
          "contentTemplates", ContentTemplate.schema, "Content templates for plain messages.",
          load: ContentTemplate.load, all: ContentTemplate.all
        ).unlessEmpty,
        .records(
          "numbers", OwnNumber.schema, "Phone numbers of the account. They are senders, too.",
          omitting: OwnNumber(), load: OwnNumber.load, all: OwnNumber.stored
        ).unlessEmpty,
        .records(
          "messagingServices", MessagingService.schema, "What texts to senders of a Messaging Service call.",
          omitting: MessagingService(), load: MessagingService.load, all: MessagingService.all
        ).unlessEmpty,
        Settings.seed(),
      ])
  }

  /// Gives a sandbox an account with an API key, and a Service, unless seeds have.
  package static func createCredentials(in sandbox: Sandbox) throws {
    try createAccount(in: sandbox)
    guard try sandbox.records.all(Service.section).isEmpty else { return }
    let ordinal = sandbox.nextOrdinal()
    let sid = sandbox.entropy.labelledIdentifier("VA", ordinal)
    var service = Service(
      sid: sid, account: try Authentication.defaultAccount(of: sandbox), at: sandbox.clock.now)
    service.friendlyName = Service.defaultName
    try service.keep(in: sandbox, ordinal: ordinal)
  }

  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    let (account, key, client) = try defaultCredentials(of: sandbox)
    let service = try sandbox.records.all(Service.section).first?.key
    let test = try testCredential(of: sandbox)
    return [
      ("accountSid", account?.name), ("authToken", account?.secret), ("apiKeySid", key?.name),
      ("apiKeySecret", key?.secret), ("serviceSid", service), ("oauthClientId", client?.name),
      ("oauthClientSecret", client?.secret), ("testAccountSid", test?.name),
      ("testAuthToken", test?.secret),
    ].compactMap { pair in pair.1.map { (name: pair.0, value: $0) } }
  }
}

/// The member `account`. Of several accounts only the default one is exported.
private struct AccountSeed {
  var accountSid = ""
  var authToken = ""
  var apiKeySid: String?
  var apiKeySecret: String?
  var oauthClient: OAuthClientSeed?
  var testAccountSid: String?
  var testAuthToken: String?

  static let schema = Schema<AccountSeed>(
    "TwilioAccount", "An account with its API key and its OAuth client.",
    [
      .required("accountSid", \.accountSid, .sid(.account), "AC and 32 hex digits."),
      .required("authToken", \.authToken, .string, "The account's secret."),
      .nullable(
        "apiKeySid", \.apiKeySid, .sid(.apiKey),
        "An API key of the account: SK and 32 hex digits. Needs apiKeySecret."),
      .nullable("apiKeySecret", \.apiKeySecret, .string, "The API key's secret. Needs apiKeySid."),
      .nullable(
        "oauthClient", \.oauthClient, .object(OAuthClientSeed.schema) { OAuthClientSeed() },
        "An OAuth client of the account."),
      .nullable(
        "testAccountSid", \.testAccountSid, .sid(.account),
        "The account SID of the test credentials, which Verify refuses with 20008. Needs testAuthToken."),
      .nullable(
        "testAuthToken", \.testAuthToken, .string, "The test credentials' secret. Needs testAccountSid."),
    ],
    constraints: [
      .together(["apiKeySid", "apiKeySecret"]), .together(["testAccountSid", "testAuthToken"]),
    ])

  init() {}

  /// Nil without an account. Secrets are masked.
  init?(of sandbox: Sandbox) throws {
    let (account, key, client) = try defaultCredentials(of: sandbox)
    guard let account else { return nil }
    (accountSid, authToken) = (account.name, maskedSecret)
    if let key { (apiKeySid, apiKeySecret) = (key.name, maskedSecret) }
    if let client { oauthClient = OAuthClientSeed(id: client.name, secret: maskedSecret) }
    if let test = try testCredential(of: sandbox) {
      (testAccountSid, testAuthToken) = (test.name, maskedSecret)
    }
  }

  /// The names of all credentials, with their members in seeds.
  var all: [(member: String, name: String)] {
    [("accountSid", accountSid)] + others.map { ($0.member, $0.name) }
      + (testAccountSid.map { [("testAccountSid", $0)] } ?? [])
  }

  /// The credentials beside the account's own, with their members in seeds.
  var others: [(member: String, name: String, secret: String)] {
    [
      ("apiKeySid", apiKeySid, apiKeySecret), ("oauthClient.id", oauthClient?.id, oauthClient?.secret),
    ].compactMap { member, name, secret in
      guard let name, let secret else { return nil }
      return (member, name, secret)
    }
  }
}

/// The member `oauthClient` of an account.
private struct OAuthClientSeed: Equatable, Sendable {
  var id = ""
  var secret = ""

  static let schema = Schema<OAuthClientSeed>(
    "TwilioOAuthClient", "An OAuth client of an account.",
    [
      .required("id", \.id, .sid(.oauthClient), "OQ and 32 hex digits."),
      .required("secret", \.secret, .string, "Its secret."),
    ])
}

private func loadAccount(_ fields: Fields, into sandbox: Sandbox) throws {
  var seed = AccountSeed()
  try AccountSeed.schema.merge(fields, into: &seed)
  for (member, sid) in seed.all {
    try sandbox.accounts.refuseTaken(sid, of: TwilioProvider.name, at: "\(fields.path).\(member)")
  }
  if let sid = seed.testAccountSid, let token = seed.testAuthToken {
    try load(sid, secret: token, account: testAccount, into: sandbox)
  }
  let isAccountTaken = try sandbox.accounts.isTaken(seed.accountSid, of: TwilioProvider.name)
  let taken = try seed.others.first { try sandbox.accounts.isTaken($0.name, of: TwilioProvider.name) }
  let hasMasked = seed.others.contains { $0.secret == maskedSecret }
  // Credentials of another sandbox stay there: `createCredentials` makes new ones for this sandbox.
  if isAccountTaken, taken != nil || hasMasked || seed.others.isEmpty { return }
  guard !isAccountTaken, taken == nil else {
    throw FieldError(
      path: "\(fields.path).\(isAccountTaken ? "accountSid" : taken?.member ?? "")",
      expected: "an account, an API key and an OAuth client that no other sandbox has",
      found: "\(isAccountTaken ? seed.accountSid : taken?.name ?? "") of another sandbox")
  }
  try load(seed.accountSid, secret: seed.authToken, account: seed.accountSid, into: sandbox)
  for other in seed.others where other.secret != maskedSecret {
    guard try sandbox.accounts.find(seed.accountSid, of: TwilioProvider.name) != nil else {
      throw fields.mismatch(
        "authToken", expected: "the secret of an account that this sandbox does not have")
    }
    try load(other.name, secret: other.secret, account: seed.accountSid, into: sandbox)
  }
}

private func load(_ name: String, secret: String, account: String, into sandbox: Sandbox) throws {
  guard secret != maskedSecret else { return }
  _ = try sandbox.accounts.register(
    Credential(provider: TwilioProvider.name, name: name, secret: secret, account: account))
}

private let serviceSchema = ObjectSchema(
  "TwilioService", "A Verify Service. One that exists keeps the parameters that are not named.",
  [
    .init("sid", FieldType.sid(.service).schema, "VA and 32 hex digits.", .required),
    .init("settings", .object(Service.parameterSchema.object), "Its parameters.", .required),
  ])

private func loadService(_ fields: Fields, into sandbox: Sandbox) throws {
  let sid = try fields.value("sid", .sid(.service))
  let existing = try sandbox.records.find(sid, in: Service.section).map { try Service($0) }
  try createAccount(in: sandbox)
  var service =
    try existing
    ?? Service(sid: sid, account: Authentication.defaultAccount(of: sandbox), at: sandbox.clock.now)
  let parameters = try fields.object("settings")
  try Service.parameterSchema.merge(parameters, into: &service)
  guard service.friendlyName != nil else { throw parameters.mismatch("FriendlyName", expected: "a name") }
  try service.keep(in: sandbox)
}

private func testCredential(of sandbox: Sandbox) throws -> Credential? {
  try sandbox.accounts.all(of: TwilioProvider.name).first { $0.account == testAccount }
}

/// The sandbox's first account, and the first API key and OAuth client of that account.
private func defaultCredentials(
  of sandbox: Sandbox
) throws -> (account: Credential?, key: Credential?, client: Credential?) {
  let all = try sandbox.accounts.all(of: TwilioProvider.name)
  let account = all.first { $0.name == $0.account }
  func first(_ kind: SidKind) -> Credential? {
    all.first { kind.matches($0.name) && $0.account == account?.name }
  }
  return (account, first(.apiKey), first(.oauthClient))
}

private func createAccount(in sandbox: Sandbox) throws {
  let known = try sandbox.accounts.all(of: TwilioProvider.name)
  guard !known.contains(where: { $0.name == $0.account }) else { return }
  let keySecret = sandbox.entropy.secret("API key secret of \(sandbox.name)", length: 32, of: .alphanumeric)
  let clientSecret = sandbox.entropy.secret("OAuth secret of \(sandbox.name)", length: 64, of: .alphanumeric)
  try generateUnique { suffix in
    func hex(_ label: String) -> String {
      sandbox.credentialName("\(label) of \(sandbox.name)\(suffix)", length: 32, of: .hex)
    }
    let account = "AC" + hex("account")
    let token = sandbox.entropy.secret(
      "auth token of \(sandbox.name)\(suffix)", length: 32, of: .hex)
    return try sandbox.accounts.register(
      Credential(provider: TwilioProvider.name, name: account, secret: token, account: account),
      Credential(
        provider: TwilioProvider.name, name: "SK" + hex("API key"), secret: keySecret, account: account),
      Credential(
        provider: TwilioProvider.name, name: "OQ" + hex("OAuth client"), secret: clientSecret,
        account: account))
  }
}
