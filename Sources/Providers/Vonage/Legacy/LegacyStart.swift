import ProviderKit

// `POST /verify/{format}` and `/verify/psd2/{format}`. Source: contract 9.

func startLegacy(_ context: LegacyContext) throws -> Response {
  var request = LegacyRequest(at: context.sandbox.clock.now)
  request.brand = try brand("brand", context)
  return try start(request, context)
}

func startPayment(_ context: LegacyContext) throws -> Response {
  var request = LegacyRequest(at: context.sandbox.clock.now)
  request.brand = try brand("payee", context)
  let amount = try context.fields.required("amount")
  guard amount.utf8.count <= 20, let value = Double(amount), value.isFinite, value >= 0 else {
    throw LegacyError.invalid("amount", "expected a number of at most 20 characters")
  }
  request.amount = "\(amount) EUR"
  return try start(request, context)
}

private func brand(_ name: String, _ context: LegacyContext) throws(LegacyError) -> String {
  _ = try context.fields.required(name)
  return try context.fields.text(name, atMost: 18) ?? ""
}

private func start(_ request: LegacyRequest, _ context: LegacyContext) throws -> Response {
  let sandbox = context.sandbox
  var request = request
  let number = try number(of: context)
  try readOptions(of: context, into: &request)
  let workflow = try workflow(of: context, &request)
  let claim = Claim(
    provider: VonageProvider.name, owner: context.account, destination: number.description)
  if let running = try sandbox.verifications.latest(claim),
    running.isPending(at: sandbox.clock.now)
  {
    let id = try RequestID.ofAnyAPI(running, in: sandbox)
    throw LegacyError(.concurrent, requestID: id).because(
      "the request \(id) is in progress",
      change: "Check the code of \(id), or cancel it; then start a new one.")
  }
  let line = try sandbox.subscribers[number]
  if try NetworkBlock.isActive(line.mcc + line.mnc, context.settings, in: sandbox) {
    throw LegacyError(.unsupportedNetwork).because(
      "the setting blockedNetworks has the network \(line.mcc + line.mnc)")
  }
  let steps = zip(workflow.channels, workflow.waits).map { channel, seconds in
    Fallbacks.Start.PlannedStep(channel, timeout: .seconds(seconds))
  }
  var rules = context.settings.verificationRules
  rules.codeLength = request.codeLength
  rules.lifetime = steps.reduce(.seconds(1)) { $0 + $1.timeout }
  var start = Fallbacks.Start(claim, steps: steps, rules: rules)
  start.customCode = request.customCode
  start.details = ProviderDetails(request)
  start.lastStepTimesOut = true
  let verification = try sandbox.fallbacks.start(start)
  return context.response(
    "verify_response",
    [.text("request_id", LegacyID.of(verification, in: sandbox)), .text("status", "0")])
}

private func number(of context: LegacyContext) throws -> PhoneNumber {
  let text = try context.fields.required("number")
  let country = try context.fields["country"]
  let number: PhoneNumber
  do throws(NumberProblem) {
    number = try LegacyFields.number(text, of: country)
  } catch {
    throw LegacyError.invalid(error.field, error.why)
  }
  if let why = try context.sandbox.numbers.refusal(of: number, provider: VonageProvider.name) {
    throw LegacyError.invalid("number", why)
  }
  return number
}

private func readOptions(of context: LegacyContext, into request: inout LegacyRequest) throws {
  let fields = context.fields
  request.sender = try fields.text("sender_id", atMost: 11) ?? request.sender
  if let length = try fields["code_length"] {
    guard length == "4" || length == "6" else {
      throw LegacyError.invalid(
        "code_length", "expected 4 or 6", more: Int(length) == nil ? "" : ". The allowed values are 4 and 6.")
    }
    request.codeLength = length == "6" ? 6 : 4
  }
  if let locale = try fields["lg"] {
    guard VerificationForm.isLocale(locale) else {
      throw LegacyError.invalid("lg", "expected a locale such as en-us")
    }
    request.locale = locale.lowercased()
  }
  if let code = try fields["pin_code"] {
    guard context.settings.pinCode == .accept else {
      throw LegacyError(.pinCode).because("the setting pinCode is refuse")
    }
    guard (4...10).contains(code.utf8.count), LegacyRequest.isCode(code) else {
      throw LegacyError.invalid("pin_code", "expected 4 to 10 letters, digits and hyphens")
    }
    request.customCode = code
  }
}

/// A `pin_expiry` that is no multiple of `next_event_wait` becomes the same. Source: contract 9.
private func workflow(of context: LegacyContext, _ request: inout LegacyRequest) throws -> LegacyWorkflow {
  let number = try context.fields.integer("workflow_id", LegacyWorkflow.numbers) ?? 1
  var expiry = try context.fields.integer("pin_expiry", 60...3600)
  let wait = try context.fields.integer("next_event_wait", 60...900)
  if let known = expiry, let wait, !known.isMultiple(of: wait) { expiry = wait }
  request.expiry = expiry ?? wait ?? LegacyWorkflow.defaultExpiry
  return LegacyWorkflow(number, expiry: expiry, wait: wait)
}
