import ProviderKit

/// A service plan of SMS, with the project that signs in for it by OAuth. Source: `senders.md` 7 and 11.
struct Plan: Equatable {
  let id: String
  /// The API token; empty if the sandbox does not know it.
  var token = ""
  var options = PlanOptions()

  init(withID id: String) { self.id = id }

  private init(_ credential: Credential, in sandbox: Sandbox) throws {
    id = credential.name
    token = credential.secret
    options = try PlanOptions.table.find(credential.name, in: sandbox) ?? PlanOptions()
  }

  static func find(_ id: String, in sandbox: Sandbox) throws -> Plan? {
    guard let found = try PlanCredential.find(id, in: sandbox), found.kind == .plan else { return nil }
    return try Plan(found.credential, in: sandbox)
  }

  /// By id.
  static func all(in sandbox: Sandbox) throws -> [Plan] {
    try PlanCredential.all(.plan, in: sandbox).map { try Plan($0.credential, in: sandbox) }
  }
}

/// What seeds set for one plan.
struct PlanOptions: Equatable {
  /// Where its inbound messages go, and reports on batches without a URL of their own.
  var callbackURL: String?
  /// Its callbacks are signed with it.
  var hmacSecret: String?
  /// The sender of batches without one.
  var defaultOriginator: String?

  static let table = RecordTable("plan", of: SinchProvider.name, schema) { PlanOptions() }

  /// No record is saved for a plan without options.
  func save(for id: String, in sandbox: Sandbox) throws {
    if self == PlanOptions() {
      try Self.table.delete(id, in: sandbox)
    } else {
      try Self.table.save(self, as: id, in: sandbox)
    }
  }

  private static let schema = Schema<PlanOptions>([
    .optional("callbackUrl", \.callbackURL, .webURL), .optional("hmacSecret", \.hmacSecret, .string),
    .optional("defaultOriginator", \.defaultOriginator, .string),
  ])
}

/// A credential of a plan: its id with the API token, its project's id, or a key of that project with its
/// secret.
struct PlanCredential {
  enum Kind: String, CaseIterable {
    case plan
    case project
    case key
  }

  let kind: Kind
  let plan: String
  let credential: Credential

  /// Nil for a credential of Verification. The account of others is `plan` and the plan's id.
  private init?(_ credential: Credential) {
    let words = credential.account.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, let kind = Kind(rawValue: words[0]) else { return nil }
    (self.kind, plan, self.credential) = (kind, words[1], credential)
  }

  static func find(_ name: String, in sandbox: Sandbox) throws -> PlanCredential? {
    try sandbox.accounts.find(name, of: SinchProvider.name).flatMap(PlanCredential.init)
  }

  static func all(_ kind: Kind, in sandbox: Sandbox) throws -> [PlanCredential] {
    try sandbox.accounts.all(of: SinchProvider.name).compactMap(PlanCredential.init)
      .filter { $0.kind == kind }
  }

  static func make(_ kind: Kind, _ name: String, secret: String = "", of plan: String) -> Credential {
    Credential(
      provider: SinchProvider.name, name: name, secret: secret, account: "\(kind.rawValue) \(plan)")
  }
}
