import Crypto
import ProviderKit

/// Callbacks of SMS. Source: `senders.md` 7.
enum SMSCallback {
  enum Kind: String, CaseIterable {
    /// All recipients have a final status. The subject is the batch.
    case report = "delivery_report_sms"
    /// The subject is the recipient's message, or the batch for one without a message.
    case recipientReport = "recipient_delivery_report_sms"
    /// A person has written. The subject is the text.
    case inbound = "mo_text"
  }

  /// The recipient's reports that the batch asks for: each change, or the last.
  static func schedule(of message: Message, in batch: Batch, _ plan: Plan?, in sandbox: Sandbox) throws {
    let changes = message.smsChanges
    let recipient = MSISDN.shown(message.destination)
    switch batch.reports {
    case .none, .summary, .full: return
    case .perRecipient:
      for change in changes {
        try enqueue(change, of: recipient, message, in: batch, plan, in: sandbox)
      }
    case .perRecipientFinal:
      guard let change = message.finalChange else { return }
      try enqueue(change, of: recipient, message, in: batch, plan, in: sandbox)
    }
  }

  /// The same for a recipient who gets no text.
  static func schedule(
    _ refusal: BatchTexts.Refusal, of recipient: String, in batch: Batch, _ plan: Plan?, at time: Timestamp,
    in sandbox: Sandbox
  ) throws {
    guard batch.reports == .perRecipient || batch.reports == .perRecipientFinal else { return }
    let change = SMSChange(status: .aborted, code: refusal.rawValue, at: time)
    try enqueue(change, of: recipient, nil, in: batch, plan, in: sandbox)
  }

  /// The report about all recipients. Does nothing without a time.
  static func scheduleSummary(
    of batch: Batch, _ plan: Plan?, at time: Timestamp?, in sandbox: Sandbox
  ) throws {
    guard batch.reports == .summary || batch.reports == .full, let time,
      let url = batch.callbackURL(plan)
    else { return }
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: SinchProvider.name, url: url, kind: Kind.report.rawValue, subject: batch.ordinal),
      dueAt: time)
  }

  private static func enqueue(
    _ change: SMSChange, of recipient: String, _ message: Message?, in batch: Batch, _ plan: Plan?,
    in sandbox: Sandbox
  ) throws {
    guard let url = batch.callbackURL(plan) else { return }
    let detail = JSONWriter.text { json in
      json.member("batch", batch.ordinal)
      json.member("recipient", recipient)
      json.member("code", change.code)
      json.member("status", change.status.rawValue)
      json.member("at", change.at.milliseconds)
    }
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: SinchProvider.name, url: url, kind: Kind.recipientReport.rawValue,
        subject: message?.ordinal ?? batch.ordinal, detail: detail), dueAt: change.at)
  }

  /// A text that the carrier has held has arrived: what was planned about it is wrong.
  static func released(_ message: Message, in sandbox: Sandbox) throws {
    guard let batch = try Batch.table.find(message.reference, in: sandbox),
      var sent = try SentBatch.find(batch, in: sandbox)
    else { return }
    for subject in [message.ordinal, batch.ordinal] {
      for webhook in try sandbox.webhooks.planned(about: subject, by: SinchProvider.name)
      where subject == message.ordinal || webhook.draft.kind == Kind.report.rawValue {
        try sandbox.webhooks.cancel(webhook)
      }
    }
    let plan = try Plan.find(batch.plan, in: sandbox)
    if let change = message.finalChange,
      batch.reports == .perRecipient || batch.reports == .perRecipientFinal
    {
      try enqueue(
        change, of: MSISDN.shown(message.destination), message, in: batch, plan, in: sandbox)
    }
    try sent.findEnd(in: sandbox)
    try sent.save(of: batch, in: sandbox)
    try scheduleSummary(of: batch, plan, at: sent.finalAt, in: sandbox)
  }

  // MARK: Requests

  /// Nil for a webhook of Verification, or if there is nothing to tell.
  static func request(for webhook: Webhook, _ kind: Kind, in sandbox: Sandbox) throws -> WebhookRequest? {
    let time = (webhook.nextAt ?? webhook.createdAt) - webhook.timestampAge
    switch kind {
    case .report:
      guard let batch = try Batch.find(webhook.draft.subject, in: sandbox) else { return nil }
      let report = try BatchReport(
        of: batch, at: webhook.nextAt ?? webhook.createdAt, in: sandbox)
      let body = JSONWriter.object { report.write(isFull: batch.reports == .full, to: &$0) }
      return try sign(body, of: batch.plan, webhook.ordinal, at: time, in: sandbox)
    case .recipientReport:
      let detail = try Fields(Array(webhook.draft.detail.utf8))
      guard let batch = try Batch.find(detail.int("batch"), in: sandbox),
        let status = SMSStatus(rawValue: try detail.string("status"))
      else { return nil }
      let change = SMSChange(
        status: status, code: try detail.int("code"),
        at: Timestamp(milliseconds: Int64(try detail.int("at"))))
      let report = RecipientReport(
        batch: batch, recipient: try detail.string("recipient"), change: change,
        message: try sandbox.messages.find(webhook.draft.subject))
      let body = try report.encoded(age: webhook.timestampAge, in: sandbox)
      return try sign(body, of: batch.plan, webhook.ordinal, at: time, in: sandbox)
    case .inbound:
      guard let inbound = try Inbound.find(webhook.draft.subject, in: sandbox) else { return nil }
      let body = JSONWriter.object { inbound.write(age: webhook.timestampAge, to: &$0) }
      return try sign(body, of: inbound.plan, webhook.ordinal, at: time, in: sandbox)
    }
  }

  /// Signed if the plan has a secret. Source: `senders.md` 7; sinch-sdk-node.
  static func sign(
    _ body: [UInt8], of plan: String, _ ordinal: Int, at time: Timestamp, in sandbox: Sandbox
  ) throws -> WebhookRequest {
    guard let secret = try Plan.find(plan, in: sandbox)?.options.hmacSecret else { return .json(body) }
    let (nonce, seconds) = (sandbox.entropy.identifier("sinch nonce", ordinal), String(time.unixSeconds))
    let text = body + Array(".\(nonce).\(seconds)".utf8)
    let signature = Base64.encode(HMAC.authenticate(text, key: Array(secret.utf8), .sha256))
    return .json(
      body, .init(signatureField, signature), .init("\(signatureField)-nonce", nonce),
      .init("\(signatureField)-timestamp", seconds), .init("\(signatureField)-algorithm", "HmacSHA256"))
  }

  static let signatureField = "x-sinch-webhook-signature"

  /// After 5, 10, 20 … 81920 seconds, after errors of the server, 429, and without an answer.
  static let retries: RetrySchedule = {
    var schedule = RetrySchedule(pauses: (0..<15).map { .seconds(5 << $0) })
    schedule.refusals = Set(400..<500).subtracting([429])
    schedule.retriedFailures.remove(.otherStatus)
    return schedule
  }()
}
