import ProviderKit

/// Something that a user has, and that answers challenges. Source: contract 9.2.
struct Factor: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case push, totp, passkeys

    /// The third and the fourth character of its SIDs. Source: contract 2.1.
    var digits: String {
      switch self {
      case .push: "03"
      case .totp: "02"
      case .passkeys: "04"
      }
    }
  }

  enum Status: String, CaseIterable, Sendable {
    case unverified, verified
  }

  var sid = ""
  /// The account that created it; its device's tokens name it.
  var account = ""
  var service = ""
  /// SID of its entity.
  var entity = ""
  var identity = ""
  var friendlyName = ""
  var kind = Kind.push
  var status = Status.unverified
  var createdAt = Timestamp.earliest
  var updatedAt = Timestamp.earliest
  /// An object with texts.
  var metadata: JSON?
  /// Failed attempts to verify it.
  var failures = 0
  /// For `Kind.push`.
  var push: PushConfig?
  /// For `Kind.totp`.
  var totp: TOTPConfig?
  /// For `Kind.passkeys`.
  var passkey: PasskeyConfig?

  private static let schema = Schema<Factor>([
    .required("sid", \.sid, .string),
    .required("account", \.account, .string),
    .required("service", \.service, .string),
    .required("entity", \.entity, .string),
    .required("identity", \.identity, .string),
    .required("friendlyName", \.friendlyName, .string),
    .required("kind", \.kind, .word),
    .required("status", \.status, .word),
    .required("createdAt", \.createdAt, .timestamp),
    .required("updatedAt", \.updatedAt, .timestamp),
    .optional("metadata", \.metadata, .json),
    .field("failures", \.failures, .count, default: 0),
    .nullableNested("push", \.push, PushConfig.schema, from: { PushConfig() }),
    .nullableNested("totp", \.totp, TOTPConfig.schema, from: { TOTPConfig() }),
    .nullableNested("passkey", \.passkey, PasskeyConfig.schema, from: { PasskeyConfig() }),
  ])

  private static let table = RecordTable("factor", of: TwilioProvider.name, schema) { Factor() }

  /// The factor with this SID; nil for other texts, and for a factor that was removed because nobody verified
  /// it.
  static func find(_ sid: String, in sandbox: Sandbox) throws -> Factor? {
    guard let factor = try table.find(sid, in: sandbox), try !factor.isOverdue(in: sandbox) else {
      return nil
    }
    return factor
  }

  /// The push factor with this `credential_sid`, which is made from the same ordinal as the factor's SID.
  static func find(credential id: String, in sandbox: Sandbox) throws -> Factor? {
    guard SidKind.credential.matches(id),
      let (ordinal, part) = sandbox.entropy.ordinals(of: id.dropFirst(2), under: "CR"), part == 0
    else { return nil }
    return try find(sid(.push, ordinal, in: sandbox), in: sandbox)
  }

  static func sid(_ kind: Kind, _ ordinal: Int, in sandbox: Sandbox) -> String {
    "YF\(kind.digits)\(sandbox.entropy.identifier("YF", ordinal).suffix(30))"
  }

  /// The factors of an entity, oldest first. Deletes those that nobody verified in time.
  static func all(of entity: Entity, in sandbox: Sandbox) throws -> [Factor] {
    try table.list(group: entity.sid, in: sandbox).map(\.record).filter { factor in
      guard try factor.isOverdue(in: sandbox) else { return true }
      try factor.delete(in: sandbox)
      return false
    }
  }

  static func page(of entity: Entity, _ context: RequestContext) throws -> Page<Factor> {
    _ = try all(of: entity, in: context.sandbox)
    return try Page(
      of: context, table, group: entity.sid, path: entity.path(ofList: "Factors"), errors: .ofEntities)
  }

  /// Throws if the sandbox has too many factors; those that nobody verified in time do not count.
  static func requireRoom(in sandbox: Sandbox) throws {
    do {
      try table.requireRoom(in: sandbox)
    } catch is FieldError {
      for factor in try table.all(in: sandbox) where try factor.isOverdue(in: sandbox) {
        try factor.delete(in: sandbox)
      }
      try table.requireRoom(in: sandbox)
    }
  }

  func save(ordinal: Int? = nil, in sandbox: Sandbox) throws {
    try Self.table.save(self, as: sid, group: entity, ordinal: ordinal, in: sandbox)
  }

  /// Its challenges stay.
  func delete(in sandbox: Sandbox) throws {
    try Self.table.delete(sid, in: sandbox)
    try forgetPasskey(in: sandbox)
    try leaveDevice(in: sandbox)
  }

  private func isOverdue(in sandbox: Sandbox) throws -> Bool {
    guard status == .unverified else { return false }
    return try sandbox.clock.now >= overdueAt(in: sandbox)
  }

  /// Until then, somebody must verify it. Source: contract 9.2.
  func overdueAt(in sandbox: Sandbox) throws -> Timestamp {
    let hours = try Settings.shared(in: sandbox).value.unverifiedFactorHours
    return createdAt + .seconds(hours * 3600)
  }
}

/// The resource in answers. Source: contract 9.2.
extension Factor {
  /// `isNew`: with the members that only the creation's answer has.
  func body(for context: RequestContext, isNew: Bool = false) -> [UInt8] {
    JSONWriter.object { write(to: &$0, for: context, isNew: isNew) }
  }

  /// `writeOptions`: for a new passkey.
  func write(
    to json: inout JSONWriter, for context: RequestContext, isNew: Bool = false,
    writeOptions: (inout JSONWriter) -> Void = { $0.null("options") }
  ) {
    json.member("sid", sid)
    json.member("account_sid", context.shownAccount)
    json.member("service_sid", service)
    json.member("entity_sid", entity)
    json.member("identity", identity)
    if isNew {
      writeBinding(to: &json, issuer: context.service.totpIssuer ?? context.service.friendlyName ?? "")
      writeOptions(&json)
    }
    createdAt.write(iso8601: "date_created", to: &json)
    updatedAt.write(iso8601: "date_updated", to: &json)
    json.member("friendly_name", friendlyName)
    json.member("status", status.rawValue)
    json.member("factor_type", kind.rawValue)
    writeConfig(to: &json)
    json.member("metadata", metadata)
    json.member("url", "\(Entity.url(of: identity, in: context))/Factors/\(sid)")
  }

  private func writeBinding(to json: inout JSONWriter, issuer: String) {
    if let push {
      json.object("binding") {
        $0.member("alg", "ES256")
        $0.member("public_key", push.publicKey)
      }
    } else if let totp {
      json.object("binding") {
        $0.member("secret", totp.secret)
        $0.member("uri", totp.uri(issuer: issuer, account: friendlyName))
      }
    } else {
      json.null("binding")
    }
  }

  private func writeConfig(to json: inout JSONWriter) {
    if let push {
      json.object("config") {
        $0.member("credential_sid", push.credential)
        $0.member("sdk_version", push.sdkVersion)
        $0.member("app_id", push.app)
        $0.member("notification_platform", push.platform.rawValue)
        $0.member("notification_token", push.token)
      }
    } else if let totp {
      json.object("config") {
        $0.member("alg", totp.algorithm.rawValue)
        $0.member("skew", totp.skew)
        $0.member("code_length", totp.codeLength)
        $0.member("time_step", totp.timeStep)
      }
    } else if let passkey {
      passkey.write(config: &json)
    }
  }
}
