import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/Services/{VA}/Verifications`. Source: contract 4.1, 4.2 and 4.4.

func createVerification(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let call = try Call(request, in: sandbox, adoptsService: true)
  let form = try VerificationForm(try request.form)
  try call.refuseUnpayable(form)
  try call.refuseLandline(form)
  try call.rejectUnsafeNumber(form)
  var start = Verifications.Start(
    call.claim(of: form.to), over: try call.channel(for: form),
    rules: call.settings.rules(codeLength: call.service.codeLength ?? 6)
  ) { $0.channel == .silent ? nil : call.message(for: $0, form) }
  start.customCode = try call.admittedCode(of: form)
  start.details = call.details(of: form).encoded
  switch try sandbox.verifications.start(start) {
  case .created(let verification), .resent(let verification):
    try call.mintSilentURL(for: verification, form)
    return .json(201, try call.body(of: verification))
  case .sendsExhausted(let verification):
    throw Problem.maxSendAttempts.because(
      "\(call.settings.maxSends) sendings of \(sid(of: verification, in: sandbox)) "
        + "within \(call.settings.sendWindowSeconds) s")
  case .checksExhausted(let verification):
    throw Problem.maxCheckAttempts.because(MissingReason.ended(verification).description)
  }
}

func fetchVerification(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let call = try Call(request, in: sandbox)
  return .json(200, try call.body(of: call.readableVerification()))
}

func updateVerification(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let call = try Call(request, in: sandbox)
  let state: Verification.State
  switch try request.form["Status"] {
  case "canceled": state = .canceled
  case "approved": state = .approved
  default: throw Problem.invalid("Status")
  }
  let verification = try call.readableVerification()
  guard let ended = try sandbox.verifications.finish(verification, as: state) else {
    throw call.notFound(.ended(verification))
  }
  return .json(200, try call.body(of: ended))
}

extension Call {
  /// The claim that the Service verifies a destination. Phone numbers are as they are; of an email address
  /// the domain is compared without case. Source: contract 4.4.
  func claim(of destination: String) -> Claim {
    var destination = destination
    if let at = destination.utf8.firstIndex(of: UInt8(ascii: "@")) {
      destination = destination[..<at] + destination[at...].lowercased()
    }
    return Claim(provider: TwilioProvider.name, owner: service.sid, destination: destination)
  }

  /// The Service's verification by SID or, its newest one, by destination.
  func verification(named name: String) throws -> Verification? {
    guard let ordinal = ordinal(ofVerification: name, in: sandbox) else {
      return try sandbox.verifications.latest(claim(of: name))
    }
    let found = try sandbox.verifications.find(ordinal)
    return found?.claim.owner == service.sid && found?.claim.provider == TwilioProvider.name ? found : nil
  }

  /// The answer that shows a verification.
  func body(of verification: Verification) throws -> [UInt8] {
    let number = service.lookupEnabled ?? false ? PhoneNumber(verification.claim.destination) : nil
    return VerificationBody(
      verification: verification, details: try VerificationDetails(verification.details),
      account: service.account, subscriber: try number.map { try sandbox.subscribers[$0] },
      settings: settings,
      base: base, silentURL: try silentURL(of: verification), sandbox: sandbox
    ).encoded
  }

  /// The verification that the path names, where a fetch still shows it.
  fileprivate func readableVerification() throws -> Verification {
    guard let verification = try verification(named: request[parameter: "verification"]) else {
      throw notFound(.neverStarted)
    }
    let now = sandbox.clock.now
    let isReadable =
      verification.isPending(at: now) || verification.state == .canceled
      || (verification.isLocked(at: now) && settings.fetchAfterMaxAttempts == "readable")
    guard isReadable else { throw notFound(.ended(verification)) }
    return verification
  }

  fileprivate func details(of form: VerificationForm) -> VerificationDetails {
    VerificationDetails(
      account: caller.account == service.account ? nil : caller.account, amount: form.amount,
      payee: form.payee)
  }

  fileprivate func admittedCode(of form: VerificationForm) throws(Problem) -> String? {
    guard let code = form.customCode, !(service.customCodeEnabled ?? false) else { return form.customCode }
    guard settings.customCodeWhenDisabled == "ignore" else {
      throw .featureNotSupported.because(
        "a CustomCode of \(code.count) characters came, and the Service has CustomCodeEnabled off")
    }
    return nil
  }

  fileprivate func refuseUnpayable(_ form: VerificationForm) throws(Problem) {
    guard service.psd2Enabled ?? false else { return }
    guard form.amount != nil, form.payee != nil else { throw .amountAndPayeeRequired }
    guard form.channel != .call else { throw .callNotSupportedWithPSD2 }
    guard form.channel != .silent else { throw .silentNotSupportedWithPSD2 }
  }

  /// The channel that was asked for; where the choice is left to the vendor, the silent one for lines whose
  /// operator takes part. Source: contract 4.1.
  fileprivate func channel(for form: VerificationForm) throws -> Channel {
    guard form.isAuto, !(service.psd2Enabled ?? false), let number = PhoneNumber(form.to) else {
      return form.channel
    }
    return try sandbox.subscribers[number].coversSilent ? .silent : form.channel
  }

  fileprivate func refuseLandline(_ form: VerificationForm) throws {
    guard form.channel == .sms, service.lookupEnabled ?? false, service.skipSmsToLandlines ?? false,
      let number = PhoneNumber(form.to), try sandbox.subscribers[number].lineType == .landline
    else { return }
    throw Problem.smsToLandline.because("\(number) is a landline in this sandbox")
  }

  /// The vendor's words for a number that the sandbox is not to touch. Source: `carrier.md` 4.3.
  fileprivate func rejectUnsafeNumber(_ form: VerificationForm) throws(Problem) {
    guard let number = PhoneNumber(form.to), !sandbox.numbers.accepts(number, provider: TwilioProvider.name)
    else {
      return
    }
    throw .invalid("To", value: form.to)
      .because(
        "\(number.masked) is not kept free for tests, and the sandbox takes no other numbers (--numbers)")
  }

  /// The message as the vendor words it. Source: contract 4.4.
  fileprivate func message(for verification: Verification, _ form: VerificationForm) -> MessageDraft {
    let name = form.customFriendlyName ?? service.friendlyName ?? ""
    var text = String(joining: "Your ", name, " verification code is: ", verification.code)
    if service.doNotShareWarningEnabled ?? false { text += ". Don't share this code with anyone." }
    if let hash = form.appHash { text = "<#> \(text) \(hash)" }
    var draft = MessageDraft(
      provider: TwilioProvider.name, reference: sid(of: verification, in: sandbox),
      channel: verification.channel, destination: verification.claim.destination, sender: "VERIFY",
      text: text, code: verification.code)
    draft.speech.asksForKey = service.dtmfInputRequired ?? true
    return draft
  }
}
