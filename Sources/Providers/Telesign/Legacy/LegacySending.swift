import Domain
import HTTP
import ProviderKit

/// A code to be sent by one of these products, read from a request. Source: contract 7.1 to 7.3.
struct LegacySending {
  /// Whose reference id it gets.
  let kind: Kind
  /// How it travels.
  let channel: Channel
  /// Where it goes.
  let number: Number
  /// What is kept with it.
  var record: LegacyRecord
  /// The digits of a generated code.
  var codeLength: Int
  /// The caller's own code.
  var code: String?
  /// Whom it is from.
  var sender: String
  /// Whether the code follows on that.
  var senderEndsInCode = false
  /// What is said, with a place for the code.
  var text: LegacyText
  /// How it is said, where it is a call.
  var speech = Speech()
  /// Where its callback goes.
  var callbackURL: String?

  /// The message for a code.
  func draft(_ code: String, as reference: String) -> MessageDraft {
    let words = text.words(code)
    var draft = MessageDraft(
      provider: TelesignProvider.name, reference: reference, channel: channel,
      destination: number.number.description,
      sender: senderEndsInCode ? sender + code : sender, text: words,
      code: words.contains(code) ? code : nil)
    draft.speech = speech
    draft.ending = number.ending?.scenario
    return draft
  }
}

extension Call {
  /// Sends a code: each request has a reference of its own, whatever else waits for the number.
  /// Source: contract 7.1.
  func send(_ sending: LegacySending) throws -> LegacyVerification {
    try admitSending(to: sending.number)
    var start = Verifications.Start(
      claim(of: sending.number), over: sending.channel, rules: rules(sending.codeLength)
    ) {
      sending.draft($0.code, as: referenceID(sending.kind, $0.ordinal, in: sandbox))
    }
    start.customCode = sending.code
    start.details = sending.record.encoded
    start.onSent = { verification, message in
      let reference = message.reference
      try promise(
        Callback(.verifyDelivery, of: verification.ordinal, as: reference, for: customer),
        at: Course(of: message, in: sandbox).end, to: sending.callbackURL, in: sandbox)
    }
    switch try sandbox.verifications.start(start) {
    case .created(let verification), .resent(let verification), .sendsExhausted(let verification),
      .checksExhausted(let verification):
      return try LegacyVerification(verification, sending.kind, in: sandbox)
    }
  }

  /// Writes down that nothing was sent, and why in a status.
  func block(_ sending: LegacySending, with status: Int) throws -> LegacyVerification {
    try admitSending(to: sending.number)
    var record = sending.record
    record.outcome = status
    let verification = try sandbox.verifications.deny(claim(of: sending.number), details: record.encoded)
    return try LegacyVerification(verification, sending.kind, in: sandbox)
  }

  private func claim(of number: Number) -> Claim {
    Claim(provider: TelesignProvider.name, owner: customer, destination: number.number.description)
  }

  /// Source: contract 7.4 and 15.
  private func rules(_ codeLength: Int) -> VerificationRules {
    var rules = VerificationRules()
    rules.codeLength = codeLength
    rules.lifetime = .seconds(settings.smsCodeSeconds)
    rules.checkLimit = settings.smsCodeAttempts
    rules.resendsWhilePending = false
    rules.refusesStartWhileLocked = false
    return rules
  }
}
