import ProviderKit

// `POST /v3/unify-status` and `POST /v3/unify-bind`. Source: contract 4.3 and 4.4.

func fetchUnifyStatus(_ context: RequestContext) throws -> Response {
  let body = try context.body
  var session = try findSession(body, context)
  if session.number == nil, session.possession == .none { session.number = try body.text("phoneNumber") }
  let status = UnifyStatus(of: session, context)
  if status.success == .possessionRequired, !session.askedForPossession {
    session.askedForPossession = true
    try session.save(in: context.sandbox)
  }
  return try status.response(about: session, context, requestID: body.text("clientRequestId"))
}

func bindUnify(_ context: RequestContext) throws -> Response {
  let body = try context.body
  var session = try findSession(body, context)
  let text = try body.requiredText("phoneNumber")
  let requestID = try body.text("clientRequestId")
  let user = try session.mobileNumber.map { try TestUsers(.unify, of: context).user(of: $0) }
  try session.requireBindable(by: user)
  if let why = try reasonNotToBind(text, to: session, context) {
    session.number = text
    let status = UnifyStatus(.failed, .failed(.possessionIncomplete), because: why)
    return try status.response(about: session, context, requestID: requestID)
  }
  session.number = text
  var possession = Possession(session, context.settings, client: context.client, in: context.sandbox)
  try possession.pass(by: .bind)
  let status = UnifyStatus(of: possession.session, context)
  return try status.response(about: possession.session, context, requestID: requestID)
}

/// The session that the body names. It has failed if its link was not opened in time.
private func findSession(_ body: Body, _ context: RequestContext) throws -> Session {
  let session = try Session.find(
    body.requiredText("correlationId"), .unify, of: context.client, in: context.sandbox)
  var possession = Possession(session, context.settings, client: context.client, in: context.sandbox)
  try possession.endWait()
  return possession.session
}

/// Why a number cannot be bound; nil if it can. Source: contract 4.4.
private func reasonNotToBind(
  _ text: String, to session: Session, _ context: RequestContext
) throws -> String? {
  guard let number = MobileNumber(text) else { return "\(text) is no phone number" }
  if let known = session.mobileNumber, known.number != number.number {
    return "the number of the session is \(known.text)"
  }
  do {
    _ = try TestUsers(.unify, of: context).user(of: number)
    return nil
  } catch let error as APIError {
    return error.why ?? error.message
  }
}

/// The member `success` of unify and the two later calls: a text, not a Boolean. Source: contract 3.1.
enum Success: String {
  case pending
  case passed = "true"
  case failed = "false"
  case possessionRequired = "possession_required"
}

/// What the client learns about a session. Source: contract 4.3.
struct UnifyStatus: Equatable {
  let success: Success
  /// Nil: nothing was evaluated.
  let evaluation: Evaluation?
  /// Of a failure, for the journal.
  let why: String?

  init(_ success: Success, _ evaluation: Evaluation? = nil, because why: String? = nil) {
    self.success = success
    self.evaluation = evaluation
    self.why = why
  }

  /// The decision table, in its order.
  fileprivate init(of session: Session, _ context: RequestContext) {
    let number = session.mobileNumber
    let user = number.flatMap { try? TestUsers(.unify, of: context).user(of: $0) }
    let script = user?.possession ?? PossessionScript()
    if script.skipsDevice, session.step == .created {
      self = session.possession == .none ? UnifyStatus(.possessionRequired) : Self.passed(session)
    } else if session.options.checksReputation, !script.passesReputation {
      self.init(.failed, .failed(.lowTrustScore), because: "the reputation of \(session.number ?? "") fails")
    } else {
      self.init(ofPossession: session)
    }
  }

  private init(ofPossession session: Session) {
    switch session.outcome {
    case .open where session.step == .created:
      self.init(
        .failed, .failed(.possessionIncomplete), because: "no device has authenticated with the auth token")
    case .open: self.init(.pending)
    case .passed: self = Self.passed(session)
    case .possessionRequired:
      self.init(.possessionRequired, session.failure.map { .failed($0) }, because: session.why)
    case .failed:
      self.init(.failed, .failed(session.failure ?? .possessionIncomplete), because: session.why)
    }
  }

  private static func passed(_ session: Session) -> UnifyStatus {
    var evaluation = Evaluation.passed(.authentication)
    if session.options.checksReputation { evaluation.pass(.risk) }
    return UnifyStatus(.passed, evaluation)
  }

  /// Source: contract 4.3.
  fileprivate func response(
    about session: Session, _ context: RequestContext, requestID: String?
  ) throws -> Response {
    let isPassed = success == .passed
    let identity =
      try isPassed
      ? session.mobileNumber.map {
        try Identity.ofNumber($0.number, clientID: context.client.id, in: context.sandbox)
      } : nil
    let hasDevice = session.possession != .desktop && (isPassed || success == .possessionRequired)
    var response = Response.json(200) { json in
      json.member("success", success.rawValue)
      if let number = session.number { json.member("phoneNumber", number) }
      if let identity { json.member("proveId", identity.proveID) }
      if hasDevice, let deviceID = session.deviceID { json.member("deviceId", deviceID) }
      if let id = session.options.clientHumanID { json.member("clientHumanId", id) }
      if let id = requestID ?? session.options.clientRequestID { json.member("clientRequestId", id) }
      evaluation?.write(to: &json)
    }
    response.why = why
    return response
  }
}

extension Session {
  /// Throws unless a number can be bound to the device now. Source: contract 4.4.
  fileprivate func requireBindable(by user: TestUser?) throws {
    let problem: String? =
      if possession != .none {
        "the possession type of the session is \(possession.rawValue), not none"
      } else if !askedForPossession {
        "no unify-status of the session has answered possession_required"
      } else if step == .created, user?.possession.skipsDevice != true {
        "no device has authenticated with the auth token"
      } else {
        nil
      }
    if let problem { throw APIError(.stepNotAllowed).because(problem) }
  }
}
