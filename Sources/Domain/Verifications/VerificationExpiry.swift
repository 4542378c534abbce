package import Basics
import Database

/// Expiry of verifications.
///
/// Verifications with the same lifetime expire in the order in which they were started. So of each lifetime,
/// only the first pending one has an agenda item; after it, the next one gets one. There are two exceptions:
/// - After the clock was set back, a new verification may expire before the scheduled one. It gets its own
///   item.
/// - A verification whose expiry has moved gets its own item. Its old item does nothing.
extension Verifications {
  /// Schedules the expiry of a new verification.
  func scheduleExpiry(of verification: Verification) throws {
    let lifetime = verification.expiresAt - verification.createdAt
    if let scheduled = try sandbox.scheduledExpiries[lifetime], scheduled <= verification.expiresAt { return }
    try schedule(lifetime, verification.ordinal, at: verification.expiresAt)
  }

  /// Ends a pending verification whose lifetime is over, and schedules the next expiry.
  func expire(_ item: Agenda.Item) throws {
    if var verification = try find(item.subject), verification.state == .pending,
      verification.expiresAt <= item.dueAt
    {
      verification.updatedAt = item.dueAt
      _ = try end(verification, as: .expired)
    }
    let lifetime = Duration.milliseconds(item.detail)
    guard lifetime != Self.movedExpiry else { return }
    sandbox.derived.scheduledExpiries?[lifetime] = nil
    let next = try sandbox.database.first(
      """
      SELECT ordinal, expires_at FROM verifications
      WHERE key > ? AND key < ? AND state = 'pending' AND expires_at - created_at = ? ORDER BY key LIMIT 1
      """, sandbox.key(item.subject), sandbox.key(.max), lifetime.milliseconds
    ) { (ordinal: $0.int(0), time: Timestamp(milliseconds: $0.int64(1))) }
    if let next { try schedule(lifetime, next.ordinal, at: next.time) }
  }

  /// Sets when a pending verification expires: earlier or later than its rules say.
  package func setExpiry(of verification: Verification, to end: Timestamp) throws {
    try move(verification, to: end)
    try schedule(Self.movedExpiry, verification.ordinal, at: end)
  }

  /// Moves the expiry of a verification to a later time; does nothing if it is not later.
  func extend(_ verification: Verification, to end: Timestamp) throws {
    guard end > verification.expiresAt else { return }
    try setExpiry(of: verification, to: end)
  }

  /// Ends a pending verification early: no channel is left to try.
  func expireNow(_ verification: Verification, at time: Timestamp) throws {
    guard var verification = try find(verification.ordinal), verification.state == .pending else { return }
    try move(verification, to: time)
    verification.expiresAt = time
    verification.updatedAt = time
    _ = try end(verification, as: .expired)
  }

  /// The agenda item's lifetime for an expiry that has moved; the item schedules no other expiry.
  private static let movedExpiry = Duration.zero

  private func move(_ verification: Verification, to end: Timestamp) throws {
    let isChanged = change(verification) { $0.expiresAt = end }
    guard !isChanged else { return }
    try sandbox.database.run(
      "UPDATE verifications SET expires_at = ? WHERE key = ?", end.milliseconds,
      sandbox.key(verification.ordinal))
  }

  private func schedule(_ lifetime: Duration, _ ordinal: Int, at time: Timestamp) throws {
    try sandbox.agenda.schedule(
      .expireVerification, on: ordinal, detail: Int(lifetime.milliseconds), at: time)
    if lifetime != Self.movedExpiry { sandbox.derived.scheduledExpiries?[lifetime] = time }
  }
}

extension Sandbox {
  /// For each lifetime, when the first verification on the agenda expires.
  var scheduledExpiries: [Duration: Timestamp] {
    get throws {
      if let cached = derived.scheduledExpiries { return cached }
      let items = try agenda.details(of: .expireVerification)
      let expiries = Dictionary(
        items.map { (Duration.milliseconds($0.detail), $0.dueAt) }, uniquingKeysWith: min)
      derived.scheduledExpiries = expiries
      return expiries
    }
  }
}
