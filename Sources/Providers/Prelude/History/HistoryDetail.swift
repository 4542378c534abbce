import Domain
import JSON
import ProviderKit

extension HistoryEntry {
  /// The members of a detail. Source: contract 5.
  func writeDetail(_ currentCondition: Condition?, to json: inout JSONWriter) {
    json.member("id", identifier(of: verification, in: sandbox))
    json.member("created_at", verification.createdAt.iso8601Milliseconds)
    json.member("expires_at", verification.expiresAt.iso8601Milliseconds)
    json.member("phone_number", verification.claim.destination)
    json.member("status", status.rawValue)
    if let reason = window.reason { json.member("block_reasons", reason.riskFactors) }
    writeCarrier(to: &json)
    if let id = window.correlationID { json.member("correlation_id", id) }
    writeDevice(to: &json)
    if let condition { json.member("phone_number_condition", condition.rawValue) }
    if let currentCondition { json.member("phone_number_current_condition", currentCondition.rawValue) }
    if let country = subscriber?.country { json.member("phone_number_region", country) }
    if let signalsStatus { json.member("signals_hash_status", signalsStatus) }
    if let id = window.templateID { json.member("template_id", id) }
    json.object("lifecycle") { json in
      json.array("events", events) { json, event in json.value { write(event, to: &$0) } }
      guard window.status != "blocked" else { return }
      Self.writeCost("total_cost", to: &json)
      json.member("undeliverable_route_count", lostAttempts)
    }
  }

  /// One thing that happened, with when.
  private enum Moment {
    case create
    case signals(Timestamp)
    case attempt(Attempt, Message?)
    case check(Window.Check)
  }

  /// What happened, oldest first.
  private var events: [Moment] {
    let attempts = zip(verification.attempts.all, messages).map {
      (at: $0.sentAt, moment: Moment.attempt($0, $1))
    }
    let checks = window.checks.map { (at: $0.at, moment: Moment.check($0)) }
    // Stable: what happened at the same time stays in this order.
    let sorted = (attempts + checks).enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    let signals = window.signalsAt.map { [Moment.signals($0)] } ?? []
    return [.create] + signals + sorted.map(\.element.moment)
  }

  /// How many attempts were lost by now.
  private var lostAttempts: Int {
    zip(verification.attempts.all, messages).count { attempt, message in
      Self.isLost(deliveryEvents(of: attempt, message).last?.status)
    }
  }

  private static func isLost(_ status: String?) -> Bool {
    status == "undeliverable" || status == "expired" || status == "silent_mismatch"
  }

  private func write(_ moment: Moment, to json: inout JSONWriter) {
    switch moment {
    case .create:
      json.member("type", "create")
      json.object("create") { json in
        json.member("created_at", verification.createdAt.iso8601Milliseconds)
        if window.status != "blocked" { Self.writeCost("cost", to: &json) }
      }
    case .signals(let time):
      json.member("type", "signals")
      json.object("signals") { writeSignals(receivedAt: time, to: &$0) }
    case .attempt(let attempt, let message):
      json.member("type", "attempt")
      json.object("attempt") { write(attempt, message, to: &$0) }
    case .check(let check):
      json.member("type", "check")
      json.object("check") { write(check, to: &$0) }
    }
  }

  private func write(_ attempt: Attempt, _ message: Message?, to json: inout JSONWriter) {
    let told = deliveryEvents(of: attempt, message)
    let status = told.last?.status ?? "unknown"
    json.member("id", identifier(.attempt, verification.ordinal, part: attempt.number, in: sandbox))
    json.member("created_at", attempt.sentAt.iso8601Milliseconds)
    json.member("channel", attempt.channel.preludeWord)
    if let message { json.member("content", content(of: message)) }
    Self.writeCost("cost", to: &json)
    writeCarrier(to: &json)
    json.member("status", Self.isLost(status) ? "failed" : "succeeded")
    json.member("trigger", trigger(of: attempt))
    json.member("delivery_status", Self.coarse[status] ?? status)
    json.array("delivery_events", told) { json, event in
      json.value {
        $0.member("received_at", event.at.iso8601Milliseconds)
        $0.member("status", event.status)
      }
    }
  }

  private func trigger(of attempt: Attempt) -> String {
    if window.automatic.contains(attempt.number) { return "auto_retry" }
    return attempt.number == 1 ? "initial" : "user_retry"
  }

  private func writeSignals(receivedAt time: Timestamp, to json: inout JSONWriter) {
    let end = time + .seconds(settings.signalsSeconds)
    json.member("received_at", time.iso8601Milliseconds)
    if end <= sandbox.clock.now { json.member("expired_at", end.iso8601Milliseconds) }
    json.member("status", signalsStatus)
  }

  /// The code is masked while the window is open.
  private func content(of message: Message) -> String {
    guard verification.isPending(at: sandbox.clock.now), let code = message.code else { return message.text }
    let mask = String(repeating: "*", count: code.count)
    return message.text.split(separator: code, omittingEmptySubsequences: false).joined(separator: mask)
  }

  private func write(_ check: Window.Check, to json: inout JSONWriter) {
    let answered = verification.attempts.all.first { $0.code == check.value }
    json.member("created_at", check.at.iso8601Milliseconds)
    json.member("is_valid", check.isValid)
    if let channel = answered?.channel { json.member("channel", channel.preludeWord) }
    if !verification.isPending(at: sandbox.clock.now), answered?.channel != .silent {
      json.member("value", check.value)
    }
    if let detail = check.detail { json.member("status_detail", detail) }
    guard window.templateID == Payment.templateID else { return }
    json.object("psd2_info") { json in
      if let expected = Payment(window.variables) {
        json.object("expected_transaction") { Self.write(expected, to: &$0) }
      }
      if let received = check.payment {
        json.object("received_transaction") { Self.write(received, to: &$0) }
      }
    }
  }

  private static func write(_ payment: Payment, to json: inout JSONWriter) {
    json.object("amount") {
      $0.member("amount", payment.amount)
      $0.member("currency", payment.currency)
    }
    json.member("recipient", payment.recipient)
  }

  private func deliveryEvents(of attempt: Attempt, _ message: Message?) -> [(at: Timestamp, status: String)] {
    if attempt.channel == .silent {
      return sessions.filter { $0.draft.attempt == attempt.number }.flatMap(\.preludeEvents)
    }
    guard let message else { return [] }
    let receipts = message.receipts(by: sandbox.clock.now).compactMap { receipt in
      receipt.state.preludeWord.map { (at: message.submittedAt + receipt.after, status: $0) }
    }
    return [(at: message.submittedAt, status: "submitted")] + receipts
  }

  private func writeCarrier(to json: inout JSONWriter) {
    guard let subscriber else { return }
    json.object("carrier") {
      $0.member("mccmnc", subscriber.mcc + subscriber.mnc)
      $0.member("name", subscriber.operatorName)
    }
  }

  private func writeDevice(to json: inout JSONWriter) {
    func text(_ name: String) -> String? { Window.text(name, in: window.signals) }
    if let version = text("app_version") { json.member("app_version", version) }
    if let model = text("device_model") { json.member("device_model", model) }
    if let platform { json.member("device_platform", platform) }
    if let ip = text("ip") {
      json.member("ip_address", ip)
      // Where an address is nobody here knows; the carrier knows where the handset is.
      let region = subscriber?.roaming.countries.first ?? subscriber?.country
      if let region { json.member("ip_address_region", region) }
    }
    guard !window.signals.isEmpty else { return }
    json.object("signals") { json in
      json.member(
        "is_trusted_user", window.signals.contains(.init(name: "is_trusted_user", value: .bool(true))))
      if let id = text("device_id") { json.member("device_id", id) }
      if let print = text("ja4_fingerprint") { json.member("ja4_fingerprint", print) }
      if let version = text("os_version") { json.member("os_version", version) }
      if let agent = text("user_agent") { json.member("user_agent", agent) }
    }
  }

  /// The coarser words for an attempt's state. Source: contract 5.
  private static let coarse = [
    "submitted": "in_transit", "expired": "undeliverable", "silent_started": "in_transit",
    "silent_verified": "delivered", "silent_mismatch": "undeliverable",
  ]
}

extension SilentSession {
  /// What the hops tell of it. Source: contract 14.5.
  fileprivate var preludeEvents: [(at: Timestamp, status: String)] {
    var events: [(at: Timestamp, status: String)] = []
    if let openedAt { events.append((openedAt, "silent_started")) }
    if let finishedAt, let verdict {
      events.append((finishedAt, verdict == .matched ? "silent_verified" : "silent_mismatch"))
    }
    return events
  }
}

extension DeliveryReceipt.State {
  /// The vendor's finer word.
  fileprivate var preludeWord: String? {
    switch self {
    case .enroute: "in_transit"
    case .delivered: "delivered"
    case .expired: "expired"
    case .undeliverable, .rejected: "undeliverable"
    default: nil
    }
  }
}
