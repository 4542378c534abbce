import Domain
import JSON
import ProviderKit

// How verifications end without a report, and what follows. Source: contract 6 to 8.

/// Notes why a verification has ended, and reports its result.
func handleEnd(of verification: Verification, in sandbox: Sandbox) throws {
  guard var stored = try StoredVerification.find(verification.ordinal, in: sandbox) else { return }
  if stored.details.reason == nil {
    stored.details.reason = try reason(forEndOf: stored, in: sandbox)
    try stored.save(in: sandbox)
  }
  try Callback.enqueue(.result, about: stored, at: verification.updatedAt, in: sandbox)
}

/// Nil if none is shown.
private func reason(forEndOf stored: StoredVerification, in sandbox: Sandbox) throws -> Reason? {
  switch stored.verification.state {
  case .pending, .approved, .canceled, .denied: nil
  case .exhausted: stored.details.method == .flashcall ? .invalidCLI : .invalidCode
  case .expired:
    stored.details.method == .seamless
      ? try reason(forExpiryOfSession: stored, in: sandbox)
      : try lossReason(of: stored, in: sandbox) ?? .expired
  }
}

/// A handset that the gateway has failed does not return.
private func reason(forExpiryOfSession stored: StoredVerification, in sandbox: Sandbox) throws -> Reason {
  let session = try sandbox.silentSessions.all(of: stored.verification.ordinal).last
  return session?.finding.map { Reason(unreturned: $0.outcome) } ?? .expired
}

/// The carrier's last receipt may come at the moment of the expiry.
private func lossReason(of stored: StoredVerification, in sandbox: Sandbox) throws -> Reason? {
  guard stored.details.method.channel != .call, let ordinal = stored.details.message,
    let message = try sandbox.messages.find(ordinal), let loss = message.failure,
    loss <= stored.verification.updatedAt
  else { return nil }
  return message.receipts.last.flatMap(Delivery.table.status)?.reason
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

/// Ends a verification whose message is lost, or whose call has failed. Source: contract 8.
func handleLoss(of message: Message, in sandbox: Sandbox) throws {
  guard let ordinal = ordinal(ofIdentifier: message.reference, in: sandbox),
    let stored = try StoredVerification.find(ordinal, in: sandbox),
    stored.details.message == message.ordinal,
    let reason = try reason(for: message, in: sandbox)
  else { return }
  try stored.end(because: reason, in: sandbox)
}

/// Nil if the person can still be called, or report the call.
private func reason(for message: Message, in sandbox: Sandbox) throws -> Reason? {
  let receipt = message.receipts.last
  guard message.channel == .call else { return receipt.flatMap(Delivery.table.status)?.reason }
  if let receipt, receipt.providerStatus != nil { return Delivery.table.status(of: receipt)?.reason }
  switch try sandbox.calls.find(message.ordinal)?.result {
  case .hungUp: return .hungUp
  case .busy, .noAnswer, .declined, .answered, .voicemail: return nil
  case .unreachable, nil: return .networkError
  }
}

/// Reports the delivery of a text at its last receipt. Source: contract 7.
func scheduleDelivered(_ message: Message, of stored: StoredVerification, in sandbox: Sandbox) throws {
  guard stored.details.method == .sms, let receipt = message.receipts.last,
    Delivery.table.status(of: receipt) != nil
  else { return }
  try Callback.enqueue(.smsDelivered, about: stored, at: message.submittedAt + receipt.after, in: sandbox)
}

/// A text that the carrier has held has arrived: its report is sent now.
func handleRelease(of message: Message, in sandbox: Sandbox) throws {
  guard let ordinal = ordinal(ofIdentifier: message.reference, in: sandbox),
    let stored = try StoredVerification.find(ordinal, in: sandbox)
  else { return }
  for webhook in try sandbox.webhooks.planned(about: ordinal, by: SinchProvider.name)
  where webhook.draft.kind == CallbackKind.smsDelivered.rawValue {
    try sandbox.webhooks.cancel(webhook)
  }
  try scheduleDelivered(message, of: stored, in: sandbox)
}
