/// Who may call one of the server's own routes, where a token is required. Providers have the providers'
/// rules.
package enum Access: String, CaseIterable, Sendable {
  /// The holder of the admin token.
  case admin
  /// Also the holder of the sandbox's token, unless it is a workshop's.
  case sandbox
  /// Also a participant of a workshop, in the own sandbox.
  case participant
  /// Anybody.
  case open
}
