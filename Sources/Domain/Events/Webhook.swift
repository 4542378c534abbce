/// One webhook on its way or at its end: a delivery without its attempts.
///
/// ```
/// enqueue ──> pending ──an attempt is acknowledged──> delivered
///               │ ├──the schedule has no more attempts──> failed
///               │ ├──it may not go there───────────> refused
///               │ └──too many wait behind it───────> dropped
///               └──not acknowledged: pending, until the next attempt
/// ```
package struct Webhook: Equatable, Sendable {
  /// Where it stands.
  package enum State: String, CaseIterable, Sendable {
    /// Attempts are to come.
    case pending
    /// The receiver took it.
    case delivered
    /// All attempts of the schedule were made in vain.
    case failed
    /// It may not go where it should.
    case refused
    /// It made room for newer ones.
    case dropped
  }

  /// Its number in the sandbox.
  package let ordinal: Int
  /// Whose it is, where it goes, what it is about.
  package let draft: WebhookDraft
  /// When it was enqueued.
  package let createdAt: Timestamp
  /// Where it stands.
  package var state: State
  /// Why it ended without having been delivered.
  package var reason: String?
  /// When its schedule has the next attempt.
  package var nextAt: Timestamp?
  /// Since when an attempt is due or under way.
  package var readyAt: Timestamp?
  /// How many attempts of its schedule were made.
  package var tries: Int
  /// What is sent each time; nil until the first attempt.
  package var request: WebhookRequest?

  /// Whether its time is still to come, and no attempt was made at all.
  package var isPlanned: Bool { state == .pending && readyAt == nil && tries == 0 && request == nil }

  /// The id in the control API: `whk_000031`.
  package var id: String {
    let digits = String(ordinal)
    return Self.idPrefix + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// What every id begins with.
  package static let idPrefix = "whk_"

  /// Where it goes, without what may be secret there.
  package var shownURL: String { Self.masked(draft.url) }

  /// A URL whose user information and telling query values are masked.
  package static func masked(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let rest = url[scheme.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let path = rest.dropFirst(authority.count)
    let user = authority.lastIndex(of: "@").map { "\(maskedSecret)\(authority[$0...])" }
    return "\(url[..<scheme.upperBound])\(user ?? String(authority))\(maskedQuery(path))"
  }

  private static func maskedQuery(_ text: Substring) -> String {
    guard let mark = text.firstIndex(of: "?") else { return String(text) }
    let pairs = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let shown = pairs.map { pair in
      let name = pair.prefix { $0 != "=" }
      let isSecret = name.count < pair.count && secretWords.contains { name.lowercased().contains($0) }
      return isSecret ? "\(name)=\(maskedSecret)" : String(pair)
    }
    return text[...mark] + shown.joined(separator: "&")
  }

  private static let secretWords = ["token", "secret", "password", "key", "signature", "auth"]
}
