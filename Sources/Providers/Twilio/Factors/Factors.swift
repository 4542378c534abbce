import Crypto
import ProviderKit

// The resource `/Factors` of an entity. Source: contract 9.2, 11.2, 11.4 and 11.5.

/// Creates a factor that is not verified yet, and its entity if there is none. `token`: the mobile app's.
func createFactor(_ context: RequestContext, _ token: AccessToken?) throws -> Response {
  let form = try FactorForm(context)
  guard let name = try form.friendlyName() else { throw APIError.missingParameter("FriendlyName") }
  let kind = try form.kind()
  let identity = context.request[parameter: "identity"]
  if let token {
    guard token.identity.lowercased() == identity.lowercased(), kind == .push else {
      throw APIError(code: 60313).because("the access token is for a push factor of \(token.identity)")
    }
  }
  guard Entity.isIdentity(identity) else {
    throw APIError.invalidFactorParameter("Identity", expected: Entity.identityFormat)
  }
  var factor = Factor()
  factor.friendlyName = name
  factor.kind = kind
  factor.metadata = try form.texts("Metadata")
  if kind == .push {
    factor.push = try form.newPush()
  } else {
    factor.totp = try form.newTOTP(for: context.service)
  }
  try factor.enrol(identity, in: context)
  return .json(201, factor.body(for: context, isNew: true))
}

func listFactors(_ context: RequestContext) throws -> Response {
  try Factor.page(of: Entity.named(by: context), context).response(key: "factors", baseURL: context.baseURL) {
    $0.write(to: &$1, for: context)
  }
}

func fetchFactor(_ context: RequestContext, _ device: Factor?) throws -> Response {
  .json(200, try (device ?? Factor.named(by: context)).body(for: context))
}

/// Changes a factor, verifies it, or both.
func updateFactor(_ context: RequestContext, _ device: Factor?) throws -> Response {
  var factor = try device ?? Factor.named(by: context)
  let form = try FactorForm(context)
  let sandbox = context.sandbox
  var changed = factor
  changed.friendlyName = try form.friendlyName() ?? factor.friendlyName
  if var push = factor.push {
    try form.change(&push)
    changed.push = push
  }
  if var totp = factor.totp {
    try form.change(&totp)
    changed.totp = totp
  }
  if let payload = form.form.text("AuthPayload") {
    do {
      try changed.verify(with: payload, at: sandbox.clock.now)
    } catch {
      factor.failures = changed.failures
      try factor.save(in: sandbox)
      throw error
    }
  }
  if form.namesPushToken { try changed.linkDevice(in: sandbox) }
  changed.updatedAt = sandbox.clock.now
  try changed.save(in: sandbox)
  if changed.status != factor.status {
    try FactorEvent.announce(.factorVerified, factor: changed, in: sandbox)
  }
  var response = Response.json(200, changed.body(for: context))
  if changed.failures > factor.failures {
    response.why =
      "AuthPayload: no code of this factor at \(sandbox.clock.now.iso8601), the sandbox's time"
  }
  return response
}

func deleteFactor(_ context: RequestContext, _ device: Factor?) throws -> Response {
  let factor = try device ?? Factor.named(by: context)
  try factor.delete(in: context.sandbox)
  try FactorEvent.announce(.factorDeleted, factor: factor, in: context.sandbox)
  return Response(204)
}

extension Entity {
  /// Source: contract 9.2.
  fileprivate static var factorsPerDay: Int { 100 }

  fileprivate func recentCreations(at now: Timestamp) -> [Timestamp] {
    factorCreations.filter { $0 > now - .seconds(86_400) }
  }
}

extension Factor {
  /// The factor of the path.
  fileprivate static func named(by context: RequestContext) throws -> Factor {
    let sid = context.request[parameter: "factor"]
    let factor = try find(sid, in: context.sandbox)
    guard let factor, try factor.entity == Entity.named(by: context).sid else {
      throw context.notFound("\(context.request[parameter: "identity"]) has no factor \(sid)")
    }
    return factor
  }

  /// Creates the factor, and its entity if there is none.
  @discardableResult
  mutating func enrol(_ identity: String, in context: RequestContext) throws -> Entity {
    let sandbox = context.sandbox
    let existing = try Entity.find(identity, ofService: context.service.sid, in: sandbox)
    if let existing { try requireRoom(in: existing, sandbox) }
    try Self.requireRoom(in: sandbox)
    var entity = try existing ?? Entity.create(identity, in: context)
    entity.factorCreations = entity.recentCreations(at: sandbox.clock.now) + [sandbox.clock.now]
    try entity.save(in: sandbox)
    try create(of: entity, account: context.caller.account, in: sandbox)
    try FactorEvent.announce(.factorCreated, factor: self, in: sandbox)
    return entity
  }

  /// Failed attempts after which it cannot be verified. Source: contract 9.2.
  private static let failureLimit = 5

  /// Fails if the entity has too many factors, or one with this key or secret.
  private func requireRoom(in entity: Entity, _ sandbox: Sandbox) throws {
    guard entity.recentCreations(at: sandbox.clock.now).count < Entity.factorsPerDay else {
      throw APIError(code: 60326).because("the entity had \(Entity.factorsPerDay) new factors in 24 hours")
    }
    let others = try Factor.all(of: entity, in: sandbox).filter { $0.kind == kind }
    let limit = kind == .push ? 20 : 100
    guard others.count < limit else {
      throw APIError(
        code: 60315, message: "Reached max limit of \(limit) \(kind.rawValue) Factors associated per Entity"
      ).because("delete a factor first")
    }
    guard !others.contains(where: { hasSameBinding(as: $0) }) else {
      throw APIError(code: 60317).because("the entity has a factor with this binding")
    }
  }

  private func hasSameBinding(as other: Factor) -> Bool {
    if let push { return push.publicKey == other.push?.publicKey }
    guard let totp, !totp.secret.isEmpty else { return false }
    return totp.secret == other.totp?.secret
  }

  private mutating func create(of entity: Entity, account: String, in sandbox: Sandbox) throws {
    let ordinal = sandbox.nextOrdinal()
    sid = Self.sid(kind, ordinal, in: sandbox)
    self.account = account
    service = entity.service
    self.entity = entity.sid
    identity = entity.identity
    createdAt = sandbox.clock.now
    updatedAt = sandbox.clock.now
    if push != nil {
      push?.credential = sandbox.entropy.labelledIdentifier("CR", ordinal)
      try linkDevice(in: sandbox)
    }
    if totp?.secret.isEmpty == true {
      // 20 bytes.
      totp?.secret = sandbox.tokenEntropy.secret("TOTP secret \(ordinal)", length: 32, of: .base32)
    }
    try save(ordinal: ordinal, in: sandbox)
  }

  /// Verifies the factor with its first answer: a TOTP code, or the DER signature of its SID in base64. A
  /// wrong code changes nothing, a wrong signature is 60311. Source: contract 9.2 and 11.4.
  fileprivate mutating func verify(with payload: String, at now: Timestamp) throws(APIError) {
    guard failures < Self.failureLimit else {
      throw APIError(code: 60310).because("\(Self.failureLimit) attempts have failed")
    }
    if let totp {
      try TOTPConfig.requireCode(payload)
      if totp.counter(of: payload, at: now) != nil { status = .verified } else { failures += 1 }
    } else if let push {
      guard let signature = Base64.decode(payload), let der = Base64.decode(push.publicKey),
        P256PublicKey(der: der)?.accepts(derSignature: signature, of: Array(sid.utf8)) == true
      else {
        failures += 1
        throw APIError(code: 60311).because(
          "AuthPayload: expected the DER signature of \(sid) by the factor's key, in base64")
      }
      status = .verified
    }
  }
}

extension TOTPConfig {
  /// 60300 unless a payload has the form of a code.
  static func requireCode(_ payload: String) throws(APIError) {
    guard codeLengths.contains(payload.utf8.count), payload.utf8.allSatisfy({ $0.isDigit }) else {
      throw .invalidFactorParameter("AuthPayload", expected: "3 to 8 digits")
    }
  }
}
