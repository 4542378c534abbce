import Crypto
import ProviderKit
import WebAuthn

// Sign-ins with passkeys. Source: contract 12.

/// Creates a challenge: for one passkey, for those of an identity, or for any passkey that the user has.
func createPasskeysChallenge(_ context: RequestContext) throws -> Response {
  let sandbox = context.sandbox
  let form = try PasskeyForm(context.request)
  let identity = try form.text("identity", error: 60367)
  let sid = try form.text("factor_sid", error: 60362)
  var challenge = FactorChallenge()
  var allowed: [Factor] = []
  if let identity {
    guard let entity = try Entity.find(identity, ofService: context.service.sid, in: sandbox) else {
      throw APIError(code: 60392).because("identity: the Service has no entity \(identity)")
    }
    challenge.entity = entity.sid
    challenge.identity = entity.identity
    allowed = try entity.passkeys(in: sandbox)
  }
  if let sid {
    guard SidKind.factor.matches(sid) else {
      throw APIError(code: 60362).because("factor_sid: expected YF and 32 hex digits")
    }
    guard let factor = try Factor.find(sid, in: sandbox), factor.kind == .passkeys,
      factor.service == context.service.sid, identity == nil || factor.entity == challenge.entity
    else { throw APIError(code: 60390).because("factor_sid: no passkey \(sid)") }
    guard factor.status == .verified else { throw APIError(code: 60383).because("\(sid) is unverified") }
    challenge.entity = factor.entity
    challenge.identity = factor.identity
    allowed = [factor]
  }
  guard identity == nil || !allowed.isEmpty else {
    throw APIError(code: 60390).because("identity: \(challenge.identity) has no verified passkey")
  }
  if allowed.count == 1, let only = allowed.first { challenge.factor = only.sid }
  challenge.kind = .passkeys
  challenge.account = context.caller.account
  challenge.service = context.service.sid
  challenge.createdAt = sandbox.clock.now
  challenge.updatedAt = sandbox.clock.now
  challenge.expiresAt = sandbox.clock.now + PasskeyConfig.timeout
  let passkey = try allowed.last?.passkey ?? PasskeyConfig(context.service)
  let ordinal = sandbox.nextOrdinal()
  challenge.sid = FactorChallenge.sid(.passkeys, ordinal, in: sandbox)
  try challenge.insert(ordinal: ordinal, in: sandbox)
  return .json(201, challenge.passkeyBody(passkey, of: allowed, for: context))
}

/// Approves a challenge with the browser's assertion. The challenge is the one whose SID the ceremony
/// answers.
func approvePasskeysChallenge(_ context: RequestContext) throws -> Response {
  let answer = try PasskeyAnswer(PasskeyForm(context.request), requiresID: true)
  let sandbox = context.sandbox
  let now = sandbox.clock.now
  let sid = try answer.sid(.challenge, error: 60364)
  guard var challenge = try FactorChallenge.find(sid, in: sandbox),
    challenge.service == context.service.sid, challenge.kind == .passkeys
  else { throw APIError(code: 60391).because("clientDataJSON: no challenge \(sid)") }
  guard challenge.status(at: now) != .expired else {
    throw APIError(code: 60384).because("it expired at \(challenge.expiresAt.iso8601)")
  }
  try challenge.requirePending(at: now)
  guard var factor = try Factor.find(passkey: Base64.encodeForURL(answer.credential), in: sandbox),
    factor.service == challenge.service, challenge.entity.isEmpty || factor.entity == challenge.entity,
    challenge.factor.isEmpty || factor.sid == challenge.factor
  else { throw APIError(code: 60390).because("id: no passkey that may answer \(challenge.sid)") }
  try factor.accept(answer, to: challenge.sid)
  challenge.answer = .approved
  challenge.respondedAt = now
  challenge.updatedAt = now
  try factor.save(in: sandbox)
  try challenge.save(in: sandbox)
  try FactorEvent.announce(.challengeApproved, factor: factor, challenge: challenge, in: sandbox)
  let passkey = try factor.passkey ?? PasskeyConfig(context.service)
  return .json(200, challenge.passkeyBody(passkey, of: [factor], for: context))
}

extension Factor {
  /// Verifies an assertion, and keeps the authenticator's counter.
  fileprivate mutating func accept(_ answer: PasskeyAnswer, to sid: String) throws {
    guard let passkey, let publicKey = passkey.publicKey.flatMap({ Base64.decode($0) }) else {
      throw APIError(code: 60383).because("\(self.sid) is unverified")
    }
    if try answer.response.text("userHandle", error: 60378) != nil {
      let user = try answer.response.bytes("userHandle", error: 60378)
      guard user == Array(entity.utf8) else {
        throw APIError(code: 60378).because("userHandle: expected that of \(entity)")
      }
    }
    let data = try answer.response.bytes("authenticatorData", error: 60379)
    let signature = try answer.response.bytes("signature", error: 60381)
    do {
      let count = try PasskeyAssertion.verify(
        clientData: answer.clientData, authenticatorData: data, signature: signature,
        challenge: Array(sid.utf8), relyingParty: passkey.relyingParty, publicKey: publicKey,
        signCount: passkey.signCount)
      self.passkey?.signCount = count
    } catch { throw APIError(error) }
  }
}

extension FactorChallenge {
  /// Most members are null, and the texts of a challenge for any passkey are empty. Source: contract 12.
  fileprivate func passkeyBody(
    _ passkey: PasskeyConfig, of factors: [Factor], for context: RequestContext
  ) -> [UInt8] {
    JSONWriter.object { json in
      json.member("sid", sid)
      json.member("account_sid", context.shownAccount)
      json.member("service_sid", service)
      json.member("entity_sid", entity)
      json.member("identity", identity)
      json.member("factor_sid", factor)
      json.member("factor_type", kind.rawValue)
      json.member("status", status(at: context.sandbox.clock.now).rawValue)
      createdAt.write(iso8601: "date_created", to: &json)
      updatedAt.write(iso8601: "date_updated", to: &json)
      json.null("date_responded")
      json.null("details")
      json.null("expiration_date")
      json.null("hidden_details")
      json.null("links")
      json.null("metadata")
      json.member("responded_reason", "none")
      json.member("url", context.baseURL + context.request.target.path)
      let user = factors.last.flatMap {
        entity.isEmpty ? nil : PasskeyUser(entity: entity, name: $0.friendlyName)
      }
      passkey.write(
        options: &json, .assertion, of: sid, user: user,
        credentials: entity.isEmpty ? [] : factors.compactMap(\.passkey?.credential))
    }
  }
}
