package import Domain

/// Takes webhooks that are due to their receivers: rendered, sent, recorded.
///
/// ```
/// end of a tick:  prepare (the provider's bytes) ──> commit ──> send ──┐
/// later:          record (attempt, next try) <── what came of it <─────┘
/// ```
/// What is sent was committed before, so a crash may send a webhook twice and never loses one. A class because
/// answers come back to it.
package final class WebhookDispatch {
  /// Sends a request to a URL, waits for its answer as long as its provider does, and tells what came of it, at
  /// once or later, exactly once.
  package typealias Send = (
    _ url: String, WebhookRequest, _ timeout: Duration, @escaping (WebhookAttempt.Result) -> Void
  ) -> Void

  /// An attempt under way.
  private struct Key: Hashable {
    let sandbox: ObjectIdentifier
    let webhook: Int
  }

  /// How many attempts may be under way at once.
  private static let limit = 32

  private let sandboxes: Sandboxes
  private let providers: [String: any Provider.Type]
  private let send: Send
  private let report: (String) -> Void
  private var underWay: Set<Key> = []
  /// Called when an attempt has been recorded, which is to be committed.
  package var whenRecorded: () -> Void = {}

  /// A dispatch for the webhooks of these providers; what fails for no fault of theirs is reported.
  package init(
    _ sandboxes: Sandboxes, providers: [any Provider.Type], report: @escaping (String) -> Void,
    send: @escaping Send
  ) {
    self.sandboxes = sandboxes
    self.providers = Dictionary(uniqueKeysWithValues: providers.map { ($0.name, $0) })
    self.send = send
    self.report = report
  }

  /// Lets providers word what is due; to be called before the commit.
  package func prepare() {
    guard sandboxes.mayHaveReadyWebhooks else { return }
    forEachReady { sandbox, webhook in
      guard webhook.request == nil else { return }
      try sandbox.atomically { try render(webhook, in: sandbox) }
    }
  }

  /// Sends what is due, as far as there is room; to be called after the commit.
  package func sendReady() {
    guard sandboxes.mayHaveReadyWebhooks, underWay.count < Self.limit else { return }
    sandboxes.mayHaveReadyWebhooks = false
    forEachReady { sandbox, webhook in
      // One that came up after `prepare` has no bytes yet: its turn comes with the next tick.
      guard let request = webhook.request else { return sandboxes.mayHaveReadyWebhooks = true }
      start(webhook, request, in: sandbox)
    }
    if underWay.count >= Self.limit { sandboxes.mayHaveReadyWebhooks = true }
  }

  private func forEachReady(_ body: (Sandbox, Webhook) throws -> Void) {
    for sandbox in sandboxes.all {
      do {
        let ready = try sandbox.webhooks.ready(limit: Self.limit)
        for webhook in ready where !underWay.contains(key(webhook, sandbox)) && underWay.count < Self.limit {
          try body(sandbox, webhook)
        }
      } catch {
        report("webhooks of \(sandbox.name): \(error)")
      }
    }
  }

  private func render(_ webhook: Webhook, in sandbox: Sandbox) throws {
    guard let provider = providers[webhook.draft.provider] else {
      return try sandbox.webhooks.fail(webhook, because: "there is no provider \(webhook.draft.provider)")
    }
    let request: WebhookRequest?
    do {
      request = try provider.request(for: webhook, in: sandbox)
    } catch {
      report("\(webhook.draft.provider) could not word \(webhook.id) (\(webhook.draft.kind)): \(error)")
      return try sandbox.webhooks.fail(webhook, because: "it could not be worded: \(error)")
    }
    guard let request else {
      return try sandbox.webhooks.fail(webhook, because: "\(provider.name) tells nobody of this")
    }
    try sandbox.webhooks.keep(request, of: webhook)
  }

  private func start(_ webhook: Webhook, _ request: WebhookRequest, in sandbox: Sandbox) {
    let (key, time) = (key(webhook, sandbox), sandbox.clock.now)
    underWay.insert(key)
    send(webhook.draft.url, request, retries(of: webhook).timeout) { [self] result in
      underWay.remove(key)
      record(result, of: webhook, at: time, in: sandbox)
    }
  }

  /// Nobody waits for what a removed sandbox has sent.
  private func record(
    _ result: WebhookAttempt.Result, of webhook: Webhook, at time: Timestamp, in sandbox: Sandbox
  ) {
    defer { whenRecorded() }
    guard sandboxes.holds(sandbox) else { return }
    do {
      try sandbox.atomically {
        try sandbox.webhooks.record(result, of: webhook.ordinal, at: time, retries: retries(of: webhook))
        try sandbox.advanceToTarget()
      }
      if case .refused(let reason) = result { note(webhook, refusedBecause: reason, at: time, in: sandbox) }
      sandboxes.mayHaveReadyWebhooks = true
    } catch {
      report("\(webhook.id) of \(sandbox.name) was not recorded: \(error)")
    }
  }

  private func note(
    _ webhook: Webhook, refusedBecause reason: String, at time: Timestamp, in sandbox: Sandbox
  ) {
    sandbox.journal.record(
      Journal.Exchange(
        at: time, owner: webhook.draft.provider, route: nil, method: "POST", target: webhook.shownURL,
        requestHead: [], requestBody: webhook.request?.body ?? [], status: 0, responseHead: [],
        responseBody: [], why: "webhook \(webhook.id) was not sent: \(reason)", unread: [], nearest: []))
  }

  private func retries(of webhook: Webhook) -> RetrySchedule {
    providers[webhook.draft.provider]?.retries ?? .never
  }

  private func key(_ webhook: Webhook, _ sandbox: Sandbox) -> Key {
    Key(sandbox: ObjectIdentifier(sandbox), webhook: webhook.ordinal)
  }
}
