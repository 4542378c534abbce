import ProviderKit

/// A question to the holder of a factor. Source: contract 9.3.
struct FactorChallenge: StoredRecord, Equatable {
  enum Status: String, CaseIterable, Sendable {
    case pending, approved, denied, expired
  }

  enum Answer: String, CaseIterable, Sendable {
    case approved, denied
  }

  var sid = ""
  /// The account that created it.
  var account = ""
  var service = ""
  /// SID of its entity; empty for a challenge for any passkey.
  var entity = ""
  var identity = ""
  /// SID of its factor.
  var factor = ""
  var kind = Factor.Kind.push
  var createdAt = Timestamp.earliest
  var updatedAt = Timestamp.earliest
  var expiresAt = Timestamp.earliest
  var answer: Answer?
  var respondedAt: Timestamp?
  /// What the user sees: `message`, `fields`, and `date` if the Service wants it. Nil for a TOTP challenge
  /// without them.
  var details: JSON?
  /// An object with texts.
  var hiddenDetails: JSON?
  /// From the device: an object with texts.
  var metadata: JSON?
  /// Wrong TOTP codes.
  var failures = 0
  /// Pushes after the first one.
  var notifications = 0

  private static let schema = Schema<FactorChallenge>([
    .required("sid", \.sid, .string),
    .required("account", \.account, .string),
    .required("service", \.service, .string),
    .required("entity", \.entity, .string),
    .required("identity", \.identity, .string),
    .required("factor", \.factor, .string),
    .required("kind", \.kind, .word),
    .required("createdAt", \.createdAt, .timestamp),
    .required("updatedAt", \.updatedAt, .timestamp),
    .required("expiresAt", \.expiresAt, .timestamp),
    .optional("answer", \.answer, .word),
    .optional("respondedAt", \.respondedAt, .timestamp),
    .optional("details", \.details, .json),
    .optional("hiddenDetails", \.hiddenDetails, .json),
    .optional("metadata", \.metadata, .json),
    .field("failures", \.failures, .count, default: 0),
    .field("notifications", \.notifications, .count, default: 0),
  ])

  var key: String { sid }
  static let table = RecordTable("challenge", of: TwilioProvider.name, schema) { FactorChallenge() }

  /// Older ones are deleted.
  private static let limitPerEntity = 1000

  func status(at now: Timestamp) -> Status {
    switch answer {
    case .approved: .approved
    case .denied: .denied
    case nil: now < expiresAt ? .pending : .expired
    }
  }

  /// True for the factor types whose answer is a signature.
  var isSigned: Bool { kind == .push }

  static func sid(_ kind: Factor.Kind, _ ordinal: Int, in sandbox: Sandbox) -> String {
    "YC\(kind.digits)\(sandbox.entropy.identifier("YC", ordinal).suffix(30))"
  }

  /// Inserts a new challenge under the ordinal of its SID.
  func insert(ordinal: Int, in sandbox: Sandbox) throws {
    try Self.table.add(
      self, as: sid, group: group, ordinal: ordinal, keeping: Self.limitPerEntity, in: sandbox)
  }

  /// A challenge for any passkey belongs to the Service.
  var group: String { entity.isEmpty ? service : entity }

  /// Deletes the challenges of an entity, or those of a Service that belong to no entity.
  static func deleteAll(of owner: String, in sandbox: Sandbox) throws {
    try table.deleteGroup(owner, in: sandbox)
  }

  /// Challenges of an entity next to a boundary, oldest first.
  static func list(
    of entity: Entity, from border: PageBoundary, limit: Int, in sandbox: Sandbox,
    where isSelected: (FactorChallenge) -> Bool
  ) throws -> [(position: Int, record: FactorChallenge)] {
    try table.list(group: entity.sid, from: border, limit: limit, in: sandbox, where: isSelected)
  }
}

/// The resource in answers. Source: contract 9.3.
extension FactorChallenge {
  func body(for context: RequestContext) -> [UInt8] {
    JSONWriter.object { write(to: &$0, for: context) }
  }

  func write(to json: inout JSONWriter, for context: RequestContext) {
    let url = "\(Entity.url(of: identity, in: context))/Challenges/\(sid)"
    json.member("sid", sid)
    json.member("account_sid", context.shownAccount)
    writeFixedMembers(to: &json)
    updatedAt.write(iso8601: "date_updated", to: &json)
    json.member("date_responded", respondedAt?.iso8601)
    json.member("expiration_date", expiresAt.iso8601)
    json.member("status", status(at: context.sandbox.clock.now).rawValue)
    json.member("responded_reason", "none")
    json.member("metadata", metadata)
    json.member("factor_type", kind.rawValue)
    json.member("url", url)
    json.object("links") { $0.member("notifications", joining: url, "/Notifications") }
  }

  /// Members that stay the same until the answer.
  func writeFixedMembers(to json: inout JSONWriter) {
    json.member("service_sid", service)
    json.member("entity_sid", entity)
    json.member("identity", identity)
    json.member("factor_sid", factor)
    createdAt.write(iso8601: "date_created", to: &json)
    json.member("details", details)
    json.member("hidden_details", hiddenDetails)
  }

  /// What a device may sign, as it has read it. Source: contract 11.8.
  func signableMembers(account: String, at now: Timestamp) throws -> JSON {
    try JSON(
      parsing: JSONWriter.object { json in
        json.member("sid", sid)
        json.member("account_sid", account)
        writeFixedMembers(to: &json)
        updatedAt.write(iso8601: "date_updated", to: &json)
        json.member("date_responded", respondedAt?.iso8601)
        json.member("expiration_date", expiresAt.iso8601)
        json.member("responded_reason", "none")
        json.member("metadata", metadata)
        json.member("factor_type", kind.rawValue)
      })
  }
}
