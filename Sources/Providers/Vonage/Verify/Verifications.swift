import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/verify`. Source: contract 3 to 5.

func startVerification(_ context: RequestContext) throws -> Response {
  let form = try VerificationForm(context)
  let start = VerificationStart(context: context, form: form)
  try start.refuseConcurrent()
  try start.requireCoverage()
  let verification = try start.begin()
  let url = try start.silentURL(of: verification)
  return context.response(202) { json in
    json.member("request_id", requestID(of: verification, in: context.sandbox))
    if let url { json.member("check_url", url) }
  }
}

func nextWorkflow(_ context: RequestContext) throws -> Response {
  let (verification, _) = try pendingRequest(context)
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
  let (verification, _) = try pendingRequest(context)
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

/// The caller's request that the path names, if it is in progress; else 404. Source: contract 5.
func pendingRequest(_ context: RequestContext) throws -> (verification: Verification, stored: StoredRequest) {
  let id = context.pathID
  guard let found = try verification(withID: id, in: context.sandbox),
    found.claim.owner == context.caller.account, let stored = try StoredRequest(of: found)
  else { throw APIError.requestNotFound(id).because("the account has no request \(id)") }
  guard found.isPending(at: context.sandbox.clock.now) else {
    throw APIError.requestNotFound(id).because(MissingReason.ended(found).description)
  }
  return (found, stored)
}

/// The start of a verification.
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
      let isLegacy = try StoredRequest(of: latest) == nil
      throw APIError.concurrent(
        with: isLegacy ? legacyID(of: latest, in: sandbox) : requestID(of: latest, in: sandbox))
    }
  }

  /// 412 if silent authentication is the only channel, and the network does not support it.
  func requireCoverage() throws {
    guard let only = stored.workflow.first, stored.workflow.count == 1, let number = only.silentNumber,
      try !isOffered(only, to: number, in: sandbox)
    else { return }
    throw APIError.networkNotSupported
  }

  func begin() throws -> Verification {
    let settings = context.settings
    var stored = stored
    stored.isBlocked = try form.checksFraud && isTooFrequent()
    let steps = stored.workflow.map { entry in
      Fallbacks.Start.PlannedStep(entry.channel.channel, timeout: stored.timeout(of: entry, settings))
    }
    var rules = settings.verificationRules
    rules.codeLength = stored.codeLength
    // The last channel ends first.
    rules.lifetime = steps.reduce(.seconds(1)) { $0 + $1.timeout }
    var start = Fallbacks.Start(
      claim(of: context.caller.account, on: destinations.first ?? ""), steps: steps, rules: rules)
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
    try reportPending(step, of: verification, url, in: sandbox)
    return url
  }
}

/// The requests in progress for destinations that are not the first of their workflow; claims have that one.
private struct InFlight {
  var ordinal = 0

  private static let table = RecordTable<InFlight>(
    "inFlight", of: VonageProvider.name,
    Schema(nil, "", [.required("ordinal", \.ordinal, .count)])
  ) { InFlight() }

  static func latest(to destination: String, of account: String, in sandbox: Sandbox) throws -> Verification?
  {
    if let latest = try sandbox.verifications.latest(claim(of: account, on: destination)),
      latest.isPending(at: sandbox.clock.now)
    {
      return latest
    }
    let other = try table.find("\(account) \(destination)", in: sandbox).flatMap {
      try sandbox.verifications.find($0.ordinal)
    }
    return try other ?? sandbox.verifications.latest(claim(of: account, on: destination))
  }

  static func add(_ verification: Verification, to destinations: ArraySlice<String>, in sandbox: Sandbox)
    throws
  {
    for destination in destinations {
      let key = "\(verification.claim.owner) \(destination)"
      if try table.find(key, in: sandbox) == nil {
        try table.requireRoom(in: sandbox, limit: SandboxLimits.services)
      }
      try table.save(InFlight(ordinal: verification.ordinal), as: key, in: sandbox)
    }
  }

  static func remove(_ verification: Verification, from destinations: [String], in sandbox: Sandbox) throws {
    for destination in destinations where destination != verification.claim.destination {
      let key = "\(verification.claim.owner) \(destination)"
      if try table.find(key, in: sandbox)?.ordinal == verification.ordinal {
        try table.delete(key, in: sandbox)
      }
    }
  }
}

/// Other requests may use the destinations of a request that has ended.
func release(_ stored: StoredRequest, of verification: Verification, in sandbox: Sandbox) throws {
  try InFlight.remove(verification, from: stored.workflow.map(\.destination), in: sandbox)
}
