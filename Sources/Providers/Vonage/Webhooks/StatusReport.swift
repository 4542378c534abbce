import ProviderKit

/// The kinds of webhooks.
enum StatusKind: String, CaseIterable {
  case event
  case summary
  /// The answer of an asynchronous Number Insight.
  case numberInsight = "number_insight"
  /// What has become of a text.
  case smsReceipt = "sms_receipt"
  /// A text of a person.
  case inboundSMS = "sms_inbound"
  /// The same of Messages.
  case messageStatus = "message_status"
  case inboundMessage = "message_inbound"
}

/// The webhooks of a request of Verify v2. Source: contract 7.
struct StatusReport {
  private let verification: Verification
  private let stored: StoredRequest
  private let url: String
  private let sandbox: Sandbox

  /// The URL of a silent authentication is there to be opened.
  static func pending(_ step: Step, of verification: Verification, _ url: String, in sandbox: Sandbox) throws
  {
    try StatusReport(verification, in: sandbox)?.send(.event, at: sandbox.clock.now) { json in
      json.member("triggered_at", (step.startedAt ?? verification.createdAt).iso8601Milliseconds)
      json.member("channel", WorkflowChannel.silent.rawValue)
      json.member("status", "action_pending")
      json.object("action") { json in
        json.member("type", "check")
        json.member("check_url", url)
      }
    }
  }

  /// A channel has failed.
  static func ended(_ step: Step, of verification: Verification, in sandbox: Sandbox) throws {
    try StatusReport(verification, in: sandbox)?.sendEvent(of: step)
  }

  /// The request has ended: the event of the channel in use, and the summary.
  static func ended(_ verification: Verification, in sandbox: Sandbox) throws {
    if let stored = try StoredRequest(of: verification) {
      try InFlight.remove(verification, from: stored.workflow.map(\.destination), in: sandbox)
    }
    guard let report = try StatusReport(verification, in: sandbox) else { return }
    let steps = try sandbox.fallbacks.steps(of: verification)
    // The end of a failed channel has been reported.
    if let step = steps.last(where: { $0.startedAt != nil }), verification.state != .expired {
      try report.sendEvent(of: step)
    }
    try report.sendSummary(of: steps)
  }

  /// Nil if there is no receiver: only requests of an application have webhooks.
  private init?(_ verification: Verification, in sandbox: Sandbox) throws {
    guard let stored = try StoredRequest(of: verification), let id = stored.application,
      let url = try Application.find(id, in: sandbox)?.statusURL
    else { return nil }
    self.verification = verification
    self.stored = stored
    self.url = url
    self.sandbox = sandbox
  }

  private func send(_ kind: StatusKind, at time: Timestamp, _ write: (inout JSONWriter) -> Void) throws {
    let body = JSONWriter.object { json in
      json.member("request_id", RequestID.of(verification, in: sandbox))
      json.member("type", kind.rawValue)
      write(&json)
      if let reference = stored.clientRef { json.member("client_ref", reference) }
    }
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: VonageProvider.name, url: url, kind: kind.rawValue, subject: verification.ordinal,
        detail: String(decoding: body, as: UTF8.self)), dueAt: time)
  }

  private func sendEvent(of step: Step) throws {
    guard let entry = stored.entry(of: step) else { return }
    try send(.event, at: step.changedAt) { json in
      json.member("triggered_at", (step.startedAt ?? verification.createdAt).iso8601Milliseconds)
      json.member("channel", entry.channel.rawValue)
      json.member("status", status(of: step))
      json.member("finalized_at", step.changedAt.iso8601Milliseconds)
    }
  }

  private func sendSummary(of steps: [Step]) throws {
    let entries = steps.compactMap { step in stored.entry(of: step).map { (step: step, entry: $0) } }
    try send(.summary, at: verification.updatedAt) { json in
      json.member("submitted_at", verification.createdAt.iso8601Milliseconds)
      json.member("status", finalStatus(of: steps))
      json.member("finalized_at", verification.updatedAt.iso8601Milliseconds)
      json.member("channel_timeout", stored.channelTimeout)
      json.array("workflow", entries) { json, item in
        json.value { json in
          json.member("channel", item.entry.channel.rawValue)
          json.member(
            "initiated_at", (item.step.startedAt ?? verification.updatedAt).iso8601Milliseconds)
          json.member("status", item.step.startedAt == nil ? "unused" : status(of: item.step))
        }
      }
    }
  }

  /// The status of a channel that has ended.
  private func status(of step: Step) -> String {
    if stored.isBlocked { return "blocked" }
    if step.state == .verified { return "completed" }
    switch step.failure {
    case .timedOut?: return "expired"
    case .mismatched?, .denied?: return "user_rejected"
    case .undelivered?, .unreachable?, .passedOver?, nil: return "failed"
    }
  }

  private func finalStatus(of steps: [Step]) -> String {
    switch verification.state {
    case .approved: "completed"
    case .expired: steps.last?.failure == .timedOut ? "expired" : "failed"
    case .pending, .denied, .canceled, .exhausted: "failed"
    }
  }
}
