import Crypto
import ProviderKit
import WebAuthn

// Passkeys as factors. Source: contract 12.

/// Creates a factor that is not verified yet, and the options for the browser's registration.
func createPasskeysFactor(_ context: RequestContext) throws -> Response {
  let form = try PasskeyForm(context.request)
  var factor = Factor()
  factor.kind = .passkeys
  factor.friendlyName = try form.requiredText("friendly_name", error: 60388)
  guard factor.friendlyName.count <= 64 else {
    throw APIError(code: 60388).because("friendly_name: expected at most 64 characters")
  }
  let identity = try form.requiredText("identity", error: 60367)
  guard Entity.isIdentity(identity) else {
    throw APIError(code: 60367).because("identity: expected \(Entity.identityFormat)")
  }
  factor.passkey = try form.passkey(of: context.service)
  let entity = try factor.enrol(identity, in: context)
  let known = try entity.passkeys(in: context.sandbox).compactMap(\.passkey?.credential)
  return .json(201, factor.passkeyBody(for: context, excluding: known))
}

/// Verifies a factor with the browser's registration. The factor is the one whose SID is the ceremony's
/// challenge.
func verifyPasskeysFactor(_ context: RequestContext) throws -> Response {
  let answer = try PasskeyAnswer(PasskeyForm(context.request), requiresID: false)
  let sandbox = context.sandbox
  let sid = try answer.sid(.factor, error: 60362)
  guard var factor = try Factor.find(sid, in: sandbox), factor.service == context.service.sid,
    var passkey = factor.passkey
  else { throw APIError(code: 60390).because("clientDataJSON: no passkey \(sid)") }
  guard factor.status == .unverified else {
    throw APIError(code: 60383).because("\(factor.sid) is verified already")
  }
  let object = try answer.response.bytes("attestationObject", error: 60386)
  let registration: PasskeyRegistration
  do {
    registration = try PasskeyRegistration(
      clientData: answer.clientData, attestationObject: object, challenge: Array(factor.sid.utf8),
      relyingParty: passkey.relyingParty)
  } catch { throw APIError(error) }
  guard registration.credentialID == answer.credential else {
    throw APIError(code: 60376).because("rawId: expected the id in the attestation object")
  }
  let credential = Base64.encodeForURL(registration.credentialID)
  guard try Factor.find(passkey: credential, in: sandbox) == nil else {
    throw APIError(code: 60317).because("rawId: a factor has this passkey")
  }
  passkey.credential = credential
  passkey.publicKey = Base64.encode(registration.publicKey)
  passkey.signCount = registration.signCount
  factor.passkey = passkey
  factor.status = .verified
  factor.updatedAt = sandbox.clock.now
  try factor.save(in: sandbox)
  try factor.indexPasskey(in: sandbox)
  try FactorEvent.announce(.factorVerified, factor: factor, in: sandbox)
  return .json(200, factor.body(for: context))
}

extension PasskeyForm {
  /// The settings of `config`, each by default the Service's.
  fileprivate func passkey(of service: Service) throws(APIError) -> PasskeyConfig {
    let config = try object("config", error: 60370)
    let party = try config.object("relying_party", error: 60371).relyingParty()
    var passkey = if let party { party } else { try PasskeyConfig(service) }
    passkey.setCriteria(of: service)
    passkey.attachment =
      try config.word("authenticator_attachment", of: PasskeyConfig.Attachment.self, error: 60370)
      ?? passkey.attachment
    passkey.discoverableCredentials =
      try config.word("discoverable_credentials", of: PasskeyConfig.Need.self, error: 60370)
      ?? passkey.discoverableCredentials
    passkey.userVerification =
      try config.word("user_verification", of: PasskeyConfig.Need.self, error: 60370)
      ?? passkey.userVerification
    try passkey.requireCriteria()
    return passkey
  }

  /// Nil for an object without values, which twilio-go always sends.
  private func relyingParty() throws(APIError) -> PasskeyConfig? {
    let (domain, name) = (try text("id", error: 60372), try text("name", error: 60371))
    let origins = try texts("origins", error: 60371) ?? []
    guard domain != nil || name != nil || !origins.isEmpty else { return nil }
    guard origins.count <= 20, origins.allSatisfy({ $0.utf8.count <= 255 }) else {
      throw APIError(code: 60371).because("origins: expected at most 20 of at most 255 characters")
    }
    return try PasskeyConfig(domain: domain, name: name, origins: origins)
  }
}

extension PasskeyConfig {
  /// The text of 60393 names what is missing.
  /// Source: https://www.twilio.com/docs/api/errors/60393, read 2026-11-28
  fileprivate func requireCriteria() throws(APIError) {
    let missing = [
      attachment == nil ? "authenticator_attachment" : nil,
      discoverableCredentials == nil ? "discoverable_credentials" : nil,
      userVerification == nil ? "user_verification" : nil,
    ].compactMap { $0 }
    guard !missing.isEmpty else { return }
    let names = missing.joined(separator: ", ")
    throw APIError(code: 60393, message: "\(APIError(code: 60393).message): \(names)")
      .because("config: missing \(names); neither config nor the Service's Passkeys.* parameters have them")
  }
}

extension Factor {
  /// From the id of a credential, in base64url, to the SID of its factor.
  private static let credentials = RecordTable(texts: "passkey", of: TwilioProvider.name, member: "factor")

  /// The verified factor with this credential.
  static func find(passkey credential: String, in sandbox: Sandbox) throws -> Factor? {
    try credentials.find(credential, in: sandbox).flatMap { try find($0, in: sandbox) }
  }

  fileprivate func indexPasskey(in sandbox: Sandbox) throws {
    guard let credential = passkey?.credential else { return }
    try Self.credentials.save(sid, as: credential, in: sandbox)
  }

  func forgetPasskey(in sandbox: Sandbox) throws {
    guard let credential = passkey?.credential else { return }
    try Self.credentials.delete(credential, in: sandbox)
  }

  fileprivate func passkeyBody(for context: RequestContext, excluding known: [String]) -> [UInt8] {
    JSONWriter.object { json in
      write(to: &json, for: context, isNew: true) {
        passkey?.write(
          options: &$0, .registration, of: sid, user: PasskeyUser(entity: entity, name: friendlyName),
          credentials: known)
      }
    }
  }
}

extension Entity {
  /// Its verified passkeys, oldest first.
  func passkeys(in sandbox: Sandbox) throws -> [Factor] {
    try Factor.all(of: self, in: sandbox).filter { $0.kind == .passkeys && $0.status == .verified }
  }
}
