import ProviderKit

/// The status of a verification in the history. Source: contract 5.
enum HistoryStatus: String, CaseIterable {
  case converted
  case notConverted = "not_converted"
  /// The code was delivered, and not checked yet.
  case pendingCheck = "pending_check"
  case sent
  case challenged
  case suspectedFraud = "suspected_fraud"
  case inBlockList = "in_blocklist"
  case invalidLine = "invalid_line"
  case invalidNumber = "invalid_number"
  case rateLimited = "rate_limited"
  case expiredSignals = "expired_signals"
  case shadowed

  fileprivate init(_ reason: BlockReason) {
    switch reason {
    case .expiredSignature: self = .expiredSignals
    case .inBlockList: self = .inBlockList
    case .invalidPhoneLine: self = .invalidLine
    case .invalidPhoneNumber: self = .invalidNumber
    case .repeatedAttempts: self = .rateLimited
    case .suspicious, .invalidSignature: self = .suspectedFraud
    }
  }
}

/// What the account has configured for a number. Source: contract 5.
enum NumberCondition: String {
  case allowListed = "allow_listed"
  case blockListed = "block_listed"
  case sandboxed

  init?(isTest: Bool, list: NumberList?) {
    switch list {
    case .block: self = .blockListed
    case _ where isTest: self = .sandboxed
    case .allow: self = .allowListed
    case nil: return nil
    }
  }
}

/// A verification with everything that its history shows.
struct HistoryEntry {
  let verification: Verification
  let stored: StoredVerification
  let subscriber: Subscriber?
  /// The messages of the attempts, in their order; nil for attempts without a message.
  let messages: [Message?]
  /// Oldest first.
  let sessions: [SilentSession]
  let sandbox: Sandbox
  let settings: Settings

  init(_ verification: Verification, in sandbox: Sandbox) throws {
    self.verification = verification
    self.sandbox = sandbox
    settings = try Settings.current(in: sandbox)
    stored = try StoredVerification(of: verification)
    subscriber = try PhoneNumber(verification.claim.destination).map { try sandbox.subscribers[$0] }
    messages = try verification.attempts.all.map { attempt in
      try sandbox.messages.find(
        about: Identifier.text(.attempt, verification.ordinal, part: attempt.number, in: sandbox),
        to: verification.claim.destination)
    }
    let hasSilentAttempt = verification.attempts.all.contains { $0.channel == .silent }
    sessions = hasSilentAttempt ? try sandbox.silentSessions.all(of: verification.ordinal) : []
  }

  /// The device's platform, if known.
  var platform: String? { StoredVerification.text("device_platform", in: stored.signals) }

  /// Nil without signals. The sandbox does not know the provider's digest: it is valid, unless a scenario
  /// says otherwise. Source: contract 13.2.
  var signalsHashStatus: String? {
    if stored.reason == .invalidSignature { return "invalid" }
    return stored.signalsAt == nil ? nil : "valid"
  }

  var status: HistoryStatus {
    if let reason = stored.reason, stored.status == .blocked { return HistoryStatus(reason) }
    if verification.state == .approved { return .converted }
    if stored.status == .shadowBlocked { return .shadowed }
    if stored.status == .challenged { return .challenged }
    if verification.state == .exhausted { return .rateLimited }
    guard verification.isPending(at: sandbox.clock.now) else { return .notConverted }
    return isDelivered || stored.isTest ? .pendingCheck : .sent
  }

  /// True if a message was delivered by now, or a silent verification succeeded.
  private var isDelivered: Bool {
    messages.contains { $0?.state(at: sandbox.clock.now) == .delivered }
      || sessions.contains { $0.verdict == .matched }
  }

  /// True if the code of the attempt was confirmed. If all attempts have the same code, the last one counts.
  private func isConverted(_ attempt: Attempt) -> Bool {
    guard verification.state == .approved else { return false }
    let all = verification.attempts.all
    return all.contains(where: \.isAnswered) ? attempt.isAnswered : attempt.number == all.count
  }

  /// What the account had configured for the number when the verification started.
  var condition: NumberCondition? { NumberCondition(isTest: stored.isTest, list: stored.list) }

  /// What it has configured now.
  var currentCondition: NumberCondition? {
    get throws {
      guard let number = subscriber?.number else { return nil }
      return NumberCondition(
        isTest: try TestNumber.find(number, in: sandbox) != nil,
        list: try NumberList.containing(number, in: sandbox))
    }
  }

  /// Writes the members of a list's entry.
  func write(to json: inout JSONWriter) {
    json.member("id", Identifier.text(of: verification, in: sandbox))
    json.array("channels", verification.attempts.all) { json, attempt in
      json.value {
        $0.member("channel", attempt.channel.preludeName)
        $0.member("converted", isConverted(attempt))
      }
    }
    json.member("created_at", verification.createdAt.iso8601Milliseconds)
    json.member("delivered", isDelivered)
    json.member("phone_number", verification.claim.destination)
    json.member("status", status.rawValue)
    if !stored.isTest { json.member("attempts", verification.attempts.count) }
    if verification.state == .approved {
      json.member("converted_at", verification.updatedAt.iso8601Milliseconds)
    }
    if stored.status != .blocked { Self.writeCost("cost", to: &json) }
    if let platform { json.member("device_platform", platform) }
    if let condition { json.member("phone_number_condition", condition.rawValue) }
    if let signalsHashStatus { json.member("signals_hash_status", signalsHashStatus) }
  }

  static func writeCost(_ name: StaticString, to json: inout JSONWriter) {
    json.object(name) {
      $0.member("amount", "0.03")
      $0.member("currency", "EUR")
    }
  }
}
