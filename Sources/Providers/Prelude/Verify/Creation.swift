import Domain
import HTTP
import JSON
import ProviderKit

/// One creation under sendingMethod: what is asked for, and what there is already. Source: contract 3 and 4.2.
struct Creation {
  let call: Call
  let form: VerificationForm
  let target: Target
  let outcome: Outcome
  /// The test number that the target is, if it is one.
  let testNumber: TestNumber?
  /// The verification that waits for this target.
  let open: Verification?
  /// What is kept with it, the request's part taken over.
  var window: Window

  /// Reads what there is; nothing is changed yet.
  init(_ call: Call, _ form: VerificationForm, _ target: Target) throws {
    self.call = call
    self.form = form
    self.target = target
    testNumber = try target.number.flatMap { try TestNumber.find($0, in: call.sandbox) }
    outcome = try call.outcome(of: testNumber == nil ? target.number : nil)
    let latest = try call.sandbox.verifications.latest(claim(of: target.destination))
    open = latest.flatMap { $0.isPending(at: call.sandbox.clock.now) ? $0 : nil }
    window = try open.map { try Window($0.details) } ?? Self.freshWindow(call, form, outcome)
    window.isTest = testNumber != nil
    window.list = try target.number.flatMap { try NumberList.holding($0, in: call.sandbox) }
    window.correlationID = form.correlationID ?? window.correlationID
    window.callbackURL = form.options.callbackURL ?? window.callbackURL
    window.preferredChannel = form.options.preferredChannel ?? window.preferredChannel
    window.senderID = form.options.senderID
    window.hasCustomCode = form.options.customCode != nil
  }

  /// What is settled by the first creation.
  private static func freshWindow(
    _ call: Call, _ form: VerificationForm, _ outcome: Outcome
  ) throws -> Window {
    var window = Window()
    window.outcome = outcome
    window.templateID = form.options.templateID
    window.variables = form.options.variables
    window.channels = form.options.channels
    window.codeSize = form.options.codeSize ?? form.options.customCode?.utf8.count ?? call.settings.codeSize
    window.dispatchID = form.signals.dispatchID
    let dispatch = try form.signals.dispatch(in: call.sandbox)
    window.signals = form.signals.members(filledFrom: dispatch)
    window.signalsAt = dispatch?.arrivals.first { !$0.payload.isEmpty }?.at
    let allowed = call.settings.autoFallbacks
    window.fallbacks = allowed > 0 ? form.options.maxAutoFallbacks ?? allowed : 0
    let isChallenged = outcome == .challenged || form.options.forcesChallenge
    if isChallenged, form.target.kind == .phoneNumber { window.status = "challenged" }
    if outcome == .shadowBlocked {
      window.status = "shadow_blocked"
      window.reason = outcome.blockReason
    }
    return window
  }

  /// Starts the verification, or sends once more; the answer.
  func start() throws -> Response {
    let sendingMethod = try sendingMethod()
    let sending = Sending(
      sandbox: call.sandbox, settings: call.settings, target: target, sendingMethod: sendingMethod,
      window: window, outcome: outcome,
      settledCode: testNumber?.attemptCode ?? form.options.customCode)
    switch try sending.start() {
    case .created(let verification):
      if outcome == .flakyAfter {
        throw Problem(.internal).because("flaky_after: \(verification.ordinal) was begun all the same")
      }
      return try answer(verification, window.status, sendingMethod)
    case .resent(let verification): return try answer(verification, "retry", sendingMethod)
    case .sendsExhausted, .checksExhausted:
      throw Problem(.tooManyAttempts).unrepeated(call.settings)
        .because("\(call.settings.maxAttempts) attempts were made in this window")
    }
  }

  /// Nothing is sent; an open window stays. Source: contract 3.4.
  func block(for reason: BlockReason) throws -> Response {
    var window = window
    window.status = "blocked"
    window.reason = reason
    let verification = try call.sandbox.verifications.deny(
      claim(of: target.destination), details: window.encoded)
    let method = target.number == nil ? "email" : form.options.method == .voice ? "voice" : "message"
    return call.answer { json in
      json.member("id", identifier(of: verification, in: call.sandbox))
      json.member("status", "blocked")
      json.member("method", method)
      write(reason, to: &json)
      if form.correlationID != nil { window.writeMetadata(to: &json) }
    }
  }

  private func answer(_ verification: Verification, _ status: String, _ sendingMethod: SendingMethod) throws
    -> Response
  {
    let silentURL = sendingMethod.channel == .silent ? try mintSilentURL(for: verification) : nil
    return call.answer { json in
      json.member("id", identifier(of: verification, in: call.sandbox))
      json.member("status", status)
      json.member("method", sendingMethod.method)
      if let channels = sendingMethod.channels { json.member("channels", channels) }
      if status == "shadow_blocked", let reason = window.reason { write(reason, to: &json) }
      if let silentURL { json.object("silent") { $0.member("request_url", silentURL) } }
      window.writeMetadata(to: &json)
    }
  }

  private func write(_ reason: BlockReason, to json: inout JSONWriter) {
    json.member("reason", reason.rawValue)
    json.member(
      "risk_factors",
      call.settings.riskFactors == "newest" ? reason.riskFactors : reason.formerRiskFactors)
  }
}
