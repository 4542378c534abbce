import ProviderKit

/// How verifications end without a report, and what follows. Source: contract 6 to 8.
enum VerificationEvents {
  /// Notes why a verification has ended, and reports its result.
  static func ended(_ verification: Verification, in sandbox: Sandbox) throws {
    guard var stored = try StoredVerification.find(verification.ordinal, in: sandbox) else { return }
    if stored.details.reason == nil {
      stored.details.reason = try reason(forEndOf: stored, in: sandbox)
      try stored.save(in: sandbox)
    }
    try Callback.enqueue(.result, about: stored, at: verification.updatedAt, in: sandbox)
  }

  /// Nil if none is shown.
  private static func reason(forEndOf stored: StoredVerification, in sandbox: Sandbox) throws -> Reason? {
    switch stored.verification.state {
    case .pending, .approved, .canceled, .denied: nil
    case .exhausted: stored.details.method == .flashcall ? .invalidCLI : .invalidCode
    case .expired where stored.details.method == .seamless:
      // A handset that the gateway has failed does not return.
      try sandbox.silentSessions.all(of: stored.verification.ordinal).last?.finding
        .map { Reason(unreturned: $0.outcome) } ?? .expired
    case .expired: try lossReason(of: stored, in: sandbox) ?? .expired
    }
  }

  /// The carrier's last receipt may come at the moment of the expiry.
  private static func lossReason(of stored: StoredVerification, in sandbox: Sandbox) throws -> Reason? {
    guard stored.details.method.channel != .call, let message = try stored.message(in: sandbox),
      let loss = message.failure, loss <= stored.verification.updatedAt
    else { return nil }
    return message.receipts.last.flatMap(Delivery.table.status)?.reason
  }

  /// Ends a verification whose message is lost, or whose call has failed. Source: contract 8.
  static func lost(_ message: Message, in sandbox: Sandbox) throws {
    guard let stored = try StoredVerification.find(of: message, in: sandbox),
      stored.details.message == message.ordinal,
      let reason = try reason(forLossOf: message, in: sandbox)
    else { return }
    try stored.end(because: reason, in: sandbox)
  }

  /// Nil if the person can still be called, or report the call.
  private static func reason(forLossOf message: Message, in sandbox: Sandbox) throws -> Reason? {
    let receipt = message.receipts.last
    guard message.channel == .call else { return receipt.flatMap(Delivery.table.status)?.reason }
    if let receipt, receipt.providerStatus != nil { return Delivery.table.status(of: receipt)?.reason }
    switch try sandbox.calls.find(message.ordinal)?.result {
    case .hungUp: return .hungUp
    case .busy, .noAnswer, .declined, .answered, .voicemail: return nil
    case .unreachable, nil: return .networkError
    }
  }

  /// A text that the carrier has held has arrived: its report is sent now.
  static func released(_ message: Message, in sandbox: Sandbox) throws {
    guard let stored = try StoredVerification.find(of: message, in: sandbox) else { return }
    for webhook in try sandbox.webhooks.planned(about: stored.verification.ordinal, by: SinchProvider.name)
    where webhook.draft.kind == CallbackKind.smsDelivered.rawValue {
      try sandbox.webhooks.cancel(webhook)
    }
    try Callback.scheduleDelivered(message, of: stored, in: sandbox)
  }
}

extension Reason {
  /// Why a handset that went through the gateway has not proven its number. Source: contract 8.
  init(failed verdict: SilentVerdict) {
    switch verdict {
    case .mismatched, .denied: self = .failedPending
    case .expired, .used: self = .expired
    case .notMobile, .noCoverage, .carrierError, .unknown, .matched: self = .networkError
    }
  }

  /// Why a handset has not returned from the gateway.
  fileprivate init(unreturned outcome: SilentOutcome) {
    switch outcome {
    case .match, .expired: self = .expired
    case .mismatch, .userDenied: self = .failedPending
    case .notMobile, .noCoverage, .carrierError, .timeout, .garbage, .loop: self = .networkError
    }
  }
}
