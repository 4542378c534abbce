import ProviderKit

// `POST /v3/unify`. Source: contract 4.1 and 4.2.

func createUnify(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let possession = try body.word("possessionType", of: Session.PossessionType.self)
  let options = try SessionOptions(unify: body, possession)
  try body.checkContact()
  let number = try number(of: body, in: context)
  if let number { try TestUsers(.unify, of: context).user(of: number).rejectStart(in: context.sandbox) }
  var session = Session(
    .unify, possession, of: context.client, lifetime: .seconds(context.settings.sessionSeconds),
    in: context.sandbox)
  session.options = options
  session.number = number?.text
  try session.insert(in: context.sandbox)
  try VirtualHandset.ask(about: session, in: context.sandbox)
  return .json(200) { json in
    json.member("success", Success.pending.rawValue)
    json.member("authToken", AuthToken.text(of: session, for: context.request, in: context.sandbox))
    json.member("correlationId", session.correlationID)
  }
}

/// `phoneNumber`, or the number of the customer `proveId`.
private func number(of body: Body, in context: RequestContext) throws -> MobileNumber? {
  let known = try body.text("proveId").map { proveID in
    guard let identity = try Identity.find(proveID, of: context.client, in: context.sandbox) else {
      throw APIError.malformed("proveId", expected: "the proveId of an earlier success")
    }
    return identity.number
  }
  guard let text = try body.text("phoneNumber") ?? known else { return nil }
  return try MobileNumber(text, named: "phoneNumber", in: context)
}

extension SessionOptions {
  /// Source: contract 4.1.
  fileprivate init(unify body: Body, _ possession: Session.PossessionType) throws {
    finalTargetURL = try body.finalTargetURL(isRequired: possession == .desktop)
    smsMessage = try body.smsMessage
    allowsOTPRetry = try body.flag("allowOTPRetry") ?? false
    checksReputation = try body.flag("checkReputation") ?? false
    rebind = try body.flag("rebind") ?? false
    deviceID = try body.text("deviceId")
    mobileAuth = try body.flag("mobileAuthEnabled")
    clientRequestID = try body.text("clientRequestId")
    clientCustomerID = try body.text("clientCustomerId")
    clientHumanID = try body.text("clientHumanId")
  }
}
