import ProviderKit

/// Source: contract 12.2.
enum VerifyEvent: String, CaseIterable {
  /// A verification was created.
  case authentication = "verify.authentication"
  /// A message was sent, or a silent URL was created.
  case attempt = "verify.attempt"
  /// The carrier has reported the state of the message, or the last hop has run.
  case deliveryStatus = "verify.delivery_status"
}

/// The state of an attempt in webhooks.
enum DeliveryStatus: String, CaseIterable {
  case submitted
  case inTransit = "in_transit"
  case delivered
  case undeliverable
  case unknown
}

/// What a webhook stores until it is sent.
struct VerifyEventDetails {
  /// The number of the attempt, from 1.
  let attempt: Int
  let status: DeliveryStatus?
  let at: Timestamp

  init(attempt: Int, status: DeliveryStatus? = nil, at: Timestamp) {
    self.attempt = attempt
    self.status = status
    self.at = at
  }

  init(_ detail: String) throws {
    let fields = try Fields(Array(detail.utf8))
    attempt = try fields.value("attempt", .count)
    status = try fields.optionalString("status").flatMap(DeliveryStatus.init)
    at = try fields.timestamp("at")
  }

  var encoded: String {
    return JSONWriter.text { json in
      json.member("attempt", attempt)
      if let status { json.member("status", status.rawValue) }
      json.member("at", at.milliseconds)
    }
  }
}

/// When the webhooks of verifications are enqueued, in the order of contract 12.2.
extension VerifyEvent {
  /// Enqueues a webhook, due at `details.at`, if there is a URL.
  fileprivate static func enqueue(
    _ event: VerifyEvent, of verification: Int, to url: String?, _ details: VerifyEventDetails,
    in sandbox: Sandbox
  ) throws {
    guard let url else { return }
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: PreludeProvider.name, url: url, kind: event.rawValue, subject: verification,
        detail: details.encoded),
      dueAt: details.at)
  }

  /// Replaces the scheduled status of a lost attempt when its message was delivered after all.
  static func reportLate(_ message: Message, in sandbox: Sandbox) throws {
    guard let (ordinal, attempt) = Identifier.ordinalAndPart(of: message.reference, .attempt, in: sandbox)
    else { return }
    for url in try cancelStatuses(ofAttempt: attempt, of: ordinal, in: sandbox) {
      for (status, time) in message.reportedStatuses.suffix(1) {
        try enqueue(
          .deliveryStatus, of: ordinal, to: url,
          VerifyEventDetails(attempt: attempt, status: status, at: time), in: sandbox)
      }
    }
  }

  /// Cancels the statuses of an attempt that are still to come; returns the URLs where they would have gone.
  private static func cancelStatuses(
    ofAttempt attempt: Int, of verification: Int, in sandbox: Sandbox
  ) throws -> [String] {
    let planned = try sandbox.webhooks.planned(about: verification, by: PreludeProvider.name).filter {
      try $0.draft.kind == VerifyEvent.deliveryStatus.rawValue
        && VerifyEventDetails($0.draft.detail).attempt == attempt
    }
    for webhook in planned { try sandbox.webhooks.cancel(webhook) }
    return planned.map(\.draft.url)
  }

  /// Enqueues the final status of a silent attempt, instead of the one of its expiry.
  static func enqueueSilentStatus(
    _ status: DeliveryStatus, of session: SilentSession, in sandbox: Sandbox
  ) throws {
    guard let verification = try sandbox.verifications.find(session.draft.verification) else { return }
    _ = try cancelStatuses(ofAttempt: session.draft.attempt, of: verification.ordinal, in: sandbox)
    let details = VerifyEventDetails(attempt: session.draft.attempt, status: status, at: sandbox.clock.now)
    try enqueue(
      .deliveryStatus, of: verification.ordinal, to: StoredVerification(of: verification).callbackURL,
      details, in: sandbox)
  }
}

extension CodeSender {
  /// Enqueues the webhooks of an attempt, and that of the verification if it is new.
  func enqueueWebhooks(for verification: Verification, _ sent: Message?, isNew: Bool) throws {
    guard stored.callbackURL != nil, !stored.isTest else { return }
    let now = sandbox.clock.now
    if isNew { try enqueue(.authentication, verification, at: now) }
    if !isNew { try failAbandonedSilentAttempt(of: verification) }
    try enqueue(.attempt, verification, at: now)
    for (status, time) in sent?.reportedStatuses ?? [] {
      try enqueue(.deliveryStatus, verification, status, at: time)
    }
    if sent == nil, let session = try sandbox.silentSessions.all(of: verification.ordinal).last {
      try enqueue(.deliveryStatus, verification, .undeliverable, at: session.expiresAt)
    }
  }

  /// Reports the previous attempt as failed if it was silent and has not completed.
  private func failAbandonedSilentAttempt(of verification: Verification) throws {
    let newest = try sandbox.silentSessions.all(of: verification.ordinal).last
    guard let newest, newest.finishedAt == nil, newest.expiresAt > sandbox.clock.now,
      newest.draft.attempt == verification.attempts.count - 1
    else { return }
    try VerifyEvent.enqueueSilentStatus(.undeliverable, of: newest, in: sandbox)
  }

  private func enqueue(
    _ event: VerifyEvent, _ verification: Verification, _ status: DeliveryStatus? = nil, at time: Timestamp
  ) throws {
    try VerifyEvent.enqueue(
      event, of: verification.ordinal, to: stored.callbackURL,
      VerifyEventDetails(attempt: verification.attempts.count, status: status, at: time), in: sandbox)
  }
}

extension Message {
  /// The statuses that webhooks report, those of the future too.
  fileprivate var reportedStatuses: [(status: DeliveryStatus, at: Timestamp)] {
    deliveries().compactMap { delivery, time in delivery.state.webhookStatus.map { ($0, time) } }
  }
}
