package import Domain
package import JSON
import ProviderKit

extension PreludeProvider {
  package static let seedSchema = ObjectSchema(
    "PreludeSeed", "Prelude's part of a seed.",
    [
      .init("account", .object(SeedKeys.schema.object), SeedKeys.schema.summary),
      .init("settings", .object(Settings.schema.object), Settings.schema.summary),
      .init(
        "numbers", .array(.object(NumberScenario.schema.object), maxItems: SandboxLimits.records),
        "Scenarios of single numbers. They override those of the last two digits."),
      .init(
        "allowList", .array(FieldType.phoneNumber.schema, maxItems: SandboxLimits.numbers),
        "Numbers that the fraud rules do not apply to."),
      .init(
        "blockList", .array(FieldType.phoneNumber.schema, maxItems: SandboxLimits.numbers),
        "Numbers to which nothing is sent."),
      .init(
        "testNumbers", .array(.object(TestNumber.schema.object), maxItems: SandboxLimits.records),
        "Numbers that nothing is sent to and that have one valid code."),
      .init(
        "senderIds", .array(.object(SenderID.schema.object), maxItems: SandboxLimits.records),
        "Names that messages may come from, with their approval status."),
      .init(
        "templates", .array(.object(Template.schema.object), maxItems: SandboxLimits.records),
        "Message templates of Notify. Unknown templates take any variables, unless the setting templates is seeded."
      ),
      .init(
        "inboundMessages", .array(.object(InboundMessage.schema.object), maxItems: SandboxLimits.records),
        "Messages that people have sent. WhatsApp messages can be replied to for a day, RCS messages forever."
      ),
      .init(
        "subscriptions", .array(.object(SubscriptionConfig.seedSchema), maxItems: SandboxLimits.records),
        "Configurations of marketing subscriptions, with their phone numbers."),
    ])

  package static func loadSeed(_ seed: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws {
    try steps.addObject("account", of: seed) { try loadKeys($0, into: sandbox) }
    try steps.addObject("settings", of: seed) { try Settings.load($0, into: sandbox) }
    try steps.addRecords("numbers", of: seed, NumberScenario.schema, empty: NumberScenario()) {
      try $0.save(in: sandbox)
    }
    for list in NumberList.allCases {
      let numbers = try FieldType.array(of: .phoneNumber, maxItems: SandboxLimits.numbers).read(
        seed, list.seedName)
      steps.addParts(of: numbers ?? [], upTo: 100) { try list.add($0, in: sandbox) }
    }
    let now = sandbox.clock.now
    try steps.addRecords("testNumbers", of: seed, TestNumber.schema, empty: TestNumber(at: now)) {
      try $0.save(in: sandbox)
    }
    try steps.addRecords("senderIds", of: seed, SenderID.schema, empty: SenderID()) {
      try $0.save(in: sandbox)
    }
    try steps.addRecords("templates", of: seed, Template.schema, empty: Template()) {
      try $0.save(in: sandbox)
    }
    try steps.addRecords("inboundMessages", of: seed, InboundMessage.schema, empty: InboundMessage(at: now)) {
      try $0.save(in: sandbox)
    }
    for fields in try seed.optionalObjects("subscriptions", atMost: SandboxLimits.records) ?? [] {
      try SubscriptionConfig.load(fields, into: sandbox, &steps)
    }
  }

  /// The keys are masked.
  package static func exportSeed(from sandbox: Sandbox) throws -> JSON {
    let settings = try Settings.current(in: sandbox)
    let scenarios = try NumberScenario.all(in: sandbox)
    let lists = try NumberList.allCases.map { (name: $0.seedName, entries: try $0.entries(in: sandbox)) }
    let testNumbers = try TestNumber.all(in: sandbox)
    let senders = try SenderID.all(in: sandbox)
    let templates = try Template.all(in: sandbox)
    let messages = try InboundMessage.all(in: sandbox)
    let subscriptions = try SubscriptionConfig.list(in: sandbox).map { entry in
      (config: entry.record, events: try Membership.allEvents(of: entry.record.id, in: sandbox))
    }
    let bytes = JSONWriter.object { json in
      json.object("account") { json in
        for kind in APIKeyKind.allCases { json.member(named: kind.rawValue, maskedSecret) }
      }
      json.object("settings") { Settings.schema.write(settings, to: &$0) }
      json.array("numbers", scenarios, NumberScenario.schema)
      for list in lists { json.member(named: list.name, list.entries.map(\.number)) }
      json.array("testNumbers", testNumbers, TestNumber.schema)
      json.array("senderIds", senders, SenderID.schema)
      json.array("templates", templates, Template.schema)
      json.array("inboundMessages", messages, InboundMessage.schema)
      json.array("subscriptions", subscriptions) { json, subscription in
        json.value { json in
          SubscriptionConfig.schema.write(subscription.config, to: &json)
          json.array("members", subscription.events, Membership.schema)
        }
      }
    }
    return try JSON(parsing: bytes, limits: .seed)
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

/// The keys of the account in a seed.
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

  @Sendable
  private static func isKey(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

private func loadKeys(_ fields: Fields, into sandbox: Sandbox) throws {
  var keys = SeedKeys()
  try SeedKeys.schema.merge(fields, into: &keys)
  for (kind, member, key) in [
    (APIKeyKind.apiToken, "apiToken", keys.apiToken), (.sdkKey, "sdkKey", keys.sdkKey),
  ] {
    guard let key, key != maskedSecret else { continue }
    try sandbox.accounts.refuseTaken(key, of: PreludeProvider.name, at: "\(fields.path).\(member)")
    _ = try register(key, as: kind, in: sandbox)
  }
}

/// False if another sandbox has the key. The key is both the name and the secret of the credential.
private func register(_ key: String, as kind: APIKeyKind, in sandbox: Sandbox) throws -> Bool {
  try sandbox.accounts.register(
    Credential(provider: PreludeProvider.name, name: key, secret: key, account: kind.rawValue))
}

extension NumberList {
  fileprivate var seedName: String { "\(rawValue)List" }
}

extension JSONWriter {
  fileprivate mutating func array<Record>(
    _ name: StaticString, _ records: [Record], _ schema: Schema<Record>
  ) {
    array(name, records) { json, record in json.value { schema.write(record, to: &$0) } }
  }
}
