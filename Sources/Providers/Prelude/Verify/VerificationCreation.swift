import ProviderKit

/// One request to create a verification, with what exists for its target already. Source: contract 3 and 4.2.
struct VerificationCreation {
  let context: RequestContext
  let input: VerificationRequest
  let target: Target
  let scenario: TestScenario
  /// Nil if the target is not a test number.
  let testNumber: TestNumber?
  let pending: Verification?
  /// What will be stored: that of the pending verification, or new, updated by the request.
  var stored: StoredVerification

  /// Reads what exists, and changes nothing.
  init(_ context: RequestContext, _ input: VerificationRequest, _ target: Target) throws {
    self.context = context
    self.input = input
    self.target = target
    testNumber = try target.number.flatMap { try TestNumber.find($0, in: context.sandbox) }
    scenario = try TestScenario(
      of: context.request, about: testNumber == nil ? target.number : nil, in: context.sandbox)
    let latest = try context.sandbox.verifications.latest(target.claim)
    pending = latest.flatMap { $0.isPending(at: context.sandbox.clock.now) ? $0 : nil }
    stored =
      try pending.map { try StoredVerification(of: $0) } ?? Self.newVerification(context, input, scenario)
    stored.isTest = testNumber != nil
    stored.list = try target.number.flatMap { try NumberList.containing($0, in: context.sandbox) }
    stored.correlationID = input.correlationID ?? stored.correlationID
    stored.callbackURL = input.options.callbackURL ?? stored.callbackURL
    stored.preferredChannel = input.options.preferredChannel ?? stored.preferredChannel
    stored.senderID = input.options.senderID
    stored.locale = input.options.locale
    stored.appRealm = input.options.appRealm
    stored.hasCustomCode = input.options.customCode != nil
  }

  /// What only the first creation decides.
  private static func newVerification(
    _ context: RequestContext, _ input: VerificationRequest, _ scenario: TestScenario
  ) throws -> StoredVerification {
    let (options, settings) = (input.options, context.settings)
    var stored = StoredVerification()
    stored.scenario = scenario
    stored.templateID = options.templateID
    stored.variables = options.variables
    stored.channels = options.channels
    stored.codeSize = options.codeSize ?? options.customCode?.utf8.count ?? settings.codeSize
    stored.dispatchID = input.signals.dispatchID
    let dispatch = try input.signals.dispatch(in: context.sandbox)
    stored.signals = input.signals.members(completedBy: dispatch)
    stored.signalsAt = dispatch?.requests.first { !$0.payload.isEmpty }?.at
    stored.fallbacks = settings.autoFallbacks > 0 ? options.maxAutoFallbacks ?? settings.autoFallbacks : 0
    let isChallenged = scenario == .challenged || options.forcesChallenge
    if isChallenged, input.target.kind == .phoneNumber { stored.status = .challenged }
    if scenario == .shadowBlocked {
      stored.status = .shadowBlocked
      stored.reason = scenario.blockReason
    }
    return stored
  }

  /// Starts the verification, or sends another code for the pending one.
  func send() throws -> Response {
    let method = try DeliveryMethod.next(for: self)
    let sender = CodeSender(
      sandbox: context.sandbox, settings: context.settings, target: target, method: method, stored: stored,
      scenario: scenario, chosenCode: testNumber?.attemptCode ?? input.options.customCode)
    switch try sender.send() {
    case .created(let verification):
      if scenario == .flakyAfter {
        throw APIError(.internal)
          .because("flaky_after: the verification \(verification.ordinal) was started all the same")
      }
      return try response(verification, stored.status, method)
    case .resent(let verification): return try response(verification, .retry, method)
    case .sendsExhausted, .checksExhausted:
      throw APIError(.tooManyAttempts).withoutRetry(context.settings)
        .because("\(context.settings.maxAttempts) attempts were made in this window")
    }
  }

  /// Records a blocked verification and sends nothing. A pending verification stays pending. Source: contract
  /// 3.4.
  func block(for reason: BlockReason) throws -> Response {
    var stored = stored
    stored.status = .blocked
    stored.reason = reason
    context.sandbox.currentReason = why(reason)
    let verification = try context.sandbox.verifications.deny(
      target.claim, details: ProviderDetails(stored))
    let method: DeliveryMethod.Kind =
      target.number == nil ? .email : input.options.method == .voice ? .voice : .message
    return context.response { json in
      json.member("id", Identifier.text(of: verification, in: context.sandbox))
      json.member("status", stored.status.rawValue)
      json.member("method", method.rawValue)
      write(reason, to: &json)
      if input.correlationID != nil { stored.writeMetadata(to: &json) }
    }
  }

  private func why(_ reason: BlockReason) -> String {
    guard reason == scenario.blockReason else { return reason.cause }
    return "the scenario \(scenario.rawValue), which the request or the number asks for".advising(
      "Use another number, or do without the scenario.")
  }

  private func response(
    _ verification: Verification, _ status: StoredVerification.Status, _ method: DeliveryMethod
  ) throws -> Response {
    if status == .shadowBlocked, let reason = stored.reason { context.sandbox.currentReason = why(reason) }
    let silentURL =
      method.channel == .silent ? try SilentVerification(self).createURL(for: verification) : nil
    return context.response { json in
      json.member("id", Identifier.text(of: verification, in: context.sandbox))
      json.member("status", status.rawValue)
      json.member("method", method.kind.rawValue)
      if let channels = method.channelNames { json.member("channels", channels) }
      if status == .shadowBlocked, let reason = stored.reason { write(reason, to: &json) }
      if let silentURL { json.object("silent") { $0.member("request_url", silentURL) } }
      stored.writeMetadata(to: &json)
    }
  }

  private func write(_ reason: BlockReason, to json: inout JSONWriter) {
    json.member("reason", reason.rawValue)
    json.member("risk_factors", reason.riskFactors(context.settings.riskFactors))
  }
}
