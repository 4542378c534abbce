import ProviderKit

// The resource `/v2/verify`. Source: contract 3 to 5.

func startVerification(_ context: RequestContext) throws -> Response {
  let form = try VerificationForm(context)
  let start = VerificationStart(context: context, form: form)
  try start.refuseConcurrent()
  try start.requireCoverage()
  let verification = try start.begin()
  let url = try start.silentURL(of: verification)
  return .json(202) { json in
    json.member("request_id", RequestID.of(verification, in: context.sandbox))
    if let url { json.member("check_url", url) }
  }
}

func nextWorkflow(_ context: RequestContext) throws -> Response {
  let (verification, _) = try StoredRequest.pending(context)
  let steps = try context.sandbox.fallbacks.steps(of: verification)
  guard let active = steps.first(where: { $0.isActive }), steps.contains(where: { $0.state == .waiting })
  else {
    throw APIError(.noEvents)
  }
  try context.sandbox.fallbacks.fail(active, of: verification, for: .passedOver)
  return Response(200)
}

/// Only for some time, unless the setting `earlyCancel` says otherwise. Source: contract 5.
func cancelVerification(_ context: RequestContext) throws -> Response {
  let (verification, _) = try StoredRequest.pending(context)
  if let why = try obstacle(toCanceling: verification, context) {
    switch context.settings.earlyCancel {
    case .allow: break
    case .notFound: throw APIError.requestNotFound(context.pathID).because(why)
    case .conflict: throw APIError(.conflict).because(why)
    }
  }
  _ = try context.sandbox.verifications.finish(verification, as: .canceled)
  return Response(204)
}

private func obstacle(toCanceling verification: Verification, _ context: RequestContext) throws -> String? {
  let since = verification.createdAt + .seconds(context.settings.cancelAfter)
  if context.sandbox.clock.now < since { return "it can be canceled from \(since.iso8601)" }
  let steps = try context.sandbox.fallbacks.steps(of: verification)
  return steps.dropFirst().contains { $0.startedAt != nil } ? "the second channel has begun" : nil
}

private struct VerificationStart {
  let context: RequestContext
  let form: VerificationForm

  private var sandbox: Sandbox { context.sandbox }
  private var stored: StoredRequest { form.stored }
  private var destinations: [String] {
    stored.workflow.map(\.destination).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// 409 while a request for one of the numbers is in progress. Source: contract 3.
  func refuseConcurrent() throws {
    let now = sandbox.clock.now
    for destination in destinations {
      guard let latest = try InFlight.latest(to: destination, of: context.caller.account, in: sandbox) else {
        continue
      }
      let grace = Duration.seconds(context.settings.concurrentGrace)
      let wasCanceled = latest.state == .canceled && now < latest.updatedAt + grace
      guard latest.isPending(at: now) || wasCanceled else { continue }
      throw APIError.concurrent(with: try RequestID.ofAnyAPI(latest, in: sandbox))
    }
  }

  /// 412 if silent authentication is the only channel, and the network does not support it.
  func requireCoverage() throws {
    guard let only = stored.workflow.first, stored.workflow.count == 1, let number = only.silentNumber,
      try !SilentURL.isOffered(only, to: number, in: sandbox)
    else { return }
    throw APIError.networkNotSupported
  }

  func begin() throws -> Verification {
    let settings = context.settings
    var stored = stored
    stored.isBlocked = try form.checksFraud && isTooFrequent()
    if stored.isBlocked {
      sandbox.currentReason =
        "blocked: \(settings.fraudCheck) requests for the number within an hour (setting fraudCheck)"
        .advising("Wait an hour after the first one, or send fraud_check false.")
    }
    let steps = stored.workflow.map { entry in
      Fallbacks.Start.PlannedStep(entry.channel.channel, timeout: stored.timeout(of: entry, settings))
    }
    var rules = settings.verificationRules
    rules.codeLength = stored.codeLength
    // The last channel ends first.
    rules.lifetime = steps.reduce(.seconds(1)) { $0 + $1.timeout }
    var start = Fallbacks.Start(
      Claim(
        provider: VonageProvider.name, owner: context.caller.account,
        destination: destinations.first ?? ""), steps: steps, rules: rules)
    start.details = ProviderDetails(stored)
    start.lastStepTimesOut = true
    let verification = try sandbox.fallbacks.start(start)
    if verification.isPending(at: sandbox.clock.now) {
      try InFlight.add(verification, to: destinations.dropFirst(), in: sandbox)
    }
    return verification
  }

  /// The velocity rule. Source: contract 12.
  private func isTooFrequent() throws -> Bool {
    let limit = context.settings.fraudCheck
    guard limit > 0, let destination = destinations.first else { return false }
    let since = sandbox.clock.now - .seconds(3600)
    let recent = try sandbox.verifications.list(
      VonageProvider.name, of: destination, before: .max, limit: limit)
    return recent.count == limit && recent.allSatisfy { $0.createdAt > since }
  }

  /// The URL that the phone opens, if silent authentication is the first channel and has begun.
  func silentURL(of verification: Verification) throws -> String? {
    guard let entry = stored.workflow.first, let number = entry.silentNumber,
      let step = try sandbox.fallbacks.activeStep(of: verification), step.channel == .silent
    else { return nil }
    let url = try SilentURL.create(for: verification, of: number, entry, context)
    try StatusReport.pending(step, of: verification, url, in: sandbox)
    return url
  }
}
