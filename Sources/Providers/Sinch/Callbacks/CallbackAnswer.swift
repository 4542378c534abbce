import ProviderKit

/// The decision of the receiver of a request callback: the verification goes on, or is denied. An answer that
/// cannot be used denies it too. Source: contract 7.
enum CallbackAnswer {
  case allow(MethodOptions)
  case deny(Reason)

  static func apply(_ answer: WebhookAnswer?, of webhook: Webhook, in sandbox: Sandbox) throws {
    guard webhook.draft.kind == CallbackKind.request.rawValue,
      let stored = try StoredVerification.find(webhook.draft.subject, in: sandbox),
      stored.details.awaitsCallback, stored.status == .pending
    else { return }
    let body = webhook.state == .delivered ? answer?.body : nil
    switch CallbackAnswer(body, on: stored) {
    case .allow(let options): try Sending.begin(stored, options, in: sandbox)
    case .deny(let reason): try stored.end(because: reason, in: sandbox)
    }
  }

  /// `body` is nil if there was no answer of success.
  private init(_ body: [UInt8]?, on stored: StoredVerification) {
    self = .deny(.invalidCallback)
    guard let body, let answer = try? Fields(body) else { return }
    switch try? answer.optionalString("action") {
    case "allow":
      var options = stored.details.options
      guard (try? options.override(with: answer, of: stored.details.method)) != nil else { return }
      self = .allow(options)
    case "deny": self = .deny(.deniedByCallback)
    default: return
    }
  }
}
