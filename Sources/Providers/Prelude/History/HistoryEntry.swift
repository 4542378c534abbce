import Domain
import JSON
import ProviderKit

/// Where a verification stands in its history. Source: contract 5.
enum HistoryStatus: String, CaseIterable {
  case converted
  case notConverted = "not_converted"
  /// Its code has arrived, and no check has come yet.
  case pendingCheck = "pending_check"
  /// Its code was sent.
  case sent
  case challenged
  case suspectedFraud = "suspected_fraud"
  case inBlockList = "in_blocklist"
  case invalidLine = "invalid_line"
  case invalidNumber = "invalid_number"
  case rateLimited = "rate_limited"
  case expiredSignals = "expired_signals"
  case shadowed
}

/// A verification as its history shows it.
struct HistoryEntry {
  let verification: Verification
  let window: Window
  let subscriber: Subscriber?
  /// What was sent with each attempt, in their order; nil where nothing was.
  let messages: [Message?]
  /// The silent sessions, oldest first.
  let sessions: [SilentSession]
  let sandbox: Sandbox
  let settings: Settings

  /// Reads all that belongs to a verification.
  init(_ verification: Verification, in sandbox: Sandbox) throws {
    self.verification = verification
    self.sandbox = sandbox
    settings = try Settings.current(in: sandbox)
    window = try Window(verification.details)
    subscriber = try PhoneNumber(verification.claim.destination).map { try sandbox.subscribers[$0] }
    messages = try verification.attempts.all.map { attempt in
      try sandbox.messages.find(
        about: identifier(.attempt, verification.ordinal, part: attempt.number, in: sandbox),
        to: verification.claim.destination)
    }
    let isSilent = verification.attempts.all.contains { $0.channel == .silent }
    sessions = isSilent ? try sandbox.silentSessions.all(of: verification.ordinal) : []
  }

  /// The device's platform, where the request said it.
  var platform: String? { Window.text("device_platform", in: window.signals) }

  /// Whether the digest of the device's signals was right, where there were any. Nobody here knows the vendor's
  /// secret scheme, so it is, unless a scenario says otherwise. Source: contract 13.2.
  var signalsStatus: String? {
    if window.reason == .invalidSignature { return "invalid" }
    return window.signalsAt == nil ? nil : "valid"
  }

  /// Where it stands.
  var status: HistoryStatus {
    if let reason = window.reason, window.status == "blocked" { return HistoryStatus(reason) }
    if verification.state == .approved { return .converted }
    if window.status == "shadow_blocked" { return .shadowed }
    if window.status == "challenged" { return .challenged }
    if verification.state == .exhausted { return .rateLimited }
    guard verification.isPending(at: sandbox.clock.now) else { return .notConverted }
    return isDelivered || window.isTest ? .pendingCheck : .sent
  }

  /// Whether some message was acknowledged by its handset by now.
  var isDelivered: Bool {
    messages.contains { $0?.state(at: sandbox.clock.now) == .delivered }
      || sessions.contains { $0.verdict == .matched }
  }

  /// Whether the person gave back the code of an attempt; where all have one code, that of the last.
  func isConverted(_ attempt: Attempt) -> Bool {
    guard verification.state == .approved else { return false }
    let all = verification.attempts.all
    return all.contains(where: \.isAnswered) ? attempt.isAnswered : attempt.number == all.count
  }

  /// The members of a list's entry.
  func write(to json: inout JSONWriter) {
    json.member("id", identifier(of: verification, in: sandbox))
    json.array("channels", verification.attempts.all) { json, attempt in
      json.value {
        $0.member("channel", attempt.channel.preludeWord)
        $0.member("converted", isConverted(attempt))
      }
    }
    json.member("created_at", verification.createdAt.iso8601Milliseconds)
    json.member("delivered", isDelivered)
    json.member("phone_number", verification.claim.destination)
    json.member("status", status.rawValue)
    if !window.isTest { json.member("attempts", verification.attempts.all.count) }
    if verification.state == .approved {
      json.member("converted_at", verification.updatedAt.iso8601Milliseconds)
    }
    if window.status != "blocked" { Self.writeCost("cost", to: &json) }
    if let platform { json.member("device_platform", platform) }
    if let condition { json.member("phone_number_condition", condition.rawValue) }
    if let signalsStatus { json.member("signals_hash_status", signalsStatus) }
  }

  /// What the vendor would charge.
  static func writeCost(_ name: StaticString, to json: inout JSONWriter) {
    json.object(name) {
      $0.member("amount", "0.03")
      $0.member("currency", "EUR")
    }
  }

  /// What the account had said of the number by then.
  var condition: Condition? { Condition(isTest: window.isTest, list: window.list) }

  /// What it says now.
  var currentCondition: Condition? {
    get throws {
      guard let number = subscriber?.number else { return nil }
      return Condition(
        isTest: try TestNumber.find(number, in: sandbox) != nil,
        list: try NumberList.holding(number, in: sandbox))
    }
  }

  /// What an account can say of a number. Source: contract 5.
  enum Condition: String {
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
}

extension HistoryStatus {
  /// The word for a creation that sent nothing; some differ from the reason's.
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
