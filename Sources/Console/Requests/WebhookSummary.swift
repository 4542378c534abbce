import Domain
import Markup

/// A webhook with its attempts, as pages list it.
struct WebhookSummary {
  private let webhook: Webhook
  private let attempts: [WebhookAttempt]

  init(_ webhook: Webhook, in sandbox: Sandbox) throws {
    self.webhook = webhook
    attempts = try sandbox.webhooks.attempts(of: webhook.ordinal)
  }

  /// Those whose enqueuing is among the events.
  static func all(enqueuedBy events: [Event], in sandbox: Sandbox) throws -> [WebhookSummary] {
    try events.filter { $0.kind == .webhookEnqueued }.compactMap { event in
      try sandbox.webhooks.find(event.subject).map { try WebhookSummary($0, in: sandbox) }
    }
  }

  var html: HTML {
    details(.class("webhook"), .id(webhook.id)) {
      summary { "\(webhook.draft.kind): \(webhook.state.rawValue)" }
      p { webhook.shownURL }
      if let why = webhook.why { p(.class("why")) { why } }
      ol(.class("plain")) {
        for attempt in attempts {
          li {
            "\(attempt.at.timeOfDay) \(attempt.result.status.map { String($0) } ?? attempt.result.error ?? "")"
          }
        }
      }
    }
  }
}
