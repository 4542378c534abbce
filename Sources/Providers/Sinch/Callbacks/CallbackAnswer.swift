import Domain
import JSON
import ProviderKit

/// Lets the receiver of a request callback decide: the verification goes on, or is denied. An answer that
/// cannot be used denies it too. Source: contract 7.
func handleAnswer(to webhook: Webhook, in sandbox: Sandbox) throws {
  guard webhook.draft.kind == CallbackKind.request.rawValue,
    let stored = try StoredVerification.find(webhook.draft.subject, in: sandbox),
    stored.details.awaitsCallback, stored.status == .pending
  else { return }
  let attempt = try sandbox.webhooks.attempts(of: webhook.ordinal).last
  let body = webhook.state == .delivered ? attempt?.result.body : nil
  switch Decision(body, on: stored) {
  case .allow(let options): try proceed(with: stored, options, in: sandbox)
  case .deny(let reason): try stored.end(because: reason, in: sandbox)
  }
}

private enum Decision {
  case allow(MethodOptions)
  case deny(Reason)

  /// `body` is nil if there was no answer of success.
  init(_ body: String?, on stored: StoredVerification) {
    guard let body, let answer = try? Fields(Array(body.utf8)),
      let action = try? answer.optionalString("action")
    else {
      self = .deny(.invalidCallback)
      return
    }
    var options = stored.details.options
    switch action {
    case "allow":
      do {
        try options.override(with: answer, of: stored.details.method)
        self = .allow(options)
      } catch {
        self = .deny(.invalidCallback)
      }
    case "deny": self = .deny(.deniedByCallback)
    default: self = .deny(.invalidCallback)
    }
  }
}
