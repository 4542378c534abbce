import Domain
import ProviderKit

/// What a request signs in with: it says itself whose it is and since when, so that none needs to be kept.
struct AccessToken: Equatable {
  /// The project that it acts for.
  let projectID: String
  /// Whether it may send messages.
  let maySend: Bool
  /// When it was issued.
  let issuedAt: Timestamp
  private let ordinal: Int

  /// A token that is issued now.
  init(for projectID: String, maySend: Bool, in sandbox: Sandbox) {
    self.projectID = projectID
    self.maySend = maySend
    issuedAt = sandbox.clock.now
    ordinal = sandbox.nextOrdinal()
  }

  /// Reads a token that this sandbox has issued; nil for any other text.
  init?(_ text: String, in sandbox: Sandbox) {
    guard let (project, digits) = Self.parts(of: text) else { return nil }
    for maySend in [true, false] {
      let label = Self.label(maySend)
      guard let ordinal = sandbox.entropy.ordinal(ofUUID: digits, under: label),
        let time = Timestamp(ofUUID: digits), sandbox.entropy.uuid(label, ordinal, at: time) == digits
      else { continue }
      (projectID, self.maySend, issuedAt, self.ordinal) = (project, maySend, time, ordinal)
      return
    }
    return nil
  }

  /// The token's text.
  func text(in sandbox: Sandbox) -> String {
    Self.start + projectID + "_" + sandbox.entropy.uuid(Self.label(maySend), ordinal, at: issuedAt)
  }

  /// The project that a token of some sandbox says it acts for, unproven.
  static func project(of text: String) -> String? { parts(of: text)?.project }

  /// Whether a token looks like one of the vendor's own: a real credential was sent to the sandbox.
  /// Source: contract 5
  static func isReal(_ text: String) -> Bool { text.hasPrefix("ya29.") }

  private static let start = "sbx_oauth_"

  /// Projects have no low line in their names.
  private static func parts(of text: String) -> (project: String, digits: String)? {
    guard text.hasPrefix(start) else { return nil }
    let parts = text.dropFirst(start.utf8.count).split(separator: "_", omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  private static func label(_ maySend: Bool) -> StaticString { maySend ? "oauth" : "oauth-other" }
}

extension Timestamp {
  /// The time that a UUID of version 7 leads with: its first twelve digits.
  fileprivate init?(ofUUID text: String) {
    guard let time = Int64(text.prefix(13).filter { $0 != "-" }, radix: 16) else { return nil }
    self.init(milliseconds: time)
  }
}
