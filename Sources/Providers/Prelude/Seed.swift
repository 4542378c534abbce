package import ProviderKit

extension PreludeProvider {
  package static var seed: SeedForm {
    SeedForm(
      "Prelude",
      [
        .object("account", SeedKeys.schema.object, SeedKeys.schema.summary, load: SeedKeys.load) { _ in
          SeedKeys.schema.json(SeedKeys(apiToken: maskedSecret, sdkKey: maskedSecret))
        },
        Settings.seed(),
        .records(
          "numbers", NumberScenario.schema,
          "Scenarios of single numbers. They override those of the last two digits.",
          from: { _ in NumberScenario() }, save: NumberScenario.save, all: NumberScenario.all),
        NumberList.allow.seed("Numbers that the fraud rules do not apply to."),
        NumberList.block.seed("Numbers to which nothing is sent."),
        .records(
          "testNumbers", TestNumber.schema, "Numbers that nothing is sent to and that have one valid code.",
          from: { TestNumber(at: $0.clock.now) }, save: TestNumber.save, all: TestNumber.all),
        .records(
          "senderIds", SenderID.schema, "Names that messages may come from, with their approval status.",
          from: { _ in SenderID() }, save: SenderID.save, all: SenderID.all),
        .records(
          "templates", Template.schema,
          "Message templates of Notify. Unknown templates take any variables, unless the setting templates is seeded.",
          from: { _ in Template() }, save: Template.save, all: Template.all),
        .records(
          "inboundMessages", InboundMessage.schema,
          "Messages that people have sent. WhatsApp messages can be replied to for a day, RCS messages forever.",
          from: { InboundMessage(at: $0.clock.now) }, save: InboundMessage.save, all: InboundMessage.all),
        SubscriptionConfig.seed,
      ])
  }

  /// Creates the keys that a sandbox lacks.
  package static func createCredentials(in sandbox: Sandbox) throws {
    let known = try sandbox.accounts.all(of: name)
    for kind in APIKeyKind.allCases where !known.contains(where: { $0.account == kind.rawValue }) {
      try generateUnique { ending in
        let label = "\(kind.rawValue) of \(sandbox.name)\(ending)"
        let secret = sandbox.credentialName(label, length: 32, of: .alphanumeric)
        return try register(kind.prefix + secret, as: kind, in: sandbox)
      }
    }
  }

  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    let known = try sandbox.accounts.all(of: name)
    return APIKeyKind.allCases.compactMap { kind in
      known.first { $0.account == kind.rawValue }.map { (name: kind.rawValue, value: $0.name) }
    }
  }
}

private struct SeedKeys {
  var apiToken: String?
  var sdkKey: String?

  static let schema = Schema<SeedKeys>(
    nil, "The keys that clients sign in with. A masked key, as in exports, changes nothing.",
    [
      .nullable(
        "apiToken", \.apiToken,
        .text(.string(pattern: "^[!-~]+$"), expected: "a key without spaces", isKey),
        "The key of servers: any text without spaces."),
      .nullable(
        "sdkKey", \.sdkKey,
        .text(
          .string(pattern: "^(sdk_[!-~]*|[*]{8})$"), expected: "a key without spaces that begins with sdk_"
        ) { $0 == maskedSecret || isKey($0) && $0.hasPrefix(APIKeyKind.sdkKey.prefix) },
        "The key of apps: begins with sdk_."),
    ])

  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var keys = SeedKeys()
    try schema.merge(fields, into: &keys)
    for (kind, key) in [(APIKeyKind.apiToken, keys.apiToken), (.sdkKey, keys.sdkKey)] {
      guard let key, key != maskedSecret else { continue }
      try sandbox.accounts.refuseTaken(
        key, of: PreludeProvider.name, at: "\(fields.path).\(kind.rawValue)")
      _ = try register(key, as: kind, in: sandbox)
    }
  }

  @Sendable
  private static func isKey(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// False if another sandbox has the key. The key is both the name and the secret of the credential.
private func register(_ key: String, as kind: APIKeyKind, in sandbox: Sandbox) throws -> Bool {
  try sandbox.accounts.register(
    Credential(provider: PreludeProvider.name, name: key, secret: key, account: kind.rawValue))
}

extension NumberList {
  fileprivate func seed(_ summary: String) -> SeedMember {
    let type = FieldType.array(of: .phoneNumber, maxItems: SandboxLimits.numbers)
    return SeedMember("\(rawValue)List", type.schema, summary) { part, sandbox, steps in
      let numbers = try type.read(part, "\(rawValue)List") ?? []
      steps.addParts(of: numbers, upTo: 100) { try add($0, in: sandbox) }
    } export: {
      .array(try entries(in: $0).map { .string($0.number) })
    }
  }
}
