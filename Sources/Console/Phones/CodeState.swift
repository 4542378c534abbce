import ProviderKit

/// Whether a code on a handset is still valid, and if not, why.
struct CodeState {
  /// True while it can be entered.
  let isLive: Bool
  /// True if it was entered.
  let isUsed: Bool
  let text: String
  /// The ordinal of its verification.
  let verification: Int

  /// Among how many of the verifications before a message its own is looked for.
  private static let searched = 5

  /// Nil if the message has no code, or if no verification has sent it.
  init?(of message: Message, in sandbox: Sandbox) throws {
    guard let code = message.code else { return nil }
    let found = try sandbox.verifications.list(
      message.provider, of: message.destination, before: message.ordinal, limit: Self.searched
    ).sender(of: message)
    guard let found else { return nil }
    verification = found.ordinal
    let state = found.state(at: sandbox.clock.now)
    isLive = state == .pending && found.accepts(code)
    isUsed = state == .approved && found.accepts(code)
    text =
      switch state {
      case .pending: isLive ? "valid" : "replaced by a newer code"
      case .approved: "used"
      case .exhausted: "locked by wrong codes"
      case .expired, .canceled, .denied: state.rawValue
      }
  }
}
