import ProviderKit

/// A code to send with SMS, Voice, Smart or App Verify. Source: contract 7.1 to 7.3.
struct LegacyCodeDraft {
  let kind: ReferenceKind
  let channel: Channel
  let number: ParsedNumber
  var details: LegacyDetails
  /// Number of digits of a generated code.
  var codeLength: Int
  /// The caller's own code.
  var code: String?
  var sender: String
  /// True if the code is appended to the sender.
  var senderEndsInCode = false
  var text: CodeText
  /// Calls only.
  var speech = Speech()
  var callbackURL: String?
  /// The status code of a check of the request that forbids the code.
  var blockedBy: Int?
  /// False if the request decides about the risk itself.
  var checksRisk = true

  private func message(with code: String, reference: String) -> MessageDraft {
    let text = text.filled(with: code)
    var message = MessageDraft(
      provider: TelesignProvider.name, reference: reference, channel: channel,
      destination: number.phoneNumber.description,
      sender: senderEndsInCode ? sender + code : sender, text: text,
      code: text.contains(code) ? code : nil)
    message.speech = speech
    message.ending = number.ending?.scenario
    return message
  }

  /// Starts a verification and sends its code, unless a check of the number forbids it. Earlier verifications
  /// of the number stay valid. Source: contract 7.1.
  func send(for context: RequestContext) throws -> LegacyVerification {
    if let status = try blockingStatus(for: context) { return try block(with: status, for: context) }
    try AccountRules(context).checkSending(to: number)
    let (sandbox, customer) = (context.sandbox, context.customer)
    var start = Verifications.Start(
      claim(of: customer), over: channel, rules: context.settings.legacyRules(codeLength: codeLength)
    ) {
      message(with: $0.code, reference: ReferenceID.text(kind, $0.ordinal, in: sandbox))
    }
    start.customCode = code
    start.details = ProviderDetails(details)
    start.onSent = { verification, message in
      let timeline = try DeliveryTimeline(of: message, in: sandbox)
      try Callback(.verifyDelivery, of: verification.ordinal, as: message.reference, for: customer)
        .schedule(at: timeline.finalEntry?.at, to: callbackURL, in: sandbox)
    }
    switch try sandbox.verifications.start(start) {
    case .created(let verification), .resent(let verification), .sendsExhausted(let verification),
      .checksExhausted(let verification):
      return try LegacyVerification(verification, kind, in: sandbox)
    }
  }

  /// Stores a denied verification for a code that is not sent; `status` is the `status.code`.
  func block(with status: Int, for context: RequestContext) throws -> LegacyVerification {
    try AccountRules(context).checkSending(to: number)
    var details = details
    details.statusCode = status
    let verification = try context.sandbox.verifications.deny(
      claim(of: context.customer), details: ProviderDetails(details))
    return try LegacyVerification(verification, kind, in: context.sandbox)
  }

  /// The status code if the account or a check of the number forbids the code.
  private func blockingStatus(for context: RequestContext) throws -> Int? {
    let block = try AccountRules(context).block(of: number)
    if let block, let code = block.code(for: kind), block != .risk || checksRisk {
      context.sandbox.currentReason = block.reason
      return code
    }
    let status =
      details.simSwap?.blockingStatus ?? blockedBy ?? (details.forwarding?.blocks == true ? 130 : nil)
    if status != nil {
      context.sandbox.currentReason =
        "a check of the line that the request asks for blocks the number"
        .advising("Use a number whose line passes the check, or do without the check.")
    }
    return status
  }

  private func claim(of customer: String) -> Claim {
    Claim(provider: TelesignProvider.name, owner: customer, destination: number.phoneNumber.description)
  }
}

extension Settings {
  /// The limits of a verification of the older products. Source: contract 7.4 and 15.
  func legacyRules(codeLength: Int) -> VerificationRules {
    var rules = VerificationRules()
    rules.codeLength = codeLength
    rules.lifetime = .seconds(smsCodeSeconds)
    rules.checkLimit = smsCodeAttempts
    rules.resendsWhilePending = false
    rules.refusesStartWhileLocked = false
    return rules
  }
}
