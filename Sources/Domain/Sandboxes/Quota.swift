import Basics
import Database

/// Messages, and bytes in rows.
struct StoredAmount: Equatable {
  var messages: Int
  var bytes: Int
}

/// How much of its limits a sandbox uses, and when it was last used.
///
/// A class because requests and due work change the same counts.
final class Quota {
  let limits: Sandbox.Limits
  /// How long after its last request the sandbox is removed; nil for never.
  let ttl: Duration?
  /// The machine's time of the last request.
  private(set) var lastRequest: Timestamp
  private var savedRequest: Timestamp
  private var allowance: RequestAllowance
  /// At least what is stored: deletions are only found by measuring. Nil until measured.
  private var stored: StoredAmount?
  private var nextMeasurement = Timestamp(milliseconds: 0)
  /// The open changes of the sandbox, and `writtenBytes` at the start of the first.
  private var openChanges = 0
  private var writtenBefore = 0
  private let sandbox: Int
  private let database: Database
  private let wallClock: WallClock
  /// All tables with rows of sandboxes; nil until read.
  private var tables: [Table]?

  /// Nil for a sandbox without limits.
  init?(_ row: SandboxRow, in database: Database, _ settings: Sandboxes.Settings) {
    limits = row.configuration.limits
    let isDefault = row.name == Sandboxes.defaultName
    ttl = isDefault ? nil : [row.configuration.ttl, settings.ttl].compactMap(\.self).min()
    guard ttl != nil || limits != Sandbox.Limits() else { return nil }
    sandbox = row.id
    self.database = database
    wallClock = settings.wallClock
    let now = wallClock()
    // Only some requests are saved. Better remove a sandbox late than early.
    savedRequest = row.lastRequest ?? now
    lastRequest = min(savedRequest + (ttl.map(Self.saveInterval) ?? .zero), now)
    allowance = RequestAllowance(perSecond: limits.requestsPerSecond ?? 0, at: now)
  }

  /// When the sandbox will be removed if no request arrives, on the machine's clock.
  var removalTime: Timestamp? { ttl.map { lastRequest + $0 } }

  /// How often the time of the last request is saved.
  private static func saveInterval(_ ttl: Duration) -> Duration { min(ttl / 10, .seconds(60)) }

  // MARK: Requests

  /// Counts a request. Throws if there were too many.
  func countRequest() throws {
    // A request of an app on a handset, caused by one that was counted.
    guard openChanges == 0 else { return }
    lastRequest = wallClock()
    if let ttl, lastRequest - savedRequest >= Self.saveInterval(ttl) { try saveLastRequest() }
    guard let limit = limits.requestsPerSecond else { return }
    guard allowance.take(perSecond: limit, at: wallClock()) else {
      throw LimitExceeded(limit: .requestsPerSecond, maximum: limit)
    }
  }

  private func saveLastRequest() throws {
    try database.run(
      """
      INSERT INTO quotas (sandbox, last_request_at) VALUES (?, ?)
      ON CONFLICT (sandbox) DO UPDATE SET last_request_at = excluded.last_request_at
      """, sandbox, lastRequest.milliseconds)
    savedRequest = lastRequest
  }

  /// The requests that the limit counts now.
  var countedRequests: Int {
    guard let limit = limits.requestsPerSecond else { return 0 }
    return allowance.used(perSecond: limit, at: wallClock())
  }

  // MARK: Storage

  var limitsStorage: Bool { limits.messages != nil || limits.storedBytes != nil }

  func beginChange() {
    if openChanges == 0 { writtenBefore = database.writtenBytes }
    openChanges += 1
  }

  func endChange() {
    openChanges -= 1
    if openChanges == 0 { stored?.bytes += database.writtenBytes - writtenBefore }
  }

  func countMessage() { stored?.messages += 1 }

  /// Goes back to earlier counts, after a change was undone.
  func restore(_ earlier: StoredAmount) { stored = earlier }

  /// At least what is stored.
  func amount() throws -> StoredAmount {
    if stored == nil { try measure() }
    var amount = stored ?? StoredAmount(messages: 0, bytes: 0)
    amount.bytes += unfinishedBytes
    return amount
  }

  /// What is stored, measured if there was no measurement shortly before.
  func measuredAmount() throws -> StoredAmount {
    if wallClock() >= nextMeasurement { try measure() }
    return try amount()
  }

  /// Throws if a change exceeds a limit.
  func check(changeFrom before: StoredAmount) throws {
    guard limits.exceeded(from: before, to: try amount()) != nil else { return }
    if let exceeded = limits.exceeded(from: before, to: try measuredAmount()) { throw exceeded }
  }

  private var unfinishedBytes: Int { openChanges == 0 ? 0 : database.writtenBytes - writtenBefore }

  /// Measuring takes at most a twentieth of the time, so that a full sandbox does not slow down the others.
  private func measure() throws {
    let start = wallClock()
    let tables = try tables ?? database.sandboxTables()
    self.tables = tables
    var amount = StoredAmount(messages: 0, bytes: -unfinishedBytes)
    for table in tables {
      let (rows, bytes) = try database.size(of: table, where: "sandbox", is: sandbox)
      amount.bytes += bytes
      if table.name == "messages" { amount.messages = rows }
    }
    stored = amount
    let end = wallClock()
    nextMeasurement = end + max(.zero, end - start) * 20
  }
}
