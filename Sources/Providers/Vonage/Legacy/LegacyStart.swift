import Domain
import HTTP
import JSON
import ProviderKit

// `POST /verify/{format}` and `/verify/psd2/{format}`. Source: contract 9.

func startLegacy(_ context: LegacyContext) throws -> Response {
  var request = LegacyRequest(at: context.sandbox.clock.now)
  request.brand = try context.fields.required("brand")
  guard (1...18).contains(request.brand.unicodeScalars.count) else {
    throw LegacyError.invalid("brand", "expected 1 to 18 characters")
  }
  return try start(request, context)
}

func startPayment(_ context: LegacyContext) throws -> Response {
  var request = LegacyRequest(at: context.sandbox.clock.now)
  request.brand = try context.fields.required("payee")
  guard (1...18).contains(request.brand.unicodeScalars.count) else {
    throw LegacyError.invalid("payee", "expected 1 to 18 characters")
  }
  let amount = try context.fields.required("amount")
  guard amount.utf8.count <= 20, let value = Double(amount), value.isFinite, value >= 0 else {
    throw LegacyError.invalid("amount", "expected a number of at most 20 characters")
  }
  request.amount = "\(amount) EUR"
  return try start(request, context)
}

private func start(_ request: LegacyRequest, _ context: LegacyContext) throws -> Response {
  let sandbox = context.sandbox
  var request = request
  let number = try number(of: context)
  try readOptions(of: context, into: &request)
  let workflow = try workflow(of: context, &request)
  if let running = try sandbox.verifications.latest(claim(of: context.account, on: number.description)),
    running.isPending(at: sandbox.clock.now)
  {
    let isLegacy = try StoredRequest(of: running) == nil
    throw LegacyError(
      .concurrent,
      requestID: isLegacy ? legacyID(of: running, in: sandbox) : requestID(of: running, in: sandbox))
  }
  let line = try sandbox.subscribers[number]
  if try NetworkBlock.isActive(line.mcc + line.mnc, context.settings, in: sandbox) {
    throw LegacyError(.unsupportedNetwork).because("the network \(line.mcc + line.mnc) is blocked")
  }
  let steps = zip(workflow.channels, workflow.waits).map { channel, seconds in
    Fallbacks.Start.PlannedStep(channel, timeout: .seconds(seconds))
  }
  var rules = context.settings.verificationRules
  rules.codeLength = request.codeLength
  rules.lifetime = steps.reduce(.seconds(1)) { $0 + $1.timeout }
  var start = Fallbacks.Start(
    claim(of: context.account, on: number.description), steps: steps, rules: rules)
  start.customCode = request.customCode
  start.details = ProviderDetails(request)
  start.lastStepTimesOut = true
  let verification = try sandbox.fallbacks.start(start)
  return context.response(
    "verify_response",
    [.text("request_id", legacyID(of: verification, in: sandbox)), .text("status", "0")])
}

/// The number in international form, or in the form of the request's country.
private func number(of context: LegacyContext) throws -> PhoneNumber {
  let text = try context.fields.required("number")
  let digits = text.filter { $0.isASCII && $0.isNumber }
  guard text.utf8.count <= 30, digits.utf8.count >= text.utf8.filter({ $0.isDigit }).count else {
    throw LegacyError.invalid("number", "expected a phone number")
  }
  var international = digits
  if let country = context.fields["country"]?.uppercased() {
    guard let code = NumberPlan.callingCode(ofCountry: country) else {
      throw LegacyError.invalid("country", "expected two letters of ISO 3166-1 such as US")
    }
    let national = digits.drop { $0 == "0" }
    if !digits.hasPrefix(code) || digits.hasPrefix("0") { international = code + national }
  }
  guard let number = PhoneNumber("+\(international)") else {
    throw LegacyError.invalid("number", "expected a phone number in E.164 without a plus sign")
  }
  if let why = try context.sandbox.numbers.refusal(of: number, provider: VonageProvider.name) {
    throw LegacyError.invalid("number", why)
  }
  return number
}

private func readOptions(of context: LegacyContext, into request: inout LegacyRequest) throws {
  let fields = context.fields
  if let sender = fields["sender_id"] {
    guard sender.unicodeScalars.count <= 11 else {
      throw LegacyError.invalid("sender_id", "expected at most 11 characters")
    }
    request.sender = sender
  }
  if let length = fields["code_length"] {
    guard length == "4" || length == "6" else { throw LegacyError.invalid("code_length", "expected 4 or 6") }
    request.codeLength = length == "6" ? 6 : 4
  }
  if let locale = fields["lg"] {
    guard isLocale(locale) else { throw LegacyError.invalid("lg", "expected a locale such as en-us") }
    request.locale = locale.lowercased()
  }
  if let code = fields["pin_code"] {
    guard (4...10).contains(code.utf8.count), code.utf8.allSatisfy({ isAlphanumeric($0) }) else {
      throw LegacyError.invalid("pin_code", "expected 4 to 10 letters and digits")
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
