/// Verifications, and the other records that providers keep. Source: `prelude.md` 16.2.
extension ControlAPI {
  func listVerifications(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let provider = try provider(request.query)
    let destination = try destination(request.query, sandbox)
    return try list(VerificationView.page, request) { after, limit in
      try SearchWindow(of: sandbox).after(after, limit: limit) { after, before in
        let found =
          if let destination {
            try sandbox.verifications.all(
              of: provider, to: destination, after: after, before: before, limit: limit)
          } else {
            try sandbox.verifications.all(of: provider, after: after, before: before, limit: limit)
          }
        return try found.map { ($0.ordinal, try VerificationView($0, in: sandbox)) }
      }
    }
  }

  /// Cancels a pending verification, and notifies its provider.
  func cancelVerification(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try endVerification(as: .canceled, request, sandbox)
  }

  /// Locks a pending verification, as too many wrong codes do, and notifies its provider.
  func lockVerification(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try endVerification(as: .exhausted, request, sandbox)
  }

  private func endVerification(
    as state: Verification.State, _ request: Request, _ sandbox: Sandbox
  ) throws -> Response {
    let id = request[parameter: "destination"]
    // A phone number is no id: it begins with a plus sign.
    let ordinal = id.hasPrefix("+") ? nil : Int(id)
    let pending =
      if let ordinal { try sandbox.verifications.find(ordinal) } else {
        try pendingVerification(of: id, in: sandbox)
      }
    guard let pending, let ended = try sandbox.verifications.finish(pending, as: state) else {
      throw ControlProblem.notFound("pending verification \(ordinal == nil ? "of " : "")\(id)")
    }
    return Self.endedSchema.response(ended)
  }

  /// With any provider. A pending verification is among the last few of its provider.
  private func pendingVerification(of destination: String, in sandbox: Sandbox) throws -> Verification? {
    let now = sandbox.clock.now
    let newest = try sandboxes.seeds.sections.flatMap { section in
      try sandbox.verifications.list(section.name, of: destination, before: .max, limit: 20)
    }
    return newest.filter { $0.isPending(at: now) }.max { $0.ordinal < $1.ordinal }
  }

  static let endedSchema = Schema<Verification>(
    "EndedVerification", "A verification that was canceled or locked.",
    [
      .readOnly("id", .integer, "The verification's ordinal in the sandbox.") { $0.ordinal },
      .readOnly("provider", .string, "The provider.") { $0.claim.provider },
      .readOnly("to", .string, "The phone number or email address.") { $0.claim.destination },
      .readOnly("state", .word, "The state.") { $0.state },
      .readOnly("at", .preciseTimestamp, "When it ended.") { $0.updatedAt },
    ])

  /// The provider in a query; nil for all. An unknown one is an error: the list would always be empty.
  func provider(_ query: Form) throws -> String? {
    let provider = try Parameter.provider.value(in: query)
    try sandboxes.seeds.names.validate(provider: provider)
    return provider
  }

  func listRecords(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let kind = try Parameter.kind.value(in: request.query)
    let provider = request[parameter: "provider"]
    try sandboxes.seeds.names.validate(provider: provider)
    let masking = Masking(sandbox.secretNames(of: provider))
    return try list(ProviderRecord.page, request) { after, limit in
      try sandbox.records.all(
        ofProvider: provider, kind: kind, after: after, limit: limit
      ).map {
        let record = JSON(stored: masking.body(Array($0.item.record.utf8)))
        let entry = ProviderRecord(kind: $0.kind, key: $0.item.key, owner: $0.owner, record: record)
        return ($0.item.ordinal, entry)
      }
    }
  }
}

/// A record that a provider keeps, such as a template.
struct ProviderRecord: Sendable {
  let kind: String
  let key: String
  let owner: String
  let record: JSON

  static let page = PageSchema<ProviderRecord, Int>("records", schema, "The records, oldest first.")

  private static let schema = Schema<ProviderRecord>(
    "ProviderRecord", "A record that a provider keeps, such as a template.",
    [
      .readOnly("kind", .string, "The kind, by the provider's name for it.") { $0.kind },
      .readOnly("key", .string, "The provider's id of the record.") { $0.key },
      .readOnly("owner", .string, "The account or service that the record belongs to.") { $0.owner },
      .readOnly("record", .json, "The provider's data, with secrets masked.") { $0.record },
    ])
}

struct VerificationView: Sendable {
  private let verification: Verification
  private let steps: [Step]
  private let sessions: [SilentSession]
  private let webhooks: [String]
  private let isExpired: Bool

  init(_ verification: Verification, in sandbox: Sandbox) throws {
    self.verification = verification
    webhooks = try sandbox.webhooks.ids(about: verification.ordinal, by: verification.claim.provider)
    sessions = try sandbox.silentSessions.all(of: verification.ordinal)
    steps = try sandbox.fallbacks.steps(of: verification)
    isExpired = verification.state == .pending && !verification.isPending(at: sandbox.clock.now)
  }

  static let page = PageSchema<VerificationView, Int>(
    "verifications", schema, "The verifications, oldest first.")

  private static let schema = Schema<VerificationView>(
    "Verification", "A verification with its attempts, silent sessions and webhooks.",
    [
      .readOnly("id", .integer, "The verification's ordinal in the sandbox.") { $0.verification.ordinal },
      .readOnly("provider", .string, "The provider.") { $0.verification.claim.provider },
      .readOnly("owner", .string, "The provider's account or service.") { $0.verification.claim.owner },
      .readOnly("to", .string, "The phone number or email address.") { $0.verification.claim.destination },
      .readOnly("state", .word, "The state.") {
        $0.isExpired ? .expired : $0.verification.state
      },
      .readOnly("code", .string, "The latest code; empty if no code is valid.") { $0.verification.code },
      .readOnly("checks", .integer, "The number of checks so far.") { $0.verification.checks },
      .readOnly("createdAt", .preciseTimestamp, "When it was started.") { $0.verification.createdAt },
      .readOnly("updatedAt", .preciseTimestamp, "When it last changed.") { $0.verification.updatedAt },
      .readOnly("expiresAt", .preciseTimestamp, "When it expires.") { $0.verification.expiresAt },
      .readOnly("attempts", .objects(attempt), "The messages with its code, oldest first.") {
        $0.verification.attempts.all
      },
      .readOnly("steps", .objects(step), "The channels that are tried one after another.") { $0.steps },
      .readOnly("silentSessions", .objects(session), "The silent sessions.") { $0.sessions },
      .readOnly("webhooks", .array(of: .string), "The ids of its webhooks.") { $0.webhooks },
      .readOnly("details", .json, "The provider's data, with secrets masked.") {
        JSON(stored: $0.verification.details.text)
      },
    ])

  private static let attempt = Schema<Attempt>(
    nil, "",
    [
      .readOnly("number", .integer, "The attempt, counted from 1.") { $0.number },
      .readOnly("channel", .word, "The channel.") { $0.channel },
      .readOnly("sentAt", .preciseTimestamp, "When the code was sent.") { $0.sentAt },
      .readOnly("code", .string, "The attempt's own code, for providers with a code per attempt.") {
        $0.code
      },
      .readOnly("isAnswered", .boolean, "True if this attempt's code approved the verification.") {
        $0.isAnswered
      },
    ])

  private static let step = Schema<Step>(
    nil, "",
    [
      .readOnly("channel", .word, "The channel.") { $0.channel },
      .readOnly("state", .word, "The state.") { $0.state },
      .readOnly("begunAt", .preciseTimestamp, "When the step started.") { $0.startedAt },
      .readOnly("endsAt", .preciseTimestamp, "When the step times out.") { $0.endsAt },
      .readOnly("failure", .word, "Why the step failed.") { $0.failure },
    ])

  private static let session = Schema<SilentSession>(
    nil, "",
    [
      .readOnly("token", .string, "The token in its URLs.") { $0.token },
      .readOnly("attempt", .integer, "The attempt of the verification, counted from 1.") { $0.draft.attempt },
      .readOnly("createdAt", .preciseTimestamp, "When it was created.") { $0.createdAt },
      .readOnly("expiresAt", .preciseTimestamp, "When it expires.") { $0.expiresAt },
      .readOnly("openedAt", .preciseTimestamp, "When a handset opened its URL first.") { $0.openedAt },
      .readOnly("verdict", .word, "The result that the provider got.") { $0.verdict },
    ])
}

extension JSON {
  /// JSON that the sandbox has written itself.
  init(stored text: String) {
    self = (try? JSON(parsing: Array(text.utf8))) ?? .null
  }
}
