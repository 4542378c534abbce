import Domain
import JSON
import ProviderKit

// What a verification's webhooks tell, in the order of contract 12.2.

/// One thing that is told. Source: contract 12.2.
enum VerifyEvent: String {
  /// A verification was begun.
  case authentication = "verify.authentication"
  /// A message was sent, or a silent URL given out.
  case attempt = "verify.attempt"
  /// The carrier, or the last hop, has said what became of it.
  case deliveryStatus = "verify.delivery_status"
}

/// What a webhook keeps until it is worded.
struct VerifyEventDetails {
  /// Which attempt it is about.
  let attempt: Int
  /// What became of it.
  let status: String?
  /// When.
  let at: Timestamp

  /// Details from their parts.
  init(attempt: Int, status: String? = nil, at: Timestamp) {
    self.attempt = attempt
    self.status = status
    self.at = at
  }

  /// Reads what `encoded` wrote.
  init(_ text: String) throws {
    let fields = try Fields(Array(text.utf8))
    attempt = try fields.int("attempt")
    status = try fields.optionalString("status")
    at = Timestamp(milliseconds: Int64(try fields.int("at")))
  }

  /// As the webhook keeps it.
  var encoded: String {
    let bytes = JSONWriter.object { json in
      json.member("attempt", attempt)
      if let status { json.member("status", status) }
      json.member("at", at.milliseconds)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Tells of a verification, where somebody wants to hear it.
func enqueueEvent(
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

/// Tells now that an attempt has arrived that was to be told of as lost.
func tellReleasedAttempt(_ message: Message, in sandbox: Sandbox) throws {
  guard let (ordinal, attempt) = parts(of: message.reference, .attempt, in: sandbox) else { return }
  for webhook in try sandbox.webhooks.planned(about: ordinal, by: PreludeProvider.name) {
    guard webhook.draft.kind == VerifyEvent.deliveryStatus.rawValue,
      try VerifyEventDetails(webhook.draft.detail).attempt == attempt
    else { continue }
    try sandbox.webhooks.cancel(webhook)
    let (status, time) = message.preludeEnd
    try enqueueEvent(
      .deliveryStatus, of: ordinal, to: webhook.draft.url,
      .init(attempt: attempt, status: status, at: time),
      in: sandbox)
  }
}

/// Tells once what became of a silent attempt.
func tellSilent(_ status: String, of session: SilentSession, in sandbox: Sandbox) throws {
  guard let verification = try sandbox.verifications.find(session.draft.verification) else { return }
  let details = VerifyEventDetails(attempt: session.draft.attempt, status: status, at: sandbox.clock.now)
  try enqueueEvent(
    .deliveryStatus, of: verification.ordinal, to: Window(verification.details).callbackURL, details,
    in: sandbox)
}

extension Sending {
  /// Tells webhooks of an attempt, and of the verification where it is the first.
  func tell(of verification: Verification, _ sent: Message?, isNew: Bool) throws {
    guard window.callbackURL != nil, !window.isTest else { return }
    let (number, now) = (verification.attempts.all.count, sandbox.clock.now)
    if isNew { try tell(.authentication, verification, attempt: number, at: now) }
    if !isNew { try concludeSilence(of: verification) }
    try tell(.attempt, verification, attempt: number, at: now)
    guard let sent else { return }
    try tell(.deliveryStatus, verification, attempt: number, "submitted", at: now)
    try tell(.deliveryStatus, verification, attempt: number, "in_transit", at: now)
    let (status, time) = sent.preludeEnd
    try tell(.deliveryStatus, verification, attempt: number, status, at: time)
  }

  /// A silent attempt that the app has given up has failed.
  private func concludeSilence(of verification: Verification) throws {
    let given = try sandbox.silentSessions.all(of: verification.ordinal).last
    guard let given, given.concludedAt == nil, given.draft.attempt == verification.attempts.all.count - 1
    else { return }
    try tellSilent("undeliverable", of: given, in: sandbox)
  }

  private func tell(
    _ event: VerifyEvent, _ verification: Verification, attempt: Int, _ status: String? = nil,
    at: Timestamp
  ) throws {
    try enqueueEvent(
      event, of: verification.ordinal, to: window.callbackURL,
      VerifyEventDetails(attempt: attempt, status: status, at: at), in: sandbox)
  }
}

extension Message {
  /// What becomes of it in the end, and when; without a last word of the carrier's it is given up as unknown.
  /// Source: contract 12.2 and 16.1.
  var preludeEnd: (status: String, at: Timestamp) {
    let last = receipts.all.last { DeliveryReceipt.State.preludeEnds[$0.state] != nil }
    guard let last, let status = DeliveryReceipt.State.preludeEnds[last.state] else {
      return ("unknown", submittedAt + .seconds(300))
    }
    return (status, submittedAt + last.after)
  }
}

extension DeliveryReceipt.State {
  /// States that are a carrier's last word, in the vendor's words.
  fileprivate static let preludeEnds: [Self: String] = [
    .delivered: "delivered", .expired: "undeliverable", .undeliverable: "undeliverable",
    .rejected: "undeliverable", .refused: "undeliverable",
  ]
}
