import Domain
import HTTP
import JSON

/// The resource `/v2/Services/{VA}/Verifications`. Source: contract 4.1, 4.2 and 4.4.
extension Twilio {
  static func createVerification(_ request: Request, in sandbox: Sandbox) throws -> Response {
    let (caller, service) = try serviceForVerification(request, in: sandbox)
    let form = try VerificationForm(try request.form)
    let knobs = try Knobs.current(in: sandbox)
    let customCode = try admittedCode(form, for: service, knobs)
    try refuseUnpayable(form, for: service)
    try refuseLandline(form, for: service, in: sandbox)
    var start = Verifications.Start(
      claim(of: form.to, at: service), over: form.channel, rules: knobs.rules(codeLength: service.codeLength)
    ) { message(for: $0, form, of: service, in: sandbox) }
    start.customCode = customCode
    start.details = VerificationDetails(account: caller.account, amount: form.amount, payee: form.payee).encoded
    switch try sandbox.verifications.start(start) {
    case .created(let verification), .resent(let verification):
      return .json(201, try body(of: verification, at: service, request, in: sandbox).encoded)
    case .sendsExhausted(let verification):
      throw Problem.maxSendAttempts.because(
        "\(knobs.maxSends) sendings within \(knobs.sendWindowSeconds) s for \(sid(of: verification, in: sandbox))")
    case .checksExhausted(let verification):
      throw Problem.maxCheckAttempts.because(Absence.ended(verification).description)
    }
  }

  static func fetchVerification(_ request: Request, in sandbox: Sandbox) throws -> Response {
    let (_, service) = try service(request, in: sandbox)
    let verification = try readableVerification(request, at: service, in: sandbox)
    return .json(200, try body(of: verification, at: service, request, in: sandbox).encoded)
  }

  static func updateVerification(_ request: Request, in sandbox: Sandbox) throws -> Response {
    let (_, service) = try service(request, in: sandbox)
    let state: Verification.State
    switch try request.form["Status"] {
    case "canceled": state = .canceled
    case "approved": state = .approved
    default: throw Problem.invalid("Status")
    }
    let verification = try readableVerification(request, at: service, in: sandbox)
    guard let ended = try sandbox.verifications.conclude(verification, as: state) else {
      throw try notFound(request, .ended(verification), in: sandbox)
    }
    return .json(200, try body(of: ended, at: service, request, in: sandbox).encoded)
  }

  /// The claim that a Service verifies a destination. Phone numbers are as they are; of an email address
  /// the domain is compared without case. Source: contract 4.4.
  static func claim(of destination: String, at service: Service) -> Claim {
    var destination = destination
    if let at = destination.firstIndex(of: "@") {
      destination = destination[..<at] + destination[at...].lowercased()
    }
    return Claim(provider: name, owner: service.sid, destination: destination)
  }

  /// 20404 for a path, with what became of the verification for the journal.
  static func notFound(_ request: Request, _ absence: Absence, in sandbox: Sandbox) throws -> Problem {
    let path = try Knobs.current(in: sandbox).shown(request.target.path)
    return Problem.notFound(path).because(absence.description)
  }

  /// The verification that the path names by SID or by destination, where a fetch still shows it.
  private static func readableVerification(
    _ request: Request, at service: Service, in sandbox: Sandbox
  ) throws -> Verification {
    let name = request[parameter: "verification"]
    guard let verification = try verification(named: name, at: service, in: sandbox) else {
      throw try notFound(request, .neverStarted, in: sandbox)
    }
    let now = sandbox.clock.now
    let showsLocked = try Knobs.current(in: sandbox).fetchAfterMaxAttempts == "readable"
    let isReadable =
      verification.isLive(at: now) || verification.state == .canceled
      || (verification.isLocked(at: now) && showsLocked)
    guard isReadable else { throw try notFound(request, .ended(verification), in: sandbox) }
    return verification
  }

  /// A Service's verification by SID or, its newest one, by destination.
  static func verification(
    named name: String, at service: Service, in sandbox: Sandbox
  ) throws -> Verification? {
    if let ordinal = ordinal(ofVerification: name, in: sandbox) {
      let found = try sandbox.verifications.find(ordinal)
      return found?.claim.owner == service.sid && found?.claim.provider == self.name ? found : nil
    }
    return try sandbox.verifications.latest(claim(of: name, at: service))
  }

  /// As `service`; besides, an unknown account's unknown Service comes into being when it verifies, so that
  /// an app keeps whatever is in its environment.
  private static func serviceForVerification(
    _ request: Request, in sandbox: Sandbox
  ) throws -> (caller: Caller, service: Service) {
    let caller = try authenticate(request, in: sandbox)
    let sid = request[parameter: "service"]
    guard caller.isUnknown, SidKind.service.matches(sid),
      try sandbox.shelf.find(sid, in: Service.section) == nil
    else { return try service(request, in: sandbox) }
    var service = Service(sid: sid, account: caller.account, at: sandbox.clock.now)
    service["FriendlyName"] = .string("Sandbox Service")
    try service.keep(in: sandbox)
    return (caller, service)
  }

  private static func admittedCode(
    _ form: VerificationForm, for service: Service, _ knobs: Knobs
  ) throws(Problem) -> String? {
    guard let code = form.customCode, !service.isOn("CustomCodeEnabled") else { return form.customCode }
    guard knobs.customCodeWhenDisabled == "ignore" else {
      throw .featureNotSupported.because("the Service has CustomCodeEnabled off, and CustomCode is \(code.count) long")
    }
    return nil
  }

  private static func refuseUnpayable(_ form: VerificationForm, for service: Service) throws(Problem) {
    guard service.isOn("Psd2Enabled") else { return }
    guard form.amount != nil, form.payee != nil else { throw .amountAndPayeeRequired }
    guard form.channel != .call else { throw .callNotSupportedWithPSD2 }
  }

  private static func refuseLandline(
    _ form: VerificationForm, for service: Service, in sandbox: Sandbox
  ) throws {
    guard form.channel == .sms, service.isOn("LookupEnabled"), service.isOn("SkipSmsToLandlines"),
      let number = PhoneNumber(form.to), try sandbox.subscribers[number].lineType == .landline
    else { return }
    throw Problem.smsToLandline.because("\(number) is a landline in this sandbox")
  }

  /// The message as the vendor words it. Source: contract 4.4.
  private static func message(
    for verification: Verification, _ form: VerificationForm, of service: Service, in sandbox: Sandbox
  ) -> MessageDraft {
    let name = form.customFriendlyName ?? service.friendlyName
    var text = "Your \(name) verification code is: \(verification.code)"
    if service.isOn("DoNotShareWarningEnabled") { text += ". Don't share this code with anyone." }
    if let hash = form.appHash { text = "<#> \(text) \(hash)" }
    return MessageDraft(
      provider: self.name, reference: sid(of: verification, in: sandbox), channel: verification.channel,
      destination: verification.claim.destination, sender: "VERIFY", text: text, code: verification.code)
  }

  private static func body(
    of verification: Verification, at service: Service, _ request: Request, in sandbox: Sandbox
  ) throws -> VerificationBody {
    let number = PhoneNumber(verification.claim.destination)
    return VerificationBody(
      verification: verification, details: try VerificationDetails(verification.details),
      service: service, subscriber: try service.isOn("LookupEnabled") ? number.map { try sandbox.subscribers[$0] } : nil,
      attempts: try sandbox.verifications.attempts(of: verification), knobs: try Knobs.current(in: sandbox),
      base: try base(request, in: sandbox), sandbox: sandbox)
  }
}
