import Crypto
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

  /// The standard names of what aggregators call differently.
  private static func standardName(of word: Substring) -> String {
    switch word {
    case "check-sim-swap": "sim-swap:check"
    case "retrieve-sim-swap-date": "sim-swap:retrieve-date"
    case "number-verification-verify-read", "number-verification": "number-verification:verify"
    case "kyc-match": "kyc-match:match"
    default: String(word)
    }
  }

  /// Purpose and scope as words of their own: `dpv:A#check-sim-swap` is `dpv:A sim-swap:check`. Glide joins
  /// them with a colon.
  static func scope(_ text: String) -> String {
    text.split(separator: " ").flatMap { word -> [String] in
      guard word.hasPrefix(Purpose.prefix) else { return [standardName(of: word)] }
      let parts = word.dropFirst(Purpose.prefix.count).split(maxSplits: 1) { "#:".contains($0) }
      return [Purpose.prefix + (parts.first ?? "")] + parts.dropFirst().map(standardName)
    }.joined(separator: " ")
  }

  /// A hint with or without `tel:`.
  static func loginHint(_ text: String) -> LoginHint? {
    let rest = text.hasPrefix("phone_number:") ? String(text.dropFirst("phone_number:".count)) : text
    return PhoneNumber(rest).map { .number($0) } ?? LoginHint(text)
  }

  /// True for clients that send any text as the redirect URI of their code: Vonage's, and Telefónica's at a
  /// path of their own.
  static func takeAnyRedirectURI(_ signIn: SignIn, _ context: OAuthContext) -> Bool {
    signIn == .application || signIn.isLenient && context.request.target.path == "/token"
  }

  /// A token in the `Authorization` header that an application has signed itself (Vonage).
  static func applicationToken(of context: OAuthContext) -> ClientToken? {
    guard case .token(let text) = BearerToken(context.request.headers) else { return nil }
    return ClientToken(text).flatMap { $0.application == nil ? nil : $0 }
  }

  /// The application of that token.
  static func application(of context: OAuthContext) throws -> Client {
    let sandbox = context.sandbox
    guard let token = applicationToken(of: context), let id = token.application else {
      throw OAuthError(.invalidClient, "The client did not sign in.")
    }
    guard let client = try Client.known(id, in: sandbox) else { return try Client.unknown(id, in: sandbox) }
    let isSigned = try token.isSigned(by: client, in: sandbox)
    let problem = isSigned ? token.expiryProblem(sandbox.clock) : "no key of application \(id) signed it"
    guard let problem else { return client }
    throw OAuthError(.invalidClient, "The token of the application is not valid.").because(problem)
  }
}

/// The key in `x-rapidapi-key`, which is the secret of a client (Nokia).
enum APIKey {
  /// The token that the key stands for: one without a subscriber, or that of the code in the query, which the
  /// server exchanges itself. Nil for a request without a key.
  static func token(_ request: Request, in sandbox: Sandbox) throws -> AccessToken? {
    guard let key = request.headers[header] else { return nil }
    let client = try client(withKey: key, in: sandbox)
    let query = try request.query
    query.declare(["state"])
    if let code = query["code"] {
      try require(.authorizationCode, of: client)
      return try token(forCode: code, of: client, in: sandbox)
    }
    guard request.headers.bytes(of: "Authorization") == nil else { return nil }
    try require(.clientCredentials, of: client)
    var token = AccessToken()
    token.clientID = client.id
    token.scope.names = client.scopes ?? Scope.supported
    token.isLenient = true
    return token
  }

  private static func token(
    forCode text: String, of client: Client, in sandbox: Sandbox
  ) throws -> AccessToken {
    do {
      // This client does not send its redirect URI again, and has no verifier.
      var token = AccessToken(
        of: try Authorization.exchange(
          code: text, of: client, redirectURI: { _ in nil }, verifier: nil, in: sandbox))
      token.isLenient = true
      return token
    } catch let refusal as CodeRefusal {
      throw APIError(.unauthenticated).because("code: \(refusal.why)")
    }
  }

  private static func require(_ grant: Grant, of client: Client) throws(APIError) {
    guard client.grants.contains(grant) else {
      throw APIError(.unauthenticated).because("client \(client.id) has no grant \(grant.rawValue)")
    }
  }

  /// An open sandbox accepts unknown keys as those of its first client.
  fileprivate static func client(withKey key: String, in sandbox: Sandbox) throws -> Client {
    guard try Settings.current(in: sandbox).clientAuth == .any else {
      throw APIError(.unauthenticated).because("\(header): clients must sign in with private_key_jwt")
    }
    let clients = try sandbox.accounts.all(of: CAMARAProvider.name)
    let known = clients.first { !$0.secret.isEmpty && constantTimeEqual($0.secret, key) }
    guard let id = (known ?? (sandbox.acceptsUnknownAccounts ? clients.first : nil))?.name,
      let client = try Client.find(id, in: sandbox)
    else { throw APIError(.unauthenticated).because("\(header): not the secret of a client") }
    return client
  }

  fileprivate static let header: StaticString = "x-rapidapi-key"
}

/// `GET /oauth2/v1/auth/clientcredentials`: the client of an API key (Nokia).
func fetchClientCredentials(_ request: Request, in sandbox: Sandbox) throws -> Response {
  guard let key = request.headers[APIKey.header] else {
    throw APIError.noCredentials.because("expected \(APIKey.header)")
  }
  let client = try APIKey.client(withKey: key, in: sandbox)
  return OAuthContext.response { json in
    json.member("client_id", client.id)
    // Not that of the client: a key that is accepted although nobody knows it is no proof of it.
    json.member("client_secret", key)
  }
}
