import ProviderKit

// Check, search and control of Verify legacy. Source: contract 9.

func checkLegacy(_ context: LegacyContext) throws -> Response {
  let id = try requiredID(context)
  let code = try context.fields.required("code")
  guard LegacyRequest.isCode(code) else {
    throw LegacyError(.invalid, "The code contains invalid characters")
      .because("code: expected letters, digits and hyphens")
  }
  guard (4...10).contains(code.utf8.count) else {
    throw LegacyError.invalid("code", "expected 4 to 10 characters")
  }
  let (verification, stored) = try pending(id, context) { checkedRequestNotFound($0).because($1) }
  let sandbox = context.sandbox
  // An expired code is compared with nothing, and counts as a wrong one.
  let entered = stored.hasValidCode(at: sandbox.clock.now) ? code : ""
  let outcome = try sandbox.verifications.check(
    entered, of: verification, by: context.settings.verificationRules)
  try record(code, outcome, of: verification, stored, in: sandbox)
  switch outcome {
  case .approved: break
  case .wrongCode: throw LegacyError(.wrongCode, requestID: id)
  case .checksExhausted: throw LegacyError(.tooManyWrongCodes)
  case .nothingPending: throw checkedRequestNotFound(id)
  }
  let event = try sandbox.fallbacks.steps(of: verification).last { $0.startedAt != nil }?.position ?? 1
  return context.response(
    "verify_response",
    [
      .text("request_id", id), .text("status", "0"),
      .text("event_id", LegacyID.event(event, of: verification, in: sandbox)),
      .text("price", context.settings.legacyPrice), .text("currency", currency),
      .text("estimated_price_messages_sent", context.settings.legacyPrice),
    ])
}

func controlLegacy(_ context: LegacyContext) throws -> Response {
  let id = try requiredID(context)
  let command = try context.fields.required("cmd")
  let (verification, _) = try pending(id, context) { id, why in
    LegacyError(.unroutable, "The requestId '\(id)' does not exist or its no longer active.").because(why)
  }
  let steps = try context.sandbox.fallbacks.steps(of: verification)
  switch command {
  case "cancel":
    let since = verification.createdAt + .seconds(context.settings.cancelAfter)
    if context.sandbox.clock.now < since {
      throw refused(
        "Verification request ['\(id)'] can't be cancelled within the first \(context.settings.cancelAfter) seconds."
      )
    }
    if steps.dropFirst().contains(where: { $0.startedAt != nil }) {
      throw refused(
        "Verification request  ['\(id)'] can't be cancelled now. Too many attempts to re-deliver have already been made."
      )
    }
    _ = try context.sandbox.verifications.finish(verification, as: .canceled)
  case "trigger_next_event":
    guard let active = steps.first(where: { $0.isActive }), steps.contains(where: { $0.state == .waiting })
    else {
      throw refused("No more events are left to execute for the request ['\(id)']")
    }
    try context.sandbox.fallbacks.fail(active, of: verification, for: .passedOver)
  default:
    throw LegacyError(.invalid, "Invalid parameter found: cmd")
      .because("cmd: expected cancel or trigger_next_event")
  }
  return context.response("response", [.text("status", "0"), .text("command", command)])
}

func searchLegacy(_ context: LegacyContext) throws -> Response {
  if try context.fields["request_id"] != nil {
    guard let record = try record(of: requiredID(context), context) else { throw LegacyError(.noResponse) }
    return context.response("verify_request", record)
  }
  let ids = context.fields.all("request_ids")
  guard !ids.isEmpty else {
    throw LegacyError(.unroutable, LegacyStatus.unroutable(because: "Wrong parameters."))
      .because("expected request_id or request_ids")
  }
  guard ids.count <= 10 else { throw LegacyError(.tooManyIDs).because("request_ids: expected at most 10") }
  let records = try ids.compactMap { try record(of: $0, context) }
  guard !records.isEmpty else { throw LegacyError(.noResponse) }
  return context.response(
    "verification_requests", [.list("verification_requests", element: "verify_request", records)])
}

/// Unblocks a network that the setting `blockedNetworks` names.
func unblockNetwork(_ context: RequestContext) throws -> Response {
  let faults = Faults()
  let body = Reader(fields: try context.request.json, faults: faults)
  let network = body.text("network", "5 or 6 digits", required: true) {
    (5...6).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isDigit }
  }
  let seconds = body.integer("unblock_duration", 0...86_400) ?? body.integer("duration", 0...86_400)
  try faults.check()
  let sandbox = context.sandbox
  guard let network, try NetworkBlock.isActive(network, context.settings, in: sandbox) else {
    throw APIError(.networkNotFound)
  }
  let end = sandbox.clock.now + .seconds(seconds ?? 3600)
  try NetworkBlock.unblock(network, until: end, in: sandbox)
  return .json(202) { json in
    json.member("network", network)
    json.member("unblocked_until", end.iso8601)
  }
}

/// Networks whose block has been lifted for some time.
struct NetworkBlock {
  private var unblockedUntil = Timestamp(milliseconds: 0)

  private static let table = RecordTable<NetworkBlock>(
    "networkBlock", of: VonageProvider.name,
    Schema(nil, "", [.required("unblockedUntil", \.unblockedUntil, .preciseTimestamp)])
  ) { NetworkBlock() }

  static func isActive(_ network: String, _ settings: Settings, in sandbox: Sandbox) throws -> Bool {
    guard settings.blockedNetworks.contains(network) else { return false }
    return try table.find(network, in: sandbox).map { $0.unblockedUntil <= sandbox.clock.now } ?? true
  }

  static func unblock(_ network: String, until end: Timestamp, in sandbox: Sandbox) throws {
    try table.save(NetworkBlock(unblockedUntil: end), as: network, in: sandbox)
  }
}

private let currency = "EUR"

private func refused(_ text: String) -> LegacyError { LegacyError(.refusedCommand, text) }

private func checkedRequestNotFound(_ id: String) -> LegacyError {
  let reason = "Request '\(id)' was not found or it has been verified already."
  return LegacyError(.unroutable, LegacyStatus.unroutable(because: reason))
}

private func requiredID(_ context: LegacyContext) throws(LegacyError) -> String {
  let id = try context.fields.required("request_id")
  guard id.utf8.count <= 32 else { throw .invalid("request_id", "expected at most 32 characters") }
  return id
}

/// A request in progress; else throws what `notFound` makes of its id and the reason.
private func pending(
  _ id: String, _ context: LegacyContext, _ notFound: (_ id: String, _ why: String) -> LegacyError
) throws -> (verification: Verification, stored: LegacyRequest) {
  guard let found = try LegacyID.verification(id, in: context.sandbox),
    found.claim.owner == context.account, let stored = try LegacyRequest(of: found)
  else {
    throw notFound(
      id, "the account has no such request".advising("Send the request_id that the answer to the start has."))
  }
  guard found.isPending(at: context.sandbox.clock.now) else {
    throw notFound(id, MissingReason.ended(found).reason)
  }
  return (found, stored)
}

private func record(
  _ code: String, _ outcome: Verifications.CheckOutcome, of verification: Verification,
  _ stored: LegacyRequest, in sandbox: Sandbox
) throws {
  guard stored.checks.count < LegacyRequest.checkLimit else { return }
  var (stored, check) = (stored, LegacyRequest.Check(at: sandbox.clock.now, code: code))
  if case .approved = outcome { check.isValid = true }
  stored.checks.append(check)
  try sandbox.verifications.save(ProviderDetails(stored), with: verification)
}

/// The record of a request in searches; nil for an unknown id.
private func record(of id: String, _ context: LegacyContext) throws -> [LegacyAnswer.Member]? {
  let sandbox = context.sandbox
  guard let found = try LegacyID.verification(id, in: sandbox), found.claim.owner == context.account,
    let stored = try LegacyRequest(of: found)
  else { return nil }
  let steps = try sandbox.fallbacks.steps(of: found).filter { $0.startedAt != nil }
  let hasEnded = !found.isPending(at: sandbox.clock.now)
  let status = status(of: found, hasEnded: hasEnded)
  return [
    .text("request_id", id), .text("account_id", context.account), .text("status", status),
    .text("number", String(found.claim.destination.dropFirst())),
    .text("price", context.settings.legacyPrice), .text("currency", currency),
    .text("sender_id", stored.sender), .text("date_submitted", day(found.createdAt)),
    .text("date_finalized", hasEnded ? day(found.updatedAt) : ""),
    .text("first_event_date", steps.first?.startedAt.map(day) ?? ""),
    .text("last_event_date", steps.last?.startedAt.map(day) ?? ""),
    .list(
      "checks", element: "check",
      stored.checks.map { check in
        [
          .text("date_received", day(check.at)), .text("code", check.code),
          .text("status", check.isValid ? "VALID" : "INVALID"), .text("ip_address", ""),
        ]
      }),
    .list(
      "events", element: "event",
      steps.map { step in
        [
          .text("type", step.channel == .call ? "tts" : "sms"),
          .text("id", LegacyID.event(step.position, of: found, in: sandbox)),
        ]
      }),
    .text("estimated_price_messages_sent", context.settings.legacyPrice),
  ]
}

private func status(of verification: Verification, hasEnded: Bool) -> String {
  switch verification.state {
  case .pending: hasEnded ? "EXPIRED" : "IN PROGRESS"
  case .approved: "SUCCESS"
  case .denied, .exhausted: "FAILED"
  case .canceled: "CANCELLED"
  case .expired: "EXPIRED"
  }
}

/// `2026-01-05 10:20:30`
private func day(_ time: Timestamp) -> String {
  String(time.iso8601.prefix(19)).replacing("T", with: " ")
}
