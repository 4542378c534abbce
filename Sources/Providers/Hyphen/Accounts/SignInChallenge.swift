import Crypto
import ProviderKit

/// A text that a key signs to sign in. Source: contract 4.6 and 5.1.
struct SignInChallenge: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case deviceKey, recoveryKey
  }

  var kind = Kind.deviceKey
  var account = ""
  var publicKey = ""
  var chain = Chain.testnet
  var expiresAt = Timestamp.earliest

  static let lifetime = Duration.seconds(300)
  /// Unanswered ones of an account; older ones are unknown.
  private static let limitPerAccount = 100

  private static let table = RecordTable(
    "challenge", of: HyphenProvider.name,
    Schema<SignInChallenge>([
      .required("kind", \.kind, .word),
      .required("account", \.account, .string),
      .required("publicKey", \.publicKey, .string),
      .required("chain", \.chain, .word),
      .required("expiresAt", \.expiresAt, .preciseTimestamp),
    ])
  ) { SignInChallenge() }

  /// Saves the challenge; returns its text.
  func create(in sandbox: Sandbox) throws -> String {
    let ordinal = sandbox.nextOrdinal()
    let data = [0, 1].map { sandbox.entropy.identifier("hyphen challenge", ordinal, $0) }.joined()
    try Self.table.add(
      self, as: data, group: account, ordinal: ordinal, keeping: Self.limitPerAccount, in: sandbox)
    return data
  }

  /// The challenge with this text, which cannot be answered again.
  static func take(_ data: String, in sandbox: Sandbox) throws -> SignInChallenge? {
    guard let challenge = try table.find(data, in: sandbox) else { return nil }
    try table.delete(data, in: sandbox)
    return challenge
  }
}

/// `POST /auth/v1/signin/challenge`. A key that the account does not have is refused, and the SDK asks for
/// approval. Source: contract 2.
func createChallenge(_ context: RequestContext) throws -> Response {
  let body = try context.body
  var challenge = SignInChallenge()
  challenge.kind = try body.value("challengeType", .word)
  let identity = try body.object("request")
  let user = try FirebaseIdentity(identity, in: context.sandbox)
  challenge.chain = try Chain.named(in: identity, of: context)
  let publicKey = try body.value("publicKey", .publicKey)
  let account = try Account.require(user, in: context.sandbox)
  let key = try Key.find(publicKey, of: account.id, in: context.sandbox)
  guard let key, key.kind == (challenge.kind == .deviceKey ? .user : .recovery) else {
    let known = key.map { "a \($0.kind.rawValue)" } ?? "no key"
    throw APIError.invalid("publicKey", expected: "a key of the account for \(challenge.kind.rawValue)")
      .because("publicKey: \(known) of \(user.email); expected one for \(challenge.kind.rawValue)")
  }
  challenge.account = account.id
  challenge.publicKey = key.publicKey
  challenge.expiresAt = context.now + SignInChallenge.lifetime
  let data = try challenge.create(in: context.sandbox)
  return .json(200) {
    $0.member("challengeData", data)
    $0.member("expiresAt", challenge.expiresAt.iso8601Milliseconds)
  }
}

/// `POST /auth/v1/signin/challenge/respond`
func respondToChallenge(_ context: RequestContext) throws -> Response {
  let (body, sandbox) = (try context.body, context.sandbox)
  let kind = try body.value("challengeType", FieldType<SignInChallenge.Kind>.word)
  let data = try body.value("challengeData", .string(1...255))
  let answer = try body.object(kind.rawValue)
  let signature = try answer.value("signature", .string(1...255))
  let newKey = kind == .recoveryKey ? try UserKey("newDeviceKey", in: answer) : nil
  guard let challenge = try SignInChallenge.take(data, in: sandbox), challenge.kind == kind,
    let account = try Account.find(challenge.account, in: sandbox),
    let key = try Key.find(challenge.publicKey, of: account.id, in: sandbox)
  else { throw APIError(.challengeInvalid).because("challengeData: no challenge for \(kind.rawValue)") }
  guard context.now < challenge.expiresAt else {
    throw APIError(.challengeExpired).because("it expired at \(challenge.expiresAt.iso8601)")
  }
  if let complaint = key.complaint(about: signature, of: data, context.settings.profile) {
    throw APIError(.invalidSignature).because("signature: \(complaint)")
  }
  try account.requireDeployed(on: challenge.chain)
  guard let newKey else { return try SignIn(Session(account: account, key: key)).response(to: context) }
  let added = try account.add(newKey, of: AppName(context.app), in: sandbox)
  if let device = added.device { try device.linkPushToken(of: context.app, in: sandbox) }
  let id = Hex.encode(SHA256.hash(Array(data.utf8)))
  return try SignIn(Session(account: account, key: added), Transaction(id: id, chain: challenge.chain))
    .response(to: context)
}

extension Key {
  /// What is wrong with a signature of a text; nil if it is accepted. A key of 128 digits verifies it. Other
  /// keys accept what looks like a signature, except in the strict profile. Source: contract 4.6.
  fileprivate func complaint(
    about signature: String, of text: String, _ profile: Settings.Profile
  ) -> String? {
    guard signature.utf8.count == 128, let bytes = Hex.decode(signature.utf8) else {
      return "expected r and s, 128 hex digits"
    }
    if bytes.allSatisfy({ $0 == 0 }) { return "all zeros" }
    guard publicKey.utf8.count == 128 else {
      return profile == .strict ? "the public key has \(publicKey.utf8.count) digits, not 128" : nil
    }
    guard let key = P256PublicKey(hex: publicKey) else { return "the public key is not a point of P-256" }
    return key.accepts(rawSignature: bytes, of: Array(text.utf8))
      ? nil : "expected ECDSA with SHA-256 over the text of challengeData, by this key"
  }
}

extension P256PublicKey {
  /// The key at a point of 128 hex digits; nil for other texts.
  convenience init?(hex: String) {
    guard hex.utf8.count == 128, let point = Hex.decode(hex.utf8) else { return nil }
    self.init(x: Array(point.prefix(32)), y: Array(point.suffix(32)))
  }

  /// The point in 128 hex digits.
  var hex: String { Hex.encode(der.suffix(64)) }
}
