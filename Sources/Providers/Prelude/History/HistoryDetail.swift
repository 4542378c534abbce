import ProviderKit

extension HistoryEntry {
  /// Writes the members of a detail. Source: contract 5.
  func writeDetail(_ currentCondition: NumberCondition?, to json: inout JSONWriter) {
    json.member("id", Identifier.text(of: verification, in: sandbox))
    json.member("created_at", verification.createdAt.iso8601Milliseconds)
    json.member("expires_at", verification.expiresAt.iso8601Milliseconds)
    json.member("phone_number", verification.claim.destination)
    json.member("status", status.rawValue)
    if let reason = stored.reason { json.member("block_reasons", reason.riskFactors()) }
    writeCarrier(to: &json)
    if let id = stored.correlationID { json.member("correlation_id", id) }
    writeDevice(to: &json)
    if let condition { json.member("phone_number_condition", condition.rawValue) }
    if let currentCondition { json.member("phone_number_current_condition", currentCondition.rawValue) }
    if let country = subscriber?.country { json.member("phone_number_region", country) }
    if let signalsHashStatus { json.member("signals_hash_status", signalsHashStatus) }
    if let id = stored.templateID { json.member("template_id", id) }
    json.object("lifecycle") { json in
      json.array("events", lifecycle) { json, event in json.value { write(event, to: &$0) } }
      guard stored.status != .blocked else { return }
      Self.writeCost("total_cost", to: &json)
      json.member("undeliverable_route_count", lostAttempts)
    }
  }

  private func writeCarrier(to json: inout JSONWriter) {
    guard let subscriber else { return }
    json.object("carrier") {
      $0.member("mccmnc", subscriber.mcc + subscriber.mnc)
      $0.member("name", subscriber.operatorName)
    }
  }

  private func writeDevice(to json: inout JSONWriter) {
    func text(_ name: String) -> String? { StoredVerification.text(name, in: stored.signals) }
    if let version = text("app_version") { json.member("app_version", version) }
    if let model = text("device_model") { json.member("device_model", model) }
    if let platform { json.member("device_platform", platform) }
    if let ip = text("ip") {
      json.member("ip_address", ip)
      // The sandbox cannot locate addresses. The carrier knows where the handset is.
      let region = subscriber?.roaming.countries.first ?? subscriber?.country
      if let region { json.member("ip_address_region", region) }
    }
    guard !stored.signals.isEmpty else { return }
    json.object("signals") { json in
      json.member(
        "is_trusted_user", stored.signals.contains(.init(name: "is_trusted_user", value: .bool(true))))
      if let id = text("device_id") { json.member("device_id", id) }
      if let print = text("ja4_fingerprint") { json.member("ja4_fingerprint", print) }
      if let version = text("os_version") { json.member("os_version", version) }
      if let agent = text("user_agent") { json.member("user_agent", agent) }
    }
  }
}

// The events of the lifecycle. Source: contract 5.

extension HistoryEntry {
  private enum LifecycleEvent {
    case create
    case signals(Timestamp)
    case attempt(Attempt, Message?)
    case check(StoredVerification.Check)
  }

  /// Oldest first.
  private var lifecycle: [LifecycleEvent] {
    let attempts = zip(verification.attempts.all, messages).map {
      (at: $0.sentAt, event: LifecycleEvent.attempt($0, $1))
    }
    let checks = stored.checks.map { (at: $0.at, event: LifecycleEvent.check($0)) }
    // Events of the same time keep this order.
    let sorted = (attempts + checks).enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    let signals = stored.signalsAt.map { [LifecycleEvent.signals($0)] } ?? []
    return [.create] + signals + sorted.map(\.element.event)
  }

  private func write(_ event: LifecycleEvent, to json: inout JSONWriter) {
    switch event {
    case .create:
      json.member("type", "create")
      json.object("create") { json in
        json.member("created_at", verification.createdAt.iso8601Milliseconds)
        if stored.status != .blocked { Self.writeCost("cost", to: &json) }
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

  private func writeSignals(receivedAt time: Timestamp, to json: inout JSONWriter) {
    let end = time + .seconds(settings.signalsSeconds)
    json.member("received_at", time.iso8601Milliseconds)
    if end <= sandbox.clock.now { json.member("expired_at", end.iso8601Milliseconds) }
    json.member("status", signalsHashStatus)
  }

  private func write(_ attempt: Attempt, _ message: Message?, to json: inout JSONWriter) {
    let events = deliveryEvents(of: attempt, message)
    let status = events.last?.status
    json.member("id", Identifier.text(.attempt, verification.ordinal, part: attempt.number, in: sandbox))
    json.member("created_at", attempt.sentAt.iso8601Milliseconds)
    json.member("channel", attempt.channel.preludeName)
    if let message { json.member("content", content(of: message)) }
    Self.writeCost("cost", to: &json)
    writeCarrier(to: &json)
    json.member("status", status?.isLoss == true ? "failed" : "succeeded")
    json.member("trigger", trigger(of: attempt))
    json.member("delivery_status", (status?.summary ?? .unknown).rawValue)
    json.array("delivery_events", events) { json, event in
      json.value {
        $0.member("received_at", event.at.iso8601Milliseconds)
        $0.member("status", event.status.rawValue)
      }
    }
  }

  private func trigger(of attempt: Attempt) -> String {
    if stored.automaticAttempts.contains(attempt.number) { return "auto_retry" }
    return attempt.number == 1 ? "initial" : "user_retry"
  }

  /// The code is masked while the verification is pending.
  private func content(of message: Message) -> String {
    guard verification.isPending(at: sandbox.clock.now), let code = message.code else { return message.text }
    let mask = String(repeating: "*", count: code.count)
    return message.text.split(separator: code, omittingEmptySubsequences: false).joined(separator: mask)
  }

  private func write(_ check: StoredVerification.Check, to json: inout JSONWriter) {
    let attempt = verification.attempts.all.first { $0.code == check.value }
    json.member("created_at", check.at.iso8601Milliseconds)
    json.member("is_valid", check.isValid)
    if let channel = attempt?.channel { json.member("channel", channel.preludeName) }
    if !verification.isPending(at: sandbox.clock.now), attempt?.channel != .silent {
      json.member("value", check.value)
    }
    if let detail = check.detail { json.member("status_detail", detail.rawValue) }
    guard stored.templateID == Payment.templateID else { return }
    json.object("psd2_info") { json in
      if let expected = Payment(stored.variables) {
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
}

// The delivery of an attempt. Source: contract 5 and 14.5.

private typealias DeliveryEvent = (at: Timestamp, status: DeliveryState)

extension HistoryEntry {
  private var lostAttempts: Int {
    zip(verification.attempts.all, messages).count { attempt, message in
      deliveryEvents(of: attempt, message).last?.status.isLoss == true
    }
  }

  /// What has happened by now, oldest first.
  private func deliveryEvents(of attempt: Attempt, _ message: Message?) -> [DeliveryEvent] {
    let now = sandbox.clock.now
    if attempt.channel == .silent {
      let next = verification.attempts.all.first { $0.number == attempt.number + 1 }
      return sessions.filter { $0.draft.attempt == attempt.number }
        .flatMap { $0.deliveryEvents(by: now, abandonedAt: next?.sentAt) }
    }
    guard let message else { return [] }
    return message.deliveries().filter { $0.at <= now }.map { ($0.at, $0.delivery.state) }
  }
}

extension SilentSession {
  /// A session without an end has expired. `next`: when the next attempt began, which abandons this one
  /// unless it has ended, as webhooks say it.
  fileprivate func deliveryEvents(by now: Timestamp, abandonedAt next: Timestamp?) -> [DeliveryEvent] {
    var events: [DeliveryEvent] = []
    if let openedAt { events.append((openedAt, .silentStarted)) }
    let isAbandoned = next.map { $0 < min(finishedAt ?? expiresAt, expiresAt) } ?? false
    if isAbandoned, let next { events.append((next, .undeliverable)) }
    if let finishedAt, let verdict {
      events.append((finishedAt, DeliveryState(verdict)))
    } else if !isAbandoned, finishedAt == nil, expiresAt <= now {
      events.append((expiresAt, .expired))
    }
    return events
  }
}

extension DeliveryState {
  /// Only a handset with another number is a mismatch. Without mobile data or an answer of the operator, the
  /// attempt has not reached the number.
  fileprivate init(_ verdict: SilentVerdict) {
    switch verdict {
    case .matched: self = .silentVerified
    case .mismatched: self = .silentMismatch
    case .expired, .used: self = .expired
    case .notMobile, .noCoverage, .carrierError, .denied, .unknown: self = .undeliverable
    }
  }
}
