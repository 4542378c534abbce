import ProviderKit

/// What a client shows to an API, and what the sandbox knows about it. Source: contract 3.8.
///
/// The client sees 32 hex digits, a dot and its own id, which tells the sandbox of the request.
struct AccessToken: Equatable, Sendable {
  /// The 32 hex digits.
  var id = ""
  var clientID = ""
  var scope = Scope()
  /// The subscriber; nil for a token with two legs, which names nobody.
  var number: PhoneNumber?
  /// True if the network or the SIM card has proved the number.
  var isFromNetwork = false
  /// The id of the authorization that it came from, if that can be revoked.
  var authorization: String?
  /// True if an API takes it only once.
  var isSingleUse = false
  /// True for a client that may name the number although the token does. See `Dialects.swift`.
  var isLenient = false
  var issuedAt = Timestamp.earliest
  var expiresAt = Timestamp.earliest

  private static let schema = Schema<AccessToken>([
    .required("id", \.id, .string),
    .required("client", \.clientID, .string),
    .nested("scope", \.scope, Scope.schema),
    .optional("number", \.number, .phoneNumber),
    .required("fromNetwork", \.isFromNetwork, .boolean),
    .optional("authorization", \.authorization, .string),
    .required("singleUse", \.isSingleUse, .boolean),
    .field("lenient", \.isLenient, .boolean, default: false),
    .required("issuedAt", \.issuedAt, .timestamp),
    .required("expiresAt", \.expiresAt, .timestamp),
  ])

  private static let table = RecordTable("access token", of: CAMARAProvider.name, schema) { AccessToken() }

  /// Older ones are deleted.
  private static let limitPerClient = 10_000

  /// The scopes of APIs.
  var scopes: [String] {
    get { scope.names }
    set { scope.names = newValue }
  }

  /// With its prefix `dpv:`.
  var purpose: String? {
    get { scope.purpose }
    set { scope.purpose = newValue }
  }

  var isThreeLegged: Bool { number != nil }

  /// What the client sends.
  var text: String { TokenText.text(of: id, for: clientID) }

  /// Gives the token its id and times, and keeps it.
  mutating func issue(for lifetime: Duration, in sandbox: Sandbox) throws {
    let ordinal = sandbox.nextOrdinal()
    id = sandbox.tokenEntropy.identifier("access token", ordinal)
    issuedAt = sandbox.clock.now
    expiresAt = issuedAt + lifetime
    try Self.table.add(
      self, as: id, group: clientID, ordinal: ordinal, keeping: Self.limitPerClient, in: sandbox)
  }

  /// Nil for a text that is no token of this sandbox, or one that has expired or was revoked.
  static func find(_ text: String, in sandbox: Sandbox) throws -> AccessToken? {
    guard let id = TokenText.id(in: text), let token = try table.find(id, in: sandbox), token.text == text,
      sandbox.clock.now < token.expiresAt
    else { return nil }
    if let origin = token.authorization, try Authorization.find(origin, in: sandbox)?.isRevoked == true {
      return nil
    }
    return token
  }

  func revoke(in sandbox: Sandbox) throws { try Self.table.delete(id, in: sandbox) }

  /// The token of a request to an API. Source: contract 2.3.
  static func authenticate(_ request: Request, in sandbox: Sandbox) throws -> AccessToken {
    if let token = try APIKey.token(request, in: sandbox) { return token }
    guard case .token(let text) = BearerToken(request.headers) else {
      throw APIError.noCredentials.because("expected an Authorization header with a Bearer token")
    }
    guard let token = try find(text, in: sandbox) else {
      throw APIError(.unauthenticated)
        .because("not an access token of sandbox \(sandbox.name), or one that has expired or was revoked")
    }
    return token
  }
}

extension AccessToken {
  /// Not issued yet.
  init(of authorization: Authorization) {
    self.init()
    clientID = authorization.clientID
    scope = authorization.scope
    number = authorization.number
    isFromNetwork = authorization.method != .number
  }
}

/// The texts of tokens: 32 hex digits, a dot and the client's id.
enum TokenText {
  static func text(of id: String, for clientID: String) -> String { "\(id).\(clientID)" }

  /// Nil for texts of another form.
  static func id(in text: String) -> String? { parts(of: text)?.id }

  static func client(in text: String) -> String? { parts(of: text)?.client }

  private static func parts(of text: String) -> (id: String, client: String)? {
    guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
    let id = text[..<dot]
    guard id.utf8.count == 32, id.utf8.allSatisfy({ $0.isHexDigit }) else { return nil }
    return (String(id), String(text[text.utf8.index(after: dot)...]))
  }
}
