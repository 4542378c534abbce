import Crypto
import Domain
import HTTP
import JSON
import ProviderKit

// What the clients of aggregators do differently. Source: contract 15.
//
// Whoever does not sign an assertion is such a client: three rules are relaxed for it. Its purpose may be
// joined to a scope by `#`, be in a parameter of its own, or be missing; a hint may have no `tel:`; and a
// number in the body is accepted if it is that of the token.

enum Dialects {
  /// Where the clients of aggregators send requests.
  static let hosts = [
    "network-as-code.p-eu.rapidapi.com", "oidc.idp.vonage.com", "sandbox.opengateway.telefonica.com",
  ]
}

extension Scope {
  /// The standard names of what aggregators call differently.
  static func standardName(of word: String) -> String {
    switch word {
    case "check-sim-swap": "sim-swap:check"
    case "retrieve-sim-swap-date": "sim-swap:retrieve-date"
    case "number-verification-verify-read", "number-verification": "number-verification:verify"
    case "kyc-match": "kyc-match:match"
    default: word
    }
  }

  /// Purpose and scope as words of their own: `dpv:A#check-sim-swap` is `dpv:A sim-swap:check`. Glide joins
  /// them with a colon.
  static func separated(_ text: String) -> String {
    text.split(separator: " ").flatMap { word -> [String] in
      guard word.hasPrefix(Purpose.prefix) else { return [standardName(of: String(word))] }
      let parts = word.dropFirst(Purpose.prefix.count).split(maxSplits: 1) { "#:".contains($0) }
      return [Purpose.prefix + (parts.first ?? "")] + parts.dropFirst().map { standardName(of: String($0)) }
    }.joined(separator: " ")
  }
}

extension LoginHint {
  /// A hint with or without `tel:`.
  init?(lenient text: String) {
    let rest = text.hasPrefix("phone_number:") ? String(text.dropFirst("phone_number:".count)) : text
    if let number = PhoneNumber(rest) { self = .number(number) } else { self.init(text) }
  }
}

/// Sign-ins of clients that send no assertion.
extension OAuthContext {
  /// The application of a token in the `Authorization` header that it has signed itself (Vonage).
  func signedApplication() throws -> Client? {
    guard case .token(let text) = BearerToken(request.headers), let token = ClientToken(text),
      let id = token.application
    else { return nil }
    guard let client = try Client.find(id, in: sandbox) else { return try unknownClient(id, in: sandbox) }
    guard try token.isSigned(by: client, in: sandbox), token.isUnexpired(sandbox.clock) else {
      throw OAuthError(.invalidClient, "The token of the application is not valid.")
        .because("no key of application \(id) signed it, or it has expired")
    }
    return client
  }
}

/// The key in `x-rapidapi-key`, which is the secret of a client (Nokia).
enum APIKey {
  /// The token that the key stands for: one without a subscriber, or that of the code in the query, which the
  /// server exchanges itself. Nil for a request without a key.
  static func token(_ request: Request, in sandbox: Sandbox) throws -> AccessToken? {
    guard let key = request.headers["x-rapidapi-key"] else { return nil }
    guard let client = try client(withKey: key, in: sandbox) else {
      throw APIError(.unauthenticated).because("x-rapidapi-key: not the secret of a client")
    }
    let query = try request.query
    query.declare(["state"])
    if let code = query["code"] { return try token(forCode: code, of: client, in: sandbox) }
    guard request.headers.bytes(of: "Authorization") == nil else { return nil }
    var token = AccessToken()
    token.clientID = client.id
    token.scope.names = client.scopes ?? Scope.supported
    token.isLenient = true
    return token
  }

  private static func token(
    forCode text: String, of client: Client, in sandbox: Sandbox
  ) throws -> AccessToken {
    guard var authorization = try Authorization.find(text, in: sandbox), let code = authorization.code,
      authorization.clientID == client.id, !code.isUsed, !authorization.isRevoked,
      sandbox.clock.now < code.expiresAt
    else {
      throw APIError(.unauthenticated).because("code: not one of client \(client.id) that is valid")
    }
    authorization.code?.isUsed = true
    try authorization.save(in: sandbox)
    var token = AccessToken(of: authorization)
    token.isLenient = true
    return token
  }

  /// An open sandbox accepts unknown keys as those of its first client.
  private static func client(withKey key: String, in sandbox: Sandbox) throws -> Client? {
    let clients = try sandbox.accounts.all(of: CAMARAProvider.name)
    let known = clients.first { !$0.secret.isEmpty && constantTimeEqual($0.secret, key) }
    guard let id = (known ?? (sandbox.acceptsUnknownAccounts ? clients.first : nil))?.name else { return nil }
    return try Client.find(id, in: sandbox)
  }
}

/// `GET /oauth2/v1/auth/clientcredentials`: the client of an API key (Nokia).
func fetchClientCredentials(_ request: Request, in sandbox: Sandbox) throws -> Response {
  guard let token = try APIKey.token(request, in: sandbox),
    let known = try sandbox.accounts.find(token.clientID, of: CAMARAProvider.name)
  else { throw APIError(.unauthenticated).because("expected x-rapidapi-key") }
  return .uncachedJSON { json in
    json.member("client_id", known.name)
    json.member("client_secret", known.secret)
  }
}
