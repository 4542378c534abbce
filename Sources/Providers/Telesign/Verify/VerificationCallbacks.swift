import Domain
import JSON
import ProviderKit

// Callbacks of the Verify API: on delivery changes of a method, and when the verification ends.
// Source: contract 13.4.

/// The body of a callback: the verification as it is when it is sent; nil where it is there no more.
func verificationBody(_ callback: Callback, in sandbox: Sandbox) throws -> [UInt8]? {
  guard let verification = try sandbox.verifications.find(callback.subject),
    let details = try VerificationDetails(of: verification)
  else { return nil }
  let view = try VerificationView(verification, details, in: sandbox)
  return JSONWriter.object { view.writeRetrieval(to: &$0) }
}

/// Tells, where somebody wants to hear it, how a verification is at a time.
func tell(
  of verification: Verification, _ details: VerificationDetails, at time: Timestamp, in sandbox: Sandbox
) throws {
  let usual = try Settings.current(in: sandbox).callbackURL
  let callback = Callback(
    .verification, of: verification.ordinal,
    as: referenceID(.verification, verification.ordinal, in: sandbox),
    for: verification.claim.owner)
  try promise(
    callback, at: time, to: details.callbackURL ?? (usual.isEmpty ? nil : usual), in: sandbox)
}

/// Tells that a message arrives and is read, when the retrieval says so too; failures end the method, and are
/// told then.
func tellDeliveries(
  of message: Message, _ verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox
) throws {
  let delay = Duration.seconds(try Settings.current(in: sandbox).deliveredAfter)
  for receipt in message.receipts.all where receipt.state == .delivered || receipt.state == .read {
    try tell(of: verification, details, at: message.submittedAt + max(receipt.after, delay), in: sandbox)
  }
}

/// Tells that a message arrives that the carrier had held.
func tellRelease(of message: Message, _ ordinal: Int, in sandbox: Sandbox) throws {
  guard let verification = try sandbox.verifications.find(ordinal),
    let details = try VerificationDetails(of: verification)
  else { return }
  try tellDeliveries(of: message, verification, details, in: sandbox)
}

/// Tells that a method has failed, unless the verification's own end follows at once.
func tellFailure(of step: Step, _ verification: Verification, in sandbox: Sandbox) throws {
  guard let details = try VerificationDetails(of: verification), step.timeout != nil else { return }
  try tell(of: verification, details, at: step.changedAt, in: sandbox)
}

/// Tells that a verification has ended.
func tellEnd(of verification: Verification, in sandbox: Sandbox) throws {
  guard let details = try VerificationDetails(of: verification) else { return }
  try tell(of: verification, details, at: verification.updatedAt, in: sandbox)
}
