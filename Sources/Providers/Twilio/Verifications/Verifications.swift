import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/Services/{service}/Verifications`. Source: contract 4.1, 4.2 and 4.4.

func createVerification(_ context: RequestContext) throws -> Response {
  let form = try VerificationForm(try context.request.form)
  try context.requireAmountAndPayee(in: form)
  try context.rejectLandline(form)
  try context.requireAcceptedNumber(form.to)
  try context.rejectRestricted(form)
  let text = try context.messageText(for: form)
  try context.countHits(of: form)
  var start = Verifications.Start(
    context.claim(to: form.to), over: try context.channel(for: form),
    rules: context.settings.rules(codeLength: context.service.codeLength ?? 6)
  ) { $0.channel == .silent ? nil : context.message(for: $0, form, text) }
  start.customCode = try context.customCode(of: form)
  var details = context.details(of: form)
  let sink = context.eventSink
  if let sink {
    details.customFriendlyName = form.customFriendlyName
    start.onSent = { try sink.report($1, of: $0, in: context.sandbox) }
  }
  if text.language !== Language.english { details.locale = text.language.tag }
  start.details = details.encoded
  switch try context.sandbox.verifications.start(start) {
  case .created(let verification), .resent(let verification):
    try context.countSend()
    try context.createSilentURL(for: verification, form)
    try sink?.report(verification, in: context.sandbox)
    var response = Response.json(201, try context.body(of: verification, isCreation: true))
    if let remark = text.remark { response.remark = remark }
    return response
  case .sendsExhausted(let verification):
    throw APIError.maxSendAttemptsReached.because(
      "\(sid(of: verification, in: context.sandbox)) was sent \(context.settings.maxSends) times "
        + "within \(context.settings.sendWindowSeconds) s")
  case .checksExhausted(let verification):
    throw APIError.maxCheckAttemptsReached.because(MissingReason.ended(verification).description)
  }
}

func fetchVerification(_ context: RequestContext) throws -> Response {
  .json(200, try context.body(of: context.fetchableVerification()))
}

/// Ends a verification as the client says.
func updateVerification(_ context: RequestContext) throws -> Response {
  let state: Verification.State
  switch try context.request.form["Status"] {
  case "canceled": state = .canceled
  case "approved": state = .approved
  default: throw APIError.invalidParameter("Status", expected: "canceled or approved")
  }
  let verification = try context.fetchableVerification()
  guard let ended = try context.sandbox.verifications.finish(verification, as: state) else {
    throw context.notFound(.ended(verification))
  }
  return .json(200, try context.body(of: ended))
}

/// Finding verifications.
extension RequestContext {
  /// The Service's claim to a destination. The domain of an email address is compared in lower case.
  /// Source: contract 4.4.
  func claim(to destination: String) -> Claim {
    var destination = destination
    if let at = destination.utf8.firstIndex(of: UInt8(ascii: "@")) {
      destination = destination[..<at] + destination[at...].lowercased()
    }
    return Claim(provider: TwilioProvider.name, owner: service.sid, destination: destination)
  }

  /// The Service's verification with this SID, or its newest one to this destination.
  func verification(_ sidOrDestination: String) throws -> Verification? {
    guard let ordinal = ordinal(ofVerification: sidOrDestination, in: sandbox) else {
      return try sandbox.verifications.latest(claim(to: sidOrDestination))
    }
    let found = try sandbox.verifications.find(ordinal)
    return found?.claim.owner == service.sid && found?.claim.provider == TwilioProvider.name ? found : nil
  }

  /// The verification of the path, if it can still be fetched: pending, canceled, or checked too often.
  fileprivate func fetchableVerification() throws -> Verification {
    guard let verification = try verification(request[parameter: "verification"]) else {
      throw notFound(.neverStarted)
    }
    let now = sandbox.clock.now
    let isFetchable =
      verification.isPending(at: now) || verification.state == .canceled
      || (verification.isLocked(at: now) && settings.fetchAfterMaxAttempts == .readable)
    guard isFetchable else { throw notFound(.ended(verification)) }
    return verification
  }
}

/// The rules of a creation.
extension RequestContext {
  fileprivate func requireAmountAndPayee(in form: VerificationForm) throws(APIError) {
    guard service.psd2Enabled ?? false else { return }
    guard form.amount != nil, form.payee != nil else { throw .amountAndPayeeRequired }
    guard form.channel != .call else { throw .callNotSupportedWithPSD2 }
    guard form.channel != .silent else { throw .silentNotSupportedWithPSD2 }
  }

  fileprivate func rejectLandline(_ form: VerificationForm) throws {
    guard form.channel == .sms, service.lookupEnabled ?? false, service.skipSmsToLandlines ?? false,
      let number = PhoneNumber(form.to), try sandbox.subscribers[number].lineType == .landline
    else { return }
    throw APIError.smsToLandline.because("\(number) is a landline in this sandbox")
  }

  /// The channel of the form. `auto` is silent if the line's operator supports it, except for payments.
  /// Source: contract 4.1.
  fileprivate func channel(for form: VerificationForm) throws -> Channel {
    guard form.isAuto, !(service.psd2Enabled ?? false), let number = PhoneNumber(form.to) else {
      return form.channel
    }
    return try sandbox.subscribers[number].coversSilent ? .silent : form.channel
  }

  fileprivate func customCode(of form: VerificationForm) throws(APIError) -> String? {
    guard let code = form.customCode, !(service.customCodeEnabled ?? false) else { return form.customCode }
    guard settings.customCodeWhenDisabled == .ignore else {
      throw .featureNotSupported.because(
        "CustomCode has \(code.count) characters, but the Service has CustomCodeEnabled off")
    }
    return nil
  }

  fileprivate func details(of form: VerificationForm) -> VerificationDetails {
    VerificationDetails(amount: form.amount, payee: form.payee)
  }

  /// The message with the code. Source: contract 4.4.
  fileprivate func message(
    for verification: Verification, _ form: VerificationForm, _ message: MessageText
  ) -> MessageDraft {
    let language = message.language
    var text = message.filled(from: senderName(for: form), code: verification.code)
    if service.doNotShareWarningEnabled ?? false { text = language.addWarning(to: text) }
    if let hash = form.appHash { text = "<#> \(text) \(hash)" }
    var draft = MessageDraft(
      provider: TwilioProvider.name, reference: sid(of: verification, in: sandbox),
      channel: verification.channel, destination: verification.claim.destination,
      sender: verification.channel == .email ? form.emailSender ?? "VERIFY" : "VERIFY",
      text: text, code: verification.code)
    draft.speech.asksForKey = service.dtmfInputRequired ?? true
    draft.speech.preamble = form.sendDigits
    if language !== Language.english, let question = language.question {
      draft.speech.language = language.tag
      draft.speech.question = question
    }
    return draft
  }
}

/// The resource in responses. Source: contract 4.1.
extension RequestContext {
  /// Times of attempts are in whole seconds; in the response to a creation, the newest has milliseconds.
  /// Source: contract 20.
  func body(of verification: Verification, isCreation: Bool = false) throws -> [UInt8] {
    let details = try VerificationDetails(verification.details)
    let number = service.lookupEnabled ?? false ? PhoneNumber(verification.claim.destination) : nil
    let subscriber = try number.map { try sandbox.subscribers[$0] }
    let silentURL = try silentURL(of: verification)
    let sid = sid(of: verification, in: sandbox)
    let precise = isCreation ? verification.attempts.all.count : 0
    return JSONWriter.object { json in
      json.member("sid", sid)
      json.member("service_sid", verification.claim.owner)
      json.member("account_sid", caller.account)
      json.member("to", verification.claim.destination)
      json.member("channel", verification.channel.twilioName)
      json.member("status", verification.state.twilioName)
      json.member("valid", verification.state == .approved)
      verification.createdAt.write(iso8601: "date_created", to: &json)
      verification.updatedAt.write(iso8601: "date_updated", to: &json)
      writeLookup(of: subscriber, to: &json)
      json.member("amount", details.amount)
      json.member("payee", details.payee)
      json.array("send_code_attempts", verification.attempts.all) { json, attempt in
        json.value { write(attempt, attempt.number == precise, of: verification, to: &$0) }
      }
      if let silentURL { json.object("sna") { $0.member("url", silentURL) } }
      json.member(
        "url",
        String(joining: baseURL, "/v2/Services/", verification.claim.owner, "/Verifications/", sid))
    }
  }

  /// `subscriber` is nil if the Service has LookupEnabled off.
  private func writeLookup(of subscriber: Subscriber?, to json: inout JSONWriter) {
    json.object("lookup") { json in
      guard let subscriber else {
        if settings.lookupWhenDisabled == .carrierNull { json.null("carrier") }
        return
      }
      json.object("carrier") {
        $0.member("mobile_country_code", subscriber.mcc)
        $0.member("mobile_network_code", subscriber.mnc)
        $0.member("name", subscriber.operatorName)
        $0.member("type", subscriber.lineType.twilioName)
        $0.null("error_code")
      }
    }
  }

  private func write(
    _ attempt: Attempt, _ hasMilliseconds: Bool, of verification: Verification, to json: inout JSONWriter
  ) {
    let channel = attempt.channel.twilioName
    json.member("attempt_sid", sid(ofAttempt: attempt.number, of: verification, in: sandbox))
    json.member("channel", settings.attemptChannelCase == .upper ? channel.uppercased() : channel)
    let time = hasMilliseconds ? attempt.sentAt : attempt.sentAt.wholeSeconds
    json.member("time", time.iso8601Milliseconds)
  }
}

extension Verification.State {
  /// Source: contract 4.4.
  var twilioName: String {
    switch self {
    case .pending: "pending"
    case .approved: "approved"
    case .denied: "failed"
    case .canceled: "canceled"
    case .expired: "expired"
    case .exhausted: "max_attempts_reached"
    }
  }
}

extension Channel {
  /// Source: contract 4.1.
  var twilioName: String { self == .silent ? "sna" : rawValue }
}

extension Subscriber.LineType {
  /// Source: contract 4.1.
  fileprivate var twilioName: String {
    switch self {
    case .landline: "landline"
    case .fixedVoip, .nonFixedVoip: "voip"
    default: "mobile"
    }
  }
}
