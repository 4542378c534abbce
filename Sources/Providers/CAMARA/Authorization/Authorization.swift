import Crypto
import ProviderKit

/// What a subscriber lets a client know: the origin of its tokens. Source: contract 3.8.
struct Authorization: StoredRecord, Equatable {
  /// How the subscriber was recognised.
  enum Method: String, CaseIterable, Sendable {
    /// By the network that carried the request.
    case network
    /// By a token of the SIM card.
    case sim
    /// By the client's word.
    case number
  }

  /// 32 hex digits; those of the code.
  var id = ""
  var clientID = ""
  var scope = Scope()
  var number: PhoneNumber?
  var method = Method.number
  var nonce: String?
  var createdAt = Timestamp.earliest
  /// Nil without a code.
  var code: Code?
  /// True once its tokens are void.
  var isRevoked = false

  /// What is asked when a client exchanges the code. Source: contract 3.4.
  struct Code: Equatable, Sendable {
    var redirectURI = ""
    /// The SHA-256 of the verifier (RFC 7636); nil without PKCE.
    var challenge: String?
    var expiresAt = Timestamp.earliest
    var isUsed = false
    /// True if the client need not send its redirect URI again: see `Dialects.swift`.
    var isLenient = false

    fileprivate static let schema = Schema<Code>([
      .required("redirectUri", \.redirectURI, .string),
      .optional("challenge", \.challenge, .string),
      .required("expiresAt", \.expiresAt, .timestamp),
      .required("used", \.isUsed, .boolean),
      .field("lenient", \.isLenient, .boolean, default: false),
    ])
  }

  private static let schema = Schema<Authorization>([
    .required("id", \.id, .string),
    .required("client", \.clientID, .string),
    .nested("scope", \.scope, Scope.schema),
    .optional("number", \.number, .phoneNumber),
    .required("method", \.method, .word),
    .optional("nonce", \.nonce, .string),
    .required("createdAt", \.createdAt, .timestamp),
    .nullableNested("code", \.code, Code.schema, from: { Code() }),
    .required("revoked", \.isRevoked, .boolean),
  ])

  var key: String { id }
  static let table = RecordTable("authorization", of: CAMARAProvider.name, schema) {
    Authorization()
  }

  /// Older ones are deleted.
  private static let limitPerClient = 10_000

  /// Keeps a new authorization. `ordinal`: what its id is made from.
  mutating func create(as ordinal: Int, in sandbox: Sandbox) throws {
    id = Self.id(ordinal, in: sandbox)
    createdAt = sandbox.clock.now
    try Self.table.add(
      self, as: id, group: clientID, ordinal: ordinal, keeping: Self.limitPerClient, in: sandbox)
  }

  static func id(_ ordinal: Int, in sandbox: Sandbox) -> String {
    sandbox.tokenEntropy.identifier("authorization", ordinal)
  }

  /// Voids all tokens that came from it.
  mutating func revoke(in sandbox: Sandbox) throws {
    isRevoked = true
    try save(in: sandbox)
  }

  /// True if the subscriber has not withdrawn the consent.
  func hasConsent(in sandbox: Sandbox) throws -> Bool {
    guard let number else { return false }
    return try Permission.answer(of: number, to: scope, in: sandbox) == .granted
  }
}

/// Why a code is not exchanged.
struct CodeRefusal: Error {
  let why: String
}

extension Authorization {
  /// The authorization of a client's code, which cannot be used again. Throws `CodeRefusal`. `redirectURI`
  /// has the client's; nil: any is accepted. Without a `verifier`, none but a code without a challenge.
  static func exchange(
    code text: String, of client: Client, redirectURI: (Code) throws -> String?,
    verifier: @autoclosure () throws -> String?, in sandbox: Sandbox
  ) throws -> Authorization {
    guard var authorization = try find(text, in: sandbox), authorization.clientID == client.id,
      let code = authorization.code
    else { throw CodeRefusal(why: "no such code of client \(client.id)") }
    guard !code.isUsed else {
      try authorization.revoke(in: sandbox)
      throw CodeRefusal(why: "it was used before; now its tokens are void")
    }
    guard sandbox.clock.now < code.expiresAt else {
      throw CodeRefusal(why: "it expired at \(code.expiresAt.iso8601)")
    }
    guard try redirectURI(code).map({ $0 == code.redirectURI }) ?? true else {
      throw CodeRefusal(why: "redirect_uri: expected \(code.redirectURI), as before")
    }
    guard try verifier().map({ Base64.encodeForURL(SHA256.hash(Array($0.utf8))) }) == code.challenge else {
      throw CodeRefusal(why: "code_verifier: not the one of code_challenge")
    }
    authorization.code?.isUsed = true
    try authorization.save(in: sandbox)
    return authorization
  }
}
