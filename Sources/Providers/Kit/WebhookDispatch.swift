/// Sends webhooks when they are due, and records the results.
///
/// ```
/// end of a request: the provider renders it ──> end of the tick: commit ──> send ──┐
/// later:            record (attempt, next retry) <────────── result <─────────────┘
/// ```
/// Only committed webhooks are sent. So a crash may send one twice, and never loses one. A sandbox has one
/// running attempt for each destination, so that webhooks arrive in the order in which they came due. A
/// class, because results come back to it.
package final class WebhookDispatch {
  /// Sends a request and calls back exactly once with the result, at once or later.
  package typealias Send = (
    _ url: String, WebhookRequest, RetrySchedule.Timeouts, @escaping (WebhookAttempt.Result) -> Void
  ) -> Void

  private struct Destination: Hashable {
    let sandbox: ObjectIdentifier
    let name: String
  }

  /// The most attempts that may be running at once.
  private static let limit = 32

  private let sandboxes: Sandboxes
  private let senders: [String: any SendsWebhooks.Type]
  private let send: Send
  private let report: (String) -> Void
  /// The destinations with a running attempt.
  private var busy: Set<Destination> = []
  /// Results that are recorded later.
  private var delayed: [(sandbox: Sandbox, record: () -> Void)] = []
  /// Called when an attempt has been recorded and needs a commit.
  package var onRecorded: (_ provider: String, WebhookAttempt.Result) -> Void = { _, _ in }

  /// `report` gets errors of ours, such as a webhook that cannot be rendered.
  package init(
    _ sandboxes: Sandboxes, providers: [any Provider.Type], report: @escaping (String) -> Void,
    send: @escaping Send
  ) {
    self.sandboxes = sandboxes
    senders = Dictionary(
      uniqueKeysWithValues: providers.compactMap { $0.webhookSender }.map { ($0.name, $0) })
    self.send = send
    self.report = report
    sandboxes.connections.renderWebhook = { [weak self] in try self?.render($0, in: $1) }
    sandboxes.connections.forgeWebhook = { [weak self] in try self?.forge($0, in: $1) }
  }

  /// Renders webhooks that are due since before the last start. Call it before the commit.
  package func prepare() {
    recordDelayed()
    guard sandboxes.mayHaveReadyWebhooks else { return }
    for sandbox in sandboxes.withReadyWebhooks where sandbox.webhooks.mayBeUnrendered {
      do {
        guard try sandbox.webhooks.isReady else { continue }
        try sandbox.atomically { try sandbox.webhooks.render() }
      } catch {
        report("webhooks of sandbox \(sandbox.name): \(error)")
      }
    }
  }

  /// Sends rendered webhooks, as many as the limit allows. Call it after the commit.
  package func sendReady() {
    guard sandboxes.mayHaveReadyWebhooks, busy.count < Self.limit else { return }
    sandboxes.mayHaveReadyWebhooks = false
    forEachReady { sandbox, webhook in
      // Became due after `prepare`: rendered and sent in the next tick.
      guard let request = webhook.request else { return sandboxes.mayHaveReadyWebhooks = true }
      start(webhook, request, in: sandbox)
    }
    if busy.count >= Self.limit { sandboxes.mayHaveReadyWebhooks = true }
  }

  /// Calls `body` with the next webhook of each destination without a running attempt, as many as the limit
  /// allows.
  private func forEachReady(_ body: (Sandbox, Webhook) throws -> Void) {
    for sandbox in sandboxes.withReadyWebhooks where busy.count < Self.limit {
      do {
        var free = Self.limit - busy.count
        for webhook in try sandbox.webhooks.nextReady where !busy.contains(destination(of: webhook, sandbox))
        {
          guard free > 0 else { break }
          try body(sandbox, webhook)
          free -= 1
        }
      } catch {
        report("webhooks of sandbox \(sandbox.name): \(error)")
      }
    }
  }

  /// Makes the request of a webhook. If there is nothing to send, the webhook has failed.
  private func render(_ webhook: Webhook, in sandbox: Sandbox) throws {
    guard let sender = senders[webhook.draft.provider] else {
      return try sandbox.webhooks.fail(webhook, because: "unknown provider \(webhook.draft.provider)")
    }
    let original = webhook
    var webhook = webhook
    webhook.fault = try sandbox.webhookFaults.first(
      for: original, hasTimestamp: sender.timestampedKinds.contains(original.draft.kind)
    ) { try sender.number(of: original, in: sandbox) }
    let request: WebhookRequest?
    do {
      request = try sender.request(for: webhook, in: sandbox)
    } catch let error as UnsendableWebhook {
      return try sandbox.webhooks.fail(webhook, because: error.why)
    } catch {
      report("\(webhook.draft.provider) failed to render \(webhook.id) (\(webhook.draft.kind)): \(error)")
      return try sandbox.webhooks.fail(webhook, because: "failed to render: \(error)")
    }
    guard let request else {
      return try sandbox.webhooks.fail(webhook, because: "\(sender.name) sends no webhook for this")
    }
    try keep(request.traced(webhook.trace), of: webhook, sentBy: sender, in: sandbox)
  }

  /// Keeps the request of a webhook as its fault changes it.
  private func keep(
    _ request: WebhookRequest, of webhook: Webhook, sentBy sender: any SendsWebhooks.Type, in sandbox: Sandbox
  ) throws {
    guard let injected = webhook.fault else { return try sandbox.webhooks.keep(request, of: webhook) }
    let member = sender.signatureMember
    try sandbox.webhooks.keep(
      injected.fault.applied(to: request, signatureFields: sender.signatureFields, signatureMember: member),
      of: webhook)
    let url = webhook.draft.url
    try sandbox.webhooks.inject(
      injected, into: webhook, at: member.map { injected.fault.spoiled(url, $0) } ?? url)
  }

  /// Enqueues a webhook that is made by hand. Nil for a provider without webhooks.
  private func forge(_ forgery: WebhookForgery, in sandbox: Sandbox) throws -> Webhook? {
    guard let sender = senders[forgery.provider] else { return nil }
    let (url, kind, request): (String, String, WebhookRequest)
    switch forgery.content {
    case .body(let body, let wanted, let receiver):
      kind = wanted ?? sender.webhookKinds.first ?? ""
      (url, request) = try sender.request(sending: body, of: kind, to: receiver, in: sandbox)
    case .copy(let draft, let bytes): (url, kind, request) = (draft.url, draft.kind, bytes)
    }
    var webhook = try sandbox.webhooks.enqueue(
      WebhookDraft(provider: sender.name, url: url, kind: kind, subject: 0))
    webhook.fault = InjectedWebhookFault(fault: forgery.fault, number: nil)
    try keep(request, of: webhook, sentBy: sender, in: sandbox)
    return webhook
  }

  private func start(_ webhook: Webhook, _ request: WebhookRequest, in sandbox: Sandbox) {
    let (destination, time) = (destination(of: webhook, sandbox), sandbox.clock.now)
    busy.insert(destination)
    send(webhook.draft.url, request, retries(of: webhook, in: sandbox).timeouts) { [self] result in
      busy.remove(destination)
      record(result, of: webhook, at: time, in: sandbox)
    }
  }

  /// Results for a removed sandbox are dropped. Those for a sandbox that a job works on wait for its end.
  private func record(
    _ result: WebhookAttempt.Result, of webhook: Webhook, at time: Timestamp, in sandbox: Sandbox
  ) {
    defer { onRecorded(webhook.draft.provider, result) }
    guard sandboxes.contains(sandbox) else { return }
    guard !sandbox.isHeld else {
      return delayed.append((sandbox, { [self] in record(result, of: webhook, at: time, in: sandbox) }))
    }
    do {
      try sandbox.atomically {
        try sandbox.webhooks.record(
          result, of: webhook.ordinal, at: time, retries: retries(of: webhook, in: sandbox))
      }
      if case .refused(let why) = result {
        journal(webhook, refusedBecause: why, at: time, in: sandbox)
      }
      sandboxes.mayHaveReadyWebhooks = true
      // Apart, because other work that fails must not make this attempt due again.
      try sandbox.atomically { try sandbox.advanceToTarget() }
    } catch {
      report("\(webhook.id) of sandbox \(sandbox.name) was not recorded: \(error)")
    }
  }

  private func recordDelayed() {
    let ready = delayed.filter { !$0.sandbox.isHeld }
    guard !ready.isEmpty else { return }
    delayed.removeAll { !$0.sandbox.isHeld }
    for result in ready { result.record() }
  }

  private func journal(
    _ webhook: Webhook, refusedBecause why: String, at time: Timestamp, in sandbox: Sandbox
  ) {
    sandbox.journal.record(
      Journal.Exchange(
        at: time, owner: webhook.draft.provider, route: nil,
        method: (webhook.request?.method ?? .post).rawValue, target: webhook.shownURL,
        requestHead: [], requestBody: webhook.request?.body ?? [], status: 0, responseHead: [],
        responseBody: [], why: "webhook \(webhook.id) was not sent: \(why)", unread: [], nearest: []))
  }

  /// Forged webhooks are sent once. Without readable settings, the provider's usual schedule applies.
  private func retries(of webhook: Webhook, in sandbox: Sandbox) -> RetrySchedule {
    guard let sender = senders[webhook.draft.provider] else { return .never }
    let retries = (try? sender.retries(of: webhook, in: sandbox)) ?? sender.retries
    return webhook.fault?.isForged == true ? retries.withoutRepetition : retries
  }

  private func destination(of webhook: Webhook, _ sandbox: Sandbox) -> Destination {
    Destination(sandbox: ObjectIdentifier(sandbox), name: webhook.draft.destination)
  }
}
