import Domain
import HTTP
import JSON
import ProviderKit

/// What a client asks of the front end: the parameters of `authorize`. Source: contract 3.4.
struct AuthorizationRequest: Equatable, Sendable {
  var clientID = ""
  var redirectURI = ""
  var scope = Scope()
  var state: String?
  var nonce: String?
  /// The SHA-256 of the verifier (RFC 7636).
  var challenge: String?
  /// True if no page may be shown.
  var isSilent = false
  /// The number that the client expects.
  var hint: PhoneNumber?

  /// Kept while the handset is on its way.
  static let schema = Schema<AuthorizationRequest>([
    .required("client", \.clientID, .string),
    .required("redirectUri", \.redirectURI, .string),
    .nested("scope", \.scope, Scope.schema),
    .optional("state", \.state, .string),
    .optional("nonce", \.nonce, .string),
    .optional("challenge", \.challenge, .string),
    .required("silent", \.isSilent, .boolean),
    .optional("hint", \.hint, .phoneNumber),
  ])

  /// Longer texts are refused, because they come back in URLs.
  private static let textLimit = 2000

  private init() {}

  init(stored details: String) throws {
    try Self.schema.merge(Fields(Array(details.utf8)), into: &self)
  }

  init(_ context: OAuthContext, _ client: Client, redirectURI: String, isLenient: Bool) throws {
    clientID = client.id
    self.redirectURI = redirectURI
    let parameters = try Parameters(context, client, audiences: [context.issuer])
    guard client.grants.contains(.authorizationCode) else {
      throw OAuthError(.unauthorizedClient, "The client may not use this flow.")
    }
    guard try context.required("response_type") == "code" else {
      throw OAuthError(.unsupportedResponseType, "Only the response type code is supported.")
    }
    let purpose = isLenient ? try parameters.text("purpose") : nil
    scope = try Scope(
      [try context.required("scope"), purpose].compactMap(\.self).joined(separator: " "), of: client,
      context.settings, isLenient: isLenient)
    if !isLenient { try scope.requirePurpose() }
    try parameters.requireOpenID(scope)
    (state, nonce) = (try parameters.text("state"), try parameters.text("nonce"))
    challenge = try parameters.text("code_challenge")
    if let method = try parameters.text("code_challenge_method") ?? challenge.map({ _ in "plain" }),
      method != "S256"
    {
      throw OAuthError.invalid("code_challenge_method", expected: "S256")
    }
    if let challenge, challenge.utf8.count != 43 || !challenge.utf8.allSatisfy(Self.isBase64URL) {
      throw OAuthError.invalid("code_challenge", expected: "a SHA-256 in base64url")
    }
    guard isLenient || challenge != nil || state != nil && nonce != nil else {
      throw OAuthError(.invalidRequest, "Without PKCE, state and nonce are required.")
    }
    isSilent = try parameters.text("prompt") == "none" || scope.isForNumberVerification
    hint = try parameters.text("login_hint").flatMap { LoginHint.number(in: $0) }
    for text in [state, nonce] where text.map({ $0.utf8.count > Self.textLimit }) ?? false {
      throw OAuthError(.invalidRequest, "state and nonce may have \(Self.textLimit) bytes at most.")
    }
  }

  private static func isBase64URL(_ byte: UInt8) -> Bool { byte.isAlphanumeric || "-_".utf8.contains(byte) }

  /// Parameters of the request, or of the object that it carries. Source: contract 3.4.
  struct Parameters {
    private let context: OAuthContext
    private let claims: Fields?

    /// Those of OpenID that have no effect.
    private static let ignored = [
      "acr_values", "max_age", "display", "ui_locales", "binding_message", "user_code", "requested_expiry",
      "claims",
    ]
    /// Those that count only inside of a request object.
    private static let names = [
      "state", "nonce", "code_challenge", "code_challenge_method", "prompt", "login_hint",
    ]

    /// Fails for a request object that is not valid.
    init(_ context: OAuthContext, _ client: Client, audiences: [String]) throws {
      self.context = context
      context.form.declare(Request.sandboxFields + Self.ignored + Self.names)
      if try context.parameter("request_uri") != nil {
        throw OAuthError(.requestURINotSupported, "request_uri is not supported.")
      }
      guard let text = try context.parameter("request") else {
        claims = nil
        return
      }
      func refuse(_ why: String) -> OAuthError {
        OAuthError(.invalidRequestObject, "The request object is not valid.").because(why)
      }
      let sandbox = context.sandbox
      guard let token = ClientToken(text) else {
        throw refuse("expected a JSON Web Token with RS256, ES256 or PS256")
      }
      guard token.issuer == client.id else { throw refuse("iss: expected \(client.id)") }
      guard try token.isSigned(by: client, in: sandbox) else {
        throw refuse("no key of the client signed it")
      }
      if let problem = token.timeProblem(sandbox.clock, needsIssue: true) { throw refuse(problem) }
      guard token.audience.contains(where: audiences.contains) else {
        throw refuse("aud: expected \(audiences.joined(separator: " or "))")
      }
      for name in ["scope", "response_type", "client_id", "redirect_uri"] {
        let inside = try? token.claims.optionalString(name)
        guard inside == nil || inside == context.form[name] else {
          throw refuse("\(name): not the same as outside of the object")
        }
      }
      if let problem = try token.spend(of: client, in: sandbox) { throw refuse(problem) }
      claims = token.claims
    }

    /// Claims are of ID tokens, which need the scope openid. Source: contract 3.3.
    func requireOpenID(_ scope: Scope) throws {
      guard !scope.isOpenID else { return }
      if try claims?.has("claims") ?? (context.parameter("claims") != nil) {
        throw OAuthError.invalid("claims", expected: "the scope openid with it")
      }
    }

    func text(_ name: String) throws -> String? {
      guard let claims else { return try context.parameter(name) }
      return (try? claims.optionalString(name)).flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}

extension AuthorizationRequest {
  /// The client's URL with the outcome.
  func redirect(_ fields: [(String, String)]) -> Response {
    Self.redirect(to: redirectURI, fields + (state.map { [("state", $0)] } ?? []))
  }

  func redirect(_ error: OAuthError) -> Response {
    var response = redirect([("error", error.error), ("error_description", error.description)])
    response.why = error.why
    return response
  }

  static func redirect(to uri: String, _ fields: [(String, String)]) -> Response {
    let query = fields.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
    return Response(
      302,
      headers: [
        "Location": "\(uri)\(uri.contains("?") ? "&" : "?")\(query)", "Cache-Control": "no-store",
      ])
  }
}
