import ProviderKit

// The resource `/v2/verification`. Source: contract 3 and 4.

func createVerification(_ context: RequestContext) throws -> Response {
  let input = try VerificationRequest(context.request.json)
  try input.options.requireKnownNames(in: context)
  try input.options.requireEnabled(context.settings)
  let target = try input.target.validated(context.settings)
  try rejectUnsafeNumber(target, in: context.sandbox)
  let creation = try VerificationCreation(context, input, target)
  try throwScenarioError(of: creation)
  if let reason = try BlockRules(creation).reason() { return try creation.block(for: reason) }
  let wish = try SilentVerification(creation).unmetWish()
  var response = try creation.send()
  response.why = response.why ?? wish
  return response
}

/// Throws for a number that the sandbox does not accept. One that is only not allocated is blocked later.
/// Source: contract 11.3; `carrier.md` 4.3.
private func rejectUnsafeNumber(_ target: Target, in sandbox: Sandbox) throws {
  guard let number = target.number,
    let reason = try sandbox.numbers.refusal(of: number, provider: PreludeProvider.name),
    try sandbox.numbers.validity(of: number) != .invalidPrefix,
    try TestNumber.find(number, in: sandbox) == nil
  else { return }
  throw APIError(.invalidPhoneNumber, param: "target.value").because(reason)
}

/// Source: contract 16.1.
private func throwScenarioError(of creation: VerificationCreation) throws {
  let (scenario, context) = (creation.scenario, creation.context)
  if let error = scenario.error?.because("the scenario \(scenario.rawValue)") {
    throw scenario == .tooManyAttempts ? error.withoutRetry(context.settings) : error
  }
  if scenario == .flakyBefore { try failTwice(creation.target, in: context.sandbox) }
}

/// Answers two requests for a target with 503, lets the third pass, and starts over.
private func failTwice(_ target: Target, in sandbox: Sandbox) throws {
  let (records, key) = (sandbox.records, target.destination)
  let section = RecordStore.Section(provider: PreludeProvider.name, kind: "flaky")
  let count = try records.find(key, in: section).flatMap { Int($0.record) } ?? 0
  guard count < 2 else {
    _ = try records.delete(key, in: section)
    return
  }
  try records.save(Array("\(count + 1)".utf8), under: key, of: "", in: section)
  throw APIError.unavailable.because("flaky_before: error \(count + 1) of 2")
}
