import ProviderKit

// The resource `/Challenges` of an entity. Source: contract 9.3, 11.6 and 11.8.

func createChallenge(_ context: RequestContext) throws -> Response {
  let entity = try Entity.named(by: context)
  let form = try ChallengeForm(context)
  let sandbox = context.sandbox
  let now = sandbox.clock.now
  guard var factor = try Factor.find(form.factorSID, in: sandbox), factor.entity == entity.sid else {
    throw APIError.notFound("\(entity.path(ofList: "Factors"))/\(form.factorSID)")
      .because("FactorSid: \(entity.identity) has no factor \(form.factorSID)")
  }
  guard factor.status == .verified else {
    throw APIError(code: 60318).because("FactorSid: \(factor.sid) is unverified")
  }
  var challenge = FactorChallenge()
  challenge.account = context.caller.account
  challenge.service = entity.service
  challenge.entity = entity.sid
  challenge.identity = entity.identity
  challenge.factor = factor.sid
  challenge.kind = factor.kind
  challenge.createdAt = now
  challenge.updatedAt = now
  challenge.expiresAt = form.expiresAt
  let hasDate = context.service.pushIncludeDate ?? context.settings.pushIncludeDate
  challenge.details = try form.details(of: factor.kind, date: hasDate ? now : nil)
  challenge.hiddenDetails = form.hiddenDetails
  if factor.kind == .totp {
    if let payload = form.payload { try TOTPConfig.requireCode(payload) }
    try factor.totp?.countChallenge(at: now)
  }
  let ordinal = sandbox.nextOrdinal()
  challenge.sid = FactorChallenge.sid(factor.kind, ordinal, in: sandbox)
  if let payload = form.payload, factor.kind == .totp {
    try challenge.check(payload, of: &factor, at: now)
  }
  try challenge.insert(ordinal: ordinal, in: sandbox)
  if factor.kind == .totp { try factor.save(in: sandbox) }
  try FactorEvent.announceAnswer(to: challenge, of: factor, in: sandbox)
  if factor.kind == .push { try challenge.askOnDevice(of: factor, in: sandbox) }
  return challenge.response(201, for: context)
}

/// A device sees the challenges of its own factor.
func listChallenges(_ context: RequestContext, _ device: Factor?) throws -> Response {
  let entity = try Entity.named(by: context)
  let query = try context.request.query
  let (now, sandbox) = (context.sandbox.clock.now, context.sandbox)
  let factor = query.text("FactorSid")
  let status = try query.word("Status", of: FactorChallenge.Status.self)
  let isNewestFirst = try query.word("Order", of: ListOrder.self) == .desc
  let page = try Page(
    of: context, path: entity.path(ofList: "Challenges"), filters: ["FactorSid", "Status", "Order"],
    newestFirst: isNewestFirst, errors: .ofEntities
  ) { border, limit in
    try FactorChallenge.list(of: entity, from: border, limit: limit, in: sandbox) { challenge in
      (factor == nil || challenge.factor == factor) && (device == nil || challenge.factor == device?.sid)
        && (status == nil || challenge.status(at: now) == status)
    }
  }
  return page.response(key: "challenges", baseURL: context.baseURL) { $0.write(to: &$1, for: context) }
}

func fetchChallenge(_ context: RequestContext, _ device: Factor?) throws -> Response {
  let challenge = try FactorChallenge.named(by: context, for: device)
  var response = Response.json(200, challenge.body(for: context))
  let fields = context.settings.signatureFields
  if challenge.isSigned, !fields.isEmpty, challenge.status(at: context.sandbox.clock.now) == .pending {
    response.headers.add("Twilio-Verify-Signature-Fields", fields)
  }
  return response
}

/// Answers a challenge: with a TOTP code, or with a token that the factor's key has signed.
func updateChallenge(_ context: RequestContext, _ device: Factor?) throws -> Response {
  var challenge = try FactorChallenge.named(by: context, for: device)
  let form = try context.request.form
  form.declare(["AuthPayload", "Metadata"])
  let metadata = try FactorForm.texts("Metadata", in: form)
  try challenge.requirePending(at: context.sandbox.clock.now)
  if let payload = form.text("AuthPayload") {
    try challenge.respond(with: payload, metadata: metadata, in: context.sandbox)
  } else if let metadata {
    challenge.metadata = metadata
    challenge.updatedAt = context.sandbox.clock.now
    try challenge.save(in: context.sandbox)
  } else {
    throw APIError.missingParameter("AuthPayload")
  }
  return challenge.response(200, for: context)
}

extension FactorChallenge {
  /// The challenge of the path; for a device, only those of its factor exist. Source: contract 11.6.
  static func named(by context: RequestContext, for device: Factor?) throws -> FactorChallenge {
    let sid = context.request[parameter: "challenge"]
    let found = try find(sid, in: context.sandbox)
    guard let challenge = found, try challenge.entity == Entity.named(by: context).sid,
      device == nil || challenge.factor == device?.sid
    else {
      let owner = device.map { "factor \($0.sid)" } ?? context.request[parameter: "identity"]
      throw context.notFound("\(owner) has no challenge \(sid)")
    }
    return challenge
  }

  /// A code that does not approve is no error for the provider, so only the journal says why.
  fileprivate func response(_ status: HTTP.Status, for context: RequestContext) -> Response {
    var response = Response.json(status, body(for: context))
    if failures > 0, answer == nil {
      response.why =
        "AuthPayload: not the factor's code at \(updatedAt.iso8601), the sandbox's time, or one that was used before"
    }
    return response
  }
}

/// The order of a list of challenges by their creation.
private enum ListOrder: String, CaseIterable { case asc, desc }

extension Form {
  /// A word of an enumeration; nil if the field is absent or empty, 60300 for other words.
  fileprivate func word<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of type: Word.Type
  ) throws(APIError) -> Word? {
    guard let text = text(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw .invalidFactorParameter(name, expected: "one of \(Word.words)")
    }
    return word
  }
}
