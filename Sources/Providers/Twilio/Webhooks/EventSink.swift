import ProviderKit

// Events of verifications and their messages, for the sink of the settings. Source: contract 14.4 and 20.

/// Where a Service's events go.
struct EventSink {
  let url: String
  let service: Shared<Service>

  /// Nil if nobody gets the events of the request's Service.
  init?(for context: RequestContext) {
    guard let url = context.settings.eventSink else { return nil }
    self.init(url, for: context.sharedService)
  }

  /// Nil for a Service without VerifyEventSubscriptionEnabled.
  private init?(_ url: String, for service: Shared<Service>) {
    guard service.value.verifyEventSubscriptionEnabled ?? false else { return nil }
    self.url = url
    self.service = service
  }

  /// The sink of a stored Service; nil if there is none.
  private static func find(forService sid: String, in sandbox: Sandbox) throws -> EventSink? {
    guard let url = try Settings.shared(in: sandbox).value.eventSink else { return nil }
    let service = try sandbox.records.read(sid, in: Service.section) { try Service($0) }
    return service.flatMap { EventSink(url, for: $0) }
  }

  /// Enqueues the event of a verification's current state.
  func report(_ verification: Verification, in sandbox: Sandbox) throws {
    guard let state = verification.state.ofEvents else { return }
    let data = try VerificationEventData(
      verification: verification, details: VerificationDetails(of: verification), service: service.value,
      sandbox: sandbox)
    let event = CloudEvent(
      type: "verification.\(state)", schema: "VerifyEventStreamEvent/2", at: verification.updatedAt,
      account: data.account, verification: data.sid, service: service.value.sid)
    try enqueue(event, subject: verification.ordinal, JSONWriter.object { data.write(to: &$0) }, in: sandbox)
  }

  /// Enqueues an event for each of a message's receipts that is still to come, at its time.
  func report(_ message: Message, of verification: Verification, in sandbox: Sandbox) throws {
    guard message.channel.reportsMessages else { return }
    let data = MessageEventData(
      message: message, verification: verification, account: service.value.account,
      service: service.value.sid,
      subscriber: try PhoneNumber(message.destination).map { try sandbox.subscribers[$0] },
      sandbox: sandbox)
    let now = sandbox.clock.now
    for receipt in message.receipts.all where message.submittedAt + receipt.after >= now {
      guard receipt.state != .accepted else { continue }
      let status = MessageStatus(receipt)
      let event = CloudEvent(
        type: "message.\(status.name)", schema: "MessageStatusEvent/2",
        at: message.submittedAt + receipt.after,
        account: data.account, verification: VerificationSid.of(verification, in: sandbox),
        service: service.value.sid)
      try enqueue(
        event, subject: message.ordinal, JSONWriter.object { data.write(status, to: &$0) },
        in: sandbox)
    }
  }

  private func enqueue(
    _ event: CloudEvent, subject: Int, _ data: [UInt8], in sandbox: Sandbox
  ) throws {
    let body = SignedBody(json: event.body(data, in: sandbox))
    try sandbox.webhooks.enqueue(
      body.draft(to: url, kind: event.fullType, subject: subject, of: event.account), dueAt: event.at)
  }

  /// For four hours with growing pauses, unless the sink refuses the event. The provider's pauses are partly
  /// random. Source: contract 14.4.
  static let retries: RetrySchedule = {
    var schedule = RetrySchedule.doubling(from: .seconds(1), upTo: .seconds(4_096), for: .seconds(4 * 3_600))
    schedule.refusals = Set(400...499).subtracting([429])
    return schedule
  }()

  static let kinds: [String] = {
    Verification.State.allCases.compactMap(\.ofEvents).map { CloudEvent.fullType("verification.\($0)") }
      + ["delivered", "failed", "read", "sent", "undelivered"].map { CloudEvent.fullType("message.\($0)") }
  }()

  static func ended(_ verification: Verification, in sandbox: Sandbox) throws {
    try find(forService: verification.claim.owner, in: sandbox)?.report(verification, in: sandbox)
  }

  /// Replaces the planned events of a message that the carrier had held: it has arrived now.
  static func released(_ message: Message, in sandbox: Sandbox) throws {
    guard let ordinal = VerificationSid.ordinal(of: message.reference, in: sandbox),
      let verification = try sandbox.verifications.find(ordinal),
      let sink = try find(forService: verification.claim.owner, in: sandbox)
    else { return }
    for webhook in try sandbox.webhooks.planned(about: message.ordinal, by: TwilioProvider.name) {
      try sandbox.webhooks.cancel(webhook)
    }
    try sink.report(message, of: verification, in: sandbox)
  }
}

/// The envelope of an event. Sinks get an array of them; here it always has one.
private struct CloudEvent {
  /// Without the provider's prefix.
  let type: String
  let schema: String
  let at: Timestamp
  /// SIDs.
  let account: String
  let verification: String
  let service: String

  var fullType: String { Self.fullType(type) }

  static func fullType(_ type: String) -> String { "com.twilio.accountsecurity.verify.\(type)" }

  func body(_ data: [UInt8], in sandbox: Sandbox) -> [UInt8] {
    let ordinal = sandbox.nextOrdinal()
    let id = sandbox.entropy.identifier("event", ordinal) + sandbox.entropy.identifier("event", ordinal, 1)
    return JSONWriter.array([data]) { json, data in
      json.value { json in
        json.member("specversion", "1.0")
        json.member("type", fullType)
        json.member("source", "/v1/Accounts/\(account)/Services/\(service)/Verifications/\(verification)")
        json.member("id", id)
        json.member("dataschema", "https://events-schemas.twilio.com/AccountSecurity.\(schema)")
        json.member("datacontenttype", "application/json")
        json.member("time", at.iso8601Milliseconds)
        json.member("data", encoded: data)
      }
    }
  }
}

private struct VerificationEventData {
  let verification: Verification
  let details: VerificationDetails
  let service: Service
  let sandbox: Sandbox

  var account: String { service.account }
  var sid: String { VerificationSid.of(verification, in: sandbox) }

  func write(to json: inout JSONWriter) {
    json.member("account_sid", account)
    json.member("service_sid", service.sid)
    json.member("verification_sid", sid)
    json.member("friendly_name", service.friendlyName)
    json.member("custom_code_enabled", service.customCodeEnabled ?? false)
    json.member("custom_friendly_name", details.customFriendlyName)
    json.member("created_at", verification.createdAt.iso8601Microseconds)
    json.member(
      "verified_at", verification.state == .approved ? verification.updatedAt.iso8601Microseconds : nil)
    json.member("expired_at", verification.expiresAt.iso8601Microseconds)
    json.member("to", verification.claim.destination)
    json.member("verification_status", verification.state.twilioName.uppercased())
    json.member("country", PhoneNumber(verification.claim.destination)?.country)
    json.member("code_length", service.digits)
    writeAttempts(to: &json)
  }

  /// The times of checks are not stored, so only the one that ended the verification is in the list.
  private func writeAttempts(to json: inout JSONWriter) {
    json.object("send_code_attempts") { json in
      json.member("count", verification.attempts.count)
      json.array("attempts", verification.attempts.all) { json, attempt in
        json.value {
          $0.member("time", attempt.sentAt.iso8601Microseconds)
          $0.member("channel", attempt.channel.twilioName.uppercased())
          $0.member("attempt_sid", VerificationSid.ofAttempt(attempt.number, of: verification, in: sandbox))
          $0.member("locale", details.locale ?? Language.english.tag)
        }
      }
    }
    let lastCheck: String? =
      verification.checks == 0
      ? nil : verification.state == .approved ? "SUCCESS" : verification.state == .exhausted ? "FAILED" : nil
    json.object("check_attempts") { json in
      json.member("count", verification.checks)
      json.array("attempts", [lastCheck].compactMap { $0 }) { json, status in
        json.value {
          $0.member("time", verification.updatedAt.iso8601Microseconds)
          $0.member("status", status)
        }
      }
    }
  }
}

private struct MessageEventData {
  let message: Message
  let verification: Verification
  /// SIDs.
  let account: String
  let service: String
  let subscriber: Subscriber?
  let sandbox: Sandbox

  func write(_ status: MessageStatus, to json: inout JSONWriter) {
    let attempts = verification.attempts.all
    let attempt = attempts.last { $0.sentAt == message.submittedAt }?.number ?? attempts.count
    json.member("created_at", message.submittedAt.iso8601Microseconds)
    json.member("account_sid", account)
    json.member("service_sid", service)
    json.member("verification_sid", VerificationSid.of(verification, in: sandbox))
    json.member("attempt_sid", VerificationSid.ofAttempt(attempt, of: verification, in: sandbox))
    json.member("error_code", status.failure.map { String($0.code) } ?? "")
    json.member("channel", message.channel.twilioName.uppercased())
    json.member("message_status", status.name.rawValue.uppercased())
    json.member("has_fallback", false)
    json.member("is_fallback", false)
    json.member("mnc", subscriber?.mnc)
    json.member("mcc", subscriber?.mcc)
    json.member("to", message.destination)
    json.member("number_segments", TextEncoding(of: message.text).segments)
  }
}

extension Verification.State {
  /// Nil for a state without an event.
  fileprivate var ofEvents: String? { self == .denied ? nil : twilioName }
}

extension Channel {
  /// True if the provider reports what becomes of the channel's messages.
  fileprivate var reportsMessages: Bool {
    switch self {
    case .sms, .whatsapp, .rcs: true
    default: false
    }
  }
}

extension Timestamp {
  /// The sandbox counts milliseconds, so the last three digits are zeros. Source: contract 20.
  fileprivate var iso8601Microseconds: String { iso8601Milliseconds.dropLast() + "000Z" }
}
