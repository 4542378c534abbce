import ProviderKit

/// `POST /verification/v1/verifications`. Waits for the application's decision, if it has a callback URL.
/// Source: contract 3 and 7.
func start(_ context: RequestContext) throws -> Reply {
  let request = try StartRequest(context)
  let (sandbox, settings) = (context.sandbox, context.settings)
  let references = References(application: context.application, sandbox: sandbox)
  try references.requireUnused(request.details.reference)
  try requirePause(before: request, context)
  guard settings.credit != 0 else { throw APIError(.credit).because("the setting credit is 0") }
  let hasCallbackURL = context.application.callbackURL(settings) != nil
  guard context.level > .public || hasCallbackURL else { throw APIError(.noCallbackURL) }
  if request.method == .seamless { try requireRoute(to: request.number, in: sandbox) }
  let stored = try create(request, awaitsCallback: hasCallbackURL, context)
  try references.save(request.details.reference, for: stored.verification)
  if let reason = refusal(of: request.number, settings) {
    try stored.end(because: reason, in: sandbox)
  } else if hasCallbackURL {
    try Callback.enqueue(.request, about: stored, in: sandbox)
    return .pending(decision(on: stored.verification.ordinal, context))
  } else {
    try Sending.begin(stored, stored.details.options, in: sandbox)
  }
  return .now(try StartAnswer(stored: stored.reloaded(in: sandbox), context: context).response())
}

/// Source: contract 9, `velocity`.
private func requirePause(before request: StartRequest, _ context: RequestContext) throws {
  let pause = Duration.seconds(context.settings.velocity)
  guard pause > .zero,
    let newest = try StoredVerification.newest(
      to: request.number, nil, of: context.application, in: context.sandbox)
  else { return }
  let next = newest.verification.createdAt + pause
  guard next > context.sandbox.clock.now else { return }
  throw APIError(.velocity)
    .because("\(request.number) may be verified again at \(next.iso8601) (setting velocity)")
}

/// Throws if the operator does not support silent verification. Source: contract 8.
private func requireRoute(to number: PhoneNumber, in sandbox: Sandbox) throws {
  let line = try sandbox.subscribers[number]
  guard line.lineType == .mobile, line.coversSilent, !line.suspended,
    !line.isDeactivated(at: sandbox.clock.now)
  else {
    throw APIError(.noRoute).because(
      "\(number) has no silent verification: \(line.lineType.rawValue), \(line.operatorName)")
  }
}

/// Why nothing is sent to a number; nil if something is. Source: contract 6.
private func refusal(of number: PhoneNumber, _ settings: Settings) -> Reason? {
  if settings.blocked.contains(number) { return .blocked }
  if settings.fraud.contains(number) { return .fraud }
  guard !settings.countries.isEmpty else { return nil }
  return number.country.map(settings.countries.contains) ?? false ? nil : .destinationDenied
}

/// A pending verification, of which nothing was sent yet.
private func create(
  _ request: StartRequest, awaitsCallback: Bool, _ context: RequestContext
) throws -> StoredVerification {
  var details = request.details
  details.awaitsCallback = awaitsCallback
  if details.method == .seamless {
    details.returnURL = TargetURL.returnURL(for: context.request, in: context.sandbox)
  }
  var rules = context.settings.verificationRules
  rules.lifetime = .seconds(details.options.expiry ?? details.method.expiry(context.settings))
  let claim = Claim(
    provider: SinchProvider.name, owner: context.application.key, destination: request.number.description)
  var start = Verifications.Start(claim, over: details.method.channel, rules: rules) { _ in nil }
  start.customCode = ""
  start.details = ProviderDetails(details)
  switch try context.sandbox.verifications.start(start) {
  case .created(let verification), .resent(let verification), .sendsExhausted(let verification),
    .checksExhausted(let verification):
    return try StoredVerification(verification)
  }
}

/// The answer, when the application has decided. Source: contract 7.
private func decision(on ordinal: Int, _ context: RequestContext) -> PendingReply {
  let unavailable = APIError(.unavailable)
    .because("the receiver of the callback has not answered")
    .stamped(at: context.sandbox.clock.now, requestID: context.requestID)
  return PendingReply(for: longestWait) {
    guard let stored = try StoredVerification.find(ordinal, in: context.sandbox) else { throw unavailable }
    guard !stored.details.awaitsCallback || stored.status != .pending else { return nil }
    do {
      return try StartAnswer(stored: stored, context: context).response()
    } catch let error as APIError {
      throw error.stamped(at: context.sandbox.clock.now, requestID: context.requestID)
    }
  } onTimeout: {
    unavailable.response
  }
}

/// Callbacks to one receiver wait for each other, so this is longer than any `callbackTimeout`.
private let longestWait = Duration.seconds(120)
