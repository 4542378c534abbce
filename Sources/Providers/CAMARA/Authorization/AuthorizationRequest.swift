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
  /// True if the subscriber is asked even if the record has an answer.
  var asksAgain = false
  /// True for a request to a path of an aggregator: see `Dialects.swift`.
  var isLenient = false
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
    .field("asksAgain", \.asksAgain, .boolean, default: false),
    .field("lenient", \.isLenient, .boolean, default: false),
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
    self.isLenient = isLenient
    let parameters = try Parameters(context, client)
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
    let prompts = try Prompt.all(in: parameters.text("prompt") ?? "")
    isSilent = prompts.contains(.silent) || scope.isForNumberVerification
    asksAgain = prompts.contains(.consent)
    if let mode = try parameters.text("response_mode"), mode != Self.responseMode {
      throw OAuthError.invalid("response_mode", expected: Self.responseMode)
    }
    hint = try parameters.text("login_hint").flatMap { LoginHint.number(in: $0) }
    for text in [state, nonce] where text.map({ $0.utf8.count > Self.textLimit }) ?? false {
      throw OAuthError(.invalidRequest, "state and nonce may have \(Self.textLimit) bytes at most.")
    }
  }

  /// How the outcome comes back: in the query of the redirect URI.
  static let responseMode = "query"

  /// Words of `prompt` (OpenID Connect Core, 3.1.2.1). The network recognises the one holder of a handset
  /// anew each time, so `login` and `select_account` change nothing.
  private enum Prompt: String, CaseIterable {
    case silent = "none"
    case consent
    case login
    case selectAccount = "select_account"

    static func all(in text: String) throws(OAuthError) -> [Prompt] {
      let words = text.split(separator: " ")
      let known = words.compactMap { Prompt(rawValue: String($0)) }
      guard known.count == words.count, !known.contains(.silent) || known.count == 1 else {
        let names = allCases.dropFirst().map(\.rawValue).joined(separator: ", ")
        throw .invalid("prompt", expected: "none alone, or words of \(names)")
      }
      return known
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
      "state", "nonce", "code_challenge", "code_challenge_method", "prompt", "login_hint", "response_mode",
    ]
    /// Those that a request of CIBA has in its object only, if it has one (CIBA Core, 7.1.1).
    private static let backchannelNames = [
      "scope", "purpose", "login_hint", "login_hint_token", "id_token_hint", "acr_values", "binding_message",
      "user_code", "requested_expiry",
    ]

    /// Fails for a request object that is not valid.
    init(_ context: OAuthContext, _ client: Client, isBackchannel: Bool = false) throws {
      self.context = context
      context.form.declare(Request.sandboxFields + Self.ignored + Self.names)
      if try context.parameter("request_uri") != nil {
        throw OAuthError(.requestURINotSupported, "request_uri is not supported.")
      }
      guard let text = try context.parameter("request") else {
        claims = nil
        return
      }
      func refuse(_ why: String) -> OAuthError { .invalidRequestObject(why) }
      if isBackchannel {
        for name in Self.backchannelNames where try context.parameter(name) != nil {
          throw OAuthError.invalid(name, expected: "the parameter in the request object only")
        }
      }
      let (sandbox, audiences) = (context.sandbox, context.audiences)
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
      for name in isBackchannel ? [] : ["client_id", "redirect_uri", "scope", "response_type"] {
        guard name == "response_type" || token.claims.has(name) else { throw refuse("\(name): missing") }
        let inside = try? token.claims.optionalString(name)
        guard !token.claims.has(name) || inside == context.form[name] else {
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
      do throws(FieldError) {
        return try claims.optionalString(name).flatMap { $0.isEmpty ? nil : $0 }
      } catch {
        throw OAuthError.invalidRequestObject("\(name): expected a text")
      }
    }
  }
}

extension OAuthError {
  fileprivate static func invalidRequestObject(_ why: String) -> OAuthError {
    OAuthError(.invalidRequestObject, "The request object is not valid.").because(why)
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
