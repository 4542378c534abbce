import ProviderKit

/// Callbacks about a verification, if the request or the settings name a URL. Source: contract 13.4.
struct VerificationCallbacks {
  private let verification: Verification
  private let details: VerificationDetails
  private let sandbox: Sandbox

  init(_ verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox) {
    (self.verification, self.details, self.sandbox) = (verification, details, sandbox)
  }

  /// Nil if the verification no longer exists.
  init?(of ordinal: Int, in sandbox: Sandbox) throws {
    guard let verification = try sandbox.verifications.find(ordinal),
      let details = try VerificationDetails(of: verification)
    else { return nil }
    self.init(verification, details, in: sandbox)
  }

  func schedule(at time: Timestamp) throws {
    let callback = Callback(
      .verification, of: verification.ordinal,
      as: ReferenceID.text(.verification, verification.ordinal, in: sandbox), for: verification.claim.owner)
    try callback.schedule(at: time, to: url(), in: sandbox)
  }

  /// For when the message is delivered and read. Failures end the method, which schedules its own.
  func scheduleDelivery(of message: Message) throws {
    guard try url() != nil else { return }
    let delay = Duration.seconds(try Settings.current(in: sandbox).deliveredAfterSeconds)
    for receipt in message.receipts.all where receipt.state == .delivered || receipt.state == .read {
      try schedule(at: message.submittedAt + max(receipt.after, delay))
    }
  }

  /// The verification as it is now.
  func body() throws -> [UInt8] {
    let view = try FullVerificationView(verification, details, in: sandbox)
    return JSONWriter.object { view.write(to: &$0) }
  }

  private func url() throws -> String? {
    if let url = details.callbackURL { return url }
    let defaultURL = try Settings.current(in: sandbox).callbackURL
    return defaultURL.isEmpty ? nil : defaultURL
  }
}
