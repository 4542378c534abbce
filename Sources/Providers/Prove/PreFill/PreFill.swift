import ProviderKit

// `POST /v3/start`, `/v3/validate`, `/v3/challenge` and `/v3/complete`. Source: contract 7.1.

func startFlow(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let flowType = try body.word("flowType", of: FlowType.self)
  var options = SessionOptions()
  options.finalTargetURL = try body.finalTargetURL(isRequired: flowType == .desktop)
  options.smsMessage = try body.smsMessage
  options.allowsOTPRetry = try body.flag("allowOTPRetry") ?? false
  try body.checkContact()
  // Very old clients send them.
  body.declare("deviceId", "flowId")
  let claims = try PersonClaims(body)
  let number = try body.text("phoneNumber").map { try MobileNumber($0, named: "phoneNumber", in: context) }
  if let number { try TestUsers(.identity, of: context).user(of: number).rejectStart(in: context.sandbox) }
  var session = Session(
    .preFill, flowType.possession, of: context.client, lifetime: .seconds(context.settings.sessionSeconds),
    in: context.sandbox)
  session.options = options
  session.number = number?.text
  try session.insert(in: context.sandbox)
  try PreFill(correlationID: session.correlationID, claims: claims).insert(in: context.sandbox)
  return .json(200) { json in
    json.member("authToken", AuthToken.text(of: session, for: context.request, in: context.sandbox))
    json.member("correlationId", session.correlationID)
    PreFill.Step.validate.write(to: &json)
  }
}

func validateFlow(_ context: RequestContext) throws -> Response {
  var (session, flow) = try findFlow(of: context, at: .validate)
  let user = try testUser(of: session, context)
  let passes = session.outcome == .passed || user?.possession.skipsDevice == true
  let isPreFill = context.client.preFill
  flow.next = passes ? (isPreFill ? .challenge : .complete) : .done
  try flow.save(in: context.sandbox)
  let evaluation =
    passes ? Evaluation.passed(.authentication) : .failed(session.failure ?? .possessionIncomplete)
  var response = Response.json(200) { json in
    json.member("success", passes)
    json.member("challengeMissing", isPreFill && flow.claims.isEmpty)
    if let number = session.number { json.member("phoneNumber", number) }
    evaluation.write(to: &json)
    flow.next.write(to: &json)
  }
  if !passes { response.why = session.why ?? "no device has proven the possession" }
  return response
}

func challengeFlow(_ context: RequestContext) throws -> Response {
  var (session, flow) = try findFlow(of: context, at: .challenge)
  let claims = try flow.claims.merged(with: PersonClaims(context.body))
  guard !claims.isEmpty else { throw APIError.missing("dob") }
  let user = try testUser(of: session, context) ?? TestUser()
  let failures =
    fails(user, at: .challenge, context.settings)
    ? [.identityNotFound] : claims.failures(against: user.person)
  flow.next = .complete
  try flow.save(in: context.sandbox)
  var response = Response.json(200) { json in
    json.member("success", failures.isEmpty)
    if failures.isEmpty { json.object("individual") { user.person.write(to: &$0) } }
    Evaluation.ofIdentity(failures).write(to: &json)
    flow.next.write(to: &json)
  }
  response.why = failures.first?.text
  return response
}

func completeFlow(_ context: RequestContext) throws -> Response {
  var (session, flow) = try findFlow(of: context, at: .complete)
  guard let individual = try context.body.fields.optionalObject("individual") else {
    throw APIError.missing("individual")
  }
  let claims = try IndividualClaims(Body(individual))
  let user = try testUser(of: session, context) ?? TestUser()
  let failures =
    fails(user, at: .complete, context.settings) ? [.notConfirmed] : claims.failures(against: user.person)
  flow.next = .done
  try flow.save(in: context.sandbox)
  var response = Response.json(200) { json in
    json.member("success", failures.isEmpty)
    Evaluation.ofIdentity(failures).write(to: &json)
    if context.client.kyc { IdentityReport(failures: failures).write(to: &json) }
    flow.next.write(to: &json)
  }
  response.why = failures.first?.text
  return response
}

/// The live session and the flow of the body. Throws 8003 unless `step` comes next.
private func findFlow(of context: RequestContext, at step: PreFill.Step) throws -> (Session, PreFill) {
  let correlationID = try context.body.requiredText("correlationId")
  let found = try Session.find(correlationID, .preFill, of: context.client, in: context.sandbox)
  var possession = Possession(found, context.settings, client: context.client, in: context.sandbox)
  try possession.endWait()
  guard let flow = try PreFill.find(correlationID, in: context.sandbox) else {
    throw APIError(.invalidCorrelationID).because("the flow of session \(correlationID) was deleted")
  }
  guard flow.next == step else {
    throw APIError(.stepNotAllowed).because(
      "the last `next` was \(flow.next.rawValue), not \(step.rawValue)")
  }
  return (possession.session, flow)
}

/// Nil while the number is not known.
private func testUser(of session: Session, _ context: RequestContext) throws -> TestUser? {
  try session.mobileNumber.map { try TestUsers(.identity, of: context).user(of: $0) }
}

private func fails(_ user: TestUser, at step: PreFillFailure, _ settings: Settings) -> Bool {
  settings.preFillFailures && user.preFillFailure == step
}

private enum FlowType: String, CaseIterable {
  case mobile, desktop

  var possession: Session.PossessionType { self == .desktop ? .desktop : .mobile }
}

/// What a session of Pre-Fill knows besides the possession check.
struct PreFill: StoredRecord, Equatable {
  /// The next operation of the flow.
  enum Step: String, CaseIterable, Sendable {
    case validate, challenge, complete, done

    /// Writes the member `next`. A call that it does not name is rejected.
    fileprivate func write(to json: inout JSONWriter) {
      json.object("next") {
        if self == .done { return $0.member("done", "done") }
        $0.member(named: "v3-\(rawValue)", "/v3/\(rawValue)")
      }
    }
  }

  var correlationID = ""
  var next = Step.validate
  var claims = PersonClaims()

  /// Saves a new flow.
  func insert(in sandbox: Sandbox) throws {
    try Self.table.deleteOldest(in: sandbox)
    try save(in: sandbox)
  }

  var key: String { correlationID }
  static let table = RecordTable(
    "pre-fill", of: ProveProvider.name,
    Schema<PreFill>([
      .required("correlationId", \.correlationID, .string),
      .required("next", \.next, .word),
      .nested("claims", \.claims, PersonClaims.schema),
    ])
  ) { PreFill() }
}

extension Evaluation {
  fileprivate static func ofIdentity(_ failures: [FraudCode]) -> Evaluation {
    failures.isEmpty ? .passed(.identification) : Evaluation(failedBy: failures)
  }
}
