import ProviderKit

/// Sending codes and links, by the domain's verifications and messages. Source: contract 5.4 and 6.2.
extension Possession {
  /// Starts the session's verification, or another attempt of it. Without a code, the sandbox makes one.
  mutating func startVerification(
    of destination: PhoneNumber, over channel: Channel, code: String?, codeLength: Int = 4,
    _ compose: @escaping (Verification) -> MessageDraft?
  ) throws -> Verification {
    let claim = Claim(
      provider: ProveProvider.name, owner: client.id, destination: destination.description)
    let latest = try sandbox.verifications.latest(claim)
    let isSame = latest != nil && latest?.ordinal == session.verification
    // The number has changed, or another session checks the same number.
    if !isSame { try endVerification(as: .canceled) }
    // Only the newest code is right.
    if isSame, let latest { try sandbox.verifications.invalidateCodes(of: latest) }
    var rules = VerificationRules()
    rules.codeLength = codeLength
    rules.lifetime = session.expiresAt - now
    rules.resendsWhilePending = isSame
    rules.sendLimit = .max
    rules.refusesStartWhileLocked = false
    var start = Verifications.Start(claim, over: channel, rules: rules, compose: compose)
    start.customCode = code
    let details = JSONWriter.text { $0.member("correlationId", session.correlationID) }
    start.details = ProviderDetails(details)
    let verification: Verification
    switch try sandbox.verifications.start(start) {
    case .created(let started), .resent(let started), .sendsExhausted(let started),
      .checksExhausted(let started):
      verification = started
    }
    session.verification = verification.ordinal
    return verification
  }

  /// A text to the number of a verification.
  func draft(_ text: String, code: String?, for verification: Verification) -> MessageDraft {
    MessageDraft(
      provider: ProveProvider.name, reference: session.correlationID, channel: .sms,
      destination: verification.claim.destination, sender: "Prove", text: text, code: code)
  }

  /// Takes the number that the device names, if it must name one. False if the number cannot be used: then
  /// the device is at `step` again, or the session has failed.
  mutating func takeNumber(_ text: String?, at step: Session.Step) throws -> Bool {
    let isSendable = try session.needsNumber || script.otp != .notSent
    if session.needsNumber || !isSendable { session.numberEntries += 1 }
    if session.needsNumber {
      guard try acceptNumber(text) else {
        try rejectNumber("the phone number is not valid", at: step)
        return false
      }
      session.needsNumber = false
    }
    guard try script.otp != .notSent else {
      try rejectNumber("the message could not be sent", at: step)
      return false
    }
    return true
  }

  private mutating func acceptNumber(_ text: String?) throws -> Bool {
    guard let number = text.flatMap({ MobileNumber($0) }), (try? users.user(of: number)) != nil else {
      return false
    }
    session.number = number.text
    return true
  }

  private mutating func rejectNumber(_ message: String, at step: Session.Step) throws {
    let error = StepError(.phoneNumberValidation, message)
    guard session.numberEntries < maxNumberEntries else {
      return try fail(.possessionIncomplete, because: "\(message), \(maxNumberEntries) times", error)
    }
    try move(to: step, error)
  }

  /// True if one more code or link may be sent. Else the session has failed. Source: contract 5.4.
  mutating func takeSend() throws -> Bool {
    guard session.sends < settings.maxSends else {
      try fail(
        .possessionIncomplete, because: "\(session.sends) messages were sent; no more are allowed",
        StepError(.resendLimit, "no more messages can be sent"))
      return false
    }
    session.sends += 1
    session.sentAt = now
    return true
  }

  /// Lets the device name another number, if the client may. Source: contract 5.4.
  mutating func changeNumber(at step: Session.Step, else current: Session.Step) throws {
    guard client.phoneNumberChange else {
      return try move(
        to: current, StepError(.notEnabled, "changing the phone number is not enabled for this client"))
    }
    guard session.numberEntries < maxNumberEntries else {
      return try fail(
        .possessionIncomplete, because: "\(maxNumberEntries) numbers were entered; no more are allowed",
        StepError(.resendLimit, "no more numbers can be entered"))
    }
    session.needsNumber = true
    try move(to: step)
  }
}

/// How often a device can name a number. Source: contract 5.1.
private let maxNumberEntries = 3
