import ProviderKit

/// Creating, finding and saving sessions.
extension Session {
  /// A new session. It is not saved yet.
  init(_ kind: Kind, _ possession: PossessionType, of client: Client, lifetime: Duration, in sandbox: Sandbox)
  {
    self.kind = kind
    self.possession = possession
    clientID = client.id
    correlationID = IdentifierKind.correlation.new(in: sandbox)
    authID = IdentifierKind.auth.new(in: sandbox)
    createdAt = sandbox.clock.now
    expiresAt = createdAt + lifetime
  }

  /// A client's live session of one kind. Unknown, expired and foreign ids are the same error.
  /// Source: contract 3.5 and 4.3.
  static func find(_ correlationID: String, _ kind: Kind, of client: Client, in sandbox: Sandbox) throws
    -> Session
  {
    let unknown = APIError(.invalidCorrelationID)
    guard let session = try table.find(correlationID, in: sandbox) else {
      throw unknown.because("no session \(correlationID) in sandbox \(sandbox.name)")
    }
    guard session.clientID == client.id else {
      throw unknown.because("session \(correlationID) belongs to another client")
    }
    guard session.kind == kind else {
      throw unknown.because("session \(correlationID) was started by another operation")
    }
    guard !session.isExpired(at: sandbox.clock.now) else {
      throw unknown.because("session \(correlationID) expired at \(session.expiresAt.iso8601)")
    }
    return session
  }

  /// The session with this id for devices, expired or not.
  static func find(authID: String, in sandbox: Sandbox) throws -> Session? {
    try find(alias: authID, in: sandbox)
  }

  /// The session whose newest link has this token, expired or not.
  static func find(linkToken: String, in sandbox: Sandbox) throws -> Session? {
    try find(alias: linkToken, in: sandbox)
  }

  /// Saves a new session, and deletes old ones.
  func insert(in sandbox: Sandbox) throws {
    try Self.deleteOldest(in: sandbox)
    try save(in: sandbox)
    try Self.aliases.save(correlationID, as: authID, in: sandbox)
  }

  /// Gives the session a new link. The earlier one is unknown from now on.
  mutating func setLink(_ token: String, in sandbox: Sandbox) throws {
    if let linkToken { try Self.aliases.delete(linkToken, in: sandbox) }
    linkToken = token
    try Self.aliases.save(correlationID, as: token, in: sandbox)
  }

  func isExpired(at time: Timestamp) -> Bool { time >= expiresAt }

  private static func find(alias: String, in sandbox: Sandbox) throws -> Session? {
    guard let correlationID = try aliases.find(alias, in: sandbox) else { return nil }
    return try table.find(correlationID, in: sandbox)
  }

  /// Deletes up to two sessions that have expired, or that are older than the sandbox's history. Each new
  /// session calls this, so there are few old ones: only those after one that has a longer lifetime.
  private static func deleteOldest(in sandbox: Sandbox) throws {
    for _ in 1...2 {
      // Usually the oldest one is still in use.
      guard let (position, session) = try table.oldest(in: sandbox),
        session.isExpired(at: sandbox.clock.now) || position < sandbox.firstKeptOrdinal
      else { return }
      try aliases.delete(session.authID, in: sandbox)
      if let token = session.linkToken { try aliases.delete(token, in: sandbox) }
      try table.delete(session.correlationID, in: sandbox)
    }
  }

  var key: String { correlationID }
  static let table = RecordTable("session", of: ProveProvider.name, schema) { Session() }
  /// From ids for devices, and from tokens of links, to the session.
  private static let aliases = RecordTable(
    texts: "session alias", of: ProveProvider.name, member: "correlationId")
}
