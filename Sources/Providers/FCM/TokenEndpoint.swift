import ProviderKit

// Google's token endpoint for service accounts. Source: contract 1.4;
// https://developers.google.com/identity/protocols/oauth2/service-account

/// `POST /token`
func createToken(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let form = try request.form
  form.declare(["grant_type", "assertion"])
  guard let grant = form.text("grant_type") else { throw OAuthError.missing("grant_type") }
  guard grant == jwtBearer else { throw OAuthError.unsupportedGrant(grant) }
  guard let text = form.text("assertion") else { throw OAuthError.missing("assertion") }
  let assertion = try Assertion(text)
  let project = try project(of: assertion, in: sandbox)
  if let problem = TokenAddress.problem(withAudienceOf: assertion.claims, of: request) {
    throw OAuthError.wrongAudience(problem)
  }
  try assertion.validateTimes(sandbox.clock)
  guard !assertion.scopes.isEmpty else { throw OAuthError.missingScope }
  let canSend = assertion.scopes.contains { sendingScopes.contains($0) }
  let token = AccessToken(for: project, canSend: canSend, in: sandbox)
  let seconds = try Settings.current(in: sandbox).accessTokenSeconds
  return .json(200) {
    $0.member("access_token", token.text(in: sandbox))
    $0.member("expires_in", seconds)
    $0.member("token_type", "Bearer")
  }
}

/// Checks the signature and returns the account's project. An open sandbox accepts unknown accounts with any
/// signature.
private func project(of assertion: Assertion, in sandbox: Sandbox) throws -> String {
  guard let account = try ServiceAccount.find(assertion.issuer, in: sandbox) else {
    guard sandbox.acceptsUnknownAccounts, EmailAddress.isValid(assertion.issuer) else {
      throw OAuthError.unknownAccount(assertion.issuer)
    }
    let project = assertion.issuer.drop { $0 != "@" }.dropFirst().prefix { $0 != "." }
    return ServiceAccount.isProjectID(String(project)) ? String(project) : "unknown-project"
  }
  guard let key = try account.publicKey ?? sandbox.keys[.accounts]?.publicPEM,
    assertion.isSigned(by: sandbox.publicKey(pem: key))
  else { throw OAuthError.wrongSignature }
  return account.projectID
}

private let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

/// Sending needs one of these. Source: contract 1.1.
private let sendingScopes: Set<Substring> = [
  "https://www.googleapis.com/auth/firebase.messaging", "https://www.googleapis.com/auth/cloud-platform",
]

/// The JSON Web Token with which a service account asks for an access token. Source: contract 1.4; RFC 7523.
struct Assertion {
  /// Name of the account.
  let issuer: String
  let scopes: [Substring]
  /// Seconds since 1970.
  let (issuedAt, expiresAt): (Int, Int)
  let claims: Fields
  private let token: JSONWebToken

  /// The most seconds by which the clocks of both sides may differ.
  private static let leeway = 300
  /// The longest validity, in seconds.
  private static let maxLifetime = 3600

  /// Reads an assertion without checking its signature or times.
  init(_ text: String) throws(OAuthError) {
    guard let token = JSONWebToken(text, by: [.rs256]) else {
      throw .malformedAssertion("expected a JSON Web Token signed with RS256")
    }
    self.token = token
    do throws(FieldError) {
      claims = try token.claims
      issuer = try claims.string("iss")
      scopes = try (claims.optionalString("scope") ?? "").split(separator: " ")
      (issuedAt, expiresAt) = (
        try claims.unixTime("iat").unixSeconds, try claims.unixTime("exp").unixSeconds
      )
    } catch {
      throw .malformedAssertion("\(error)")
    }
  }

  func isSigned(by key: PublicKey?) -> Bool { token.isSigned(by: key) }

  /// Clients use the machine's clock. If the sandbox's clock is another one, only the time span is checked.
  /// Source: decision 0029
  func validateTimes(_ clock: SandboxClock) throws(OAuthError) {
    guard expiresAt > issuedAt, expiresAt - issuedAt <= Self.maxLifetime else {
      throw .wrongTime("valid from \(issuedAt) to \(expiresAt); expected at most one hour")
    }
    guard case .real = clock.mode else { return }
    let now = Int(clock.now.milliseconds / 1000)
    guard issuedAt <= now + Self.leeway, expiresAt >= now - Self.leeway else {
      throw .wrongTime("valid from \(issuedAt) to \(expiresAt); now is \(now)")
    }
  }
}

/// An error of the token endpoint, in the format of OAuth 2 (RFC 6749, 5.2) with Google's texts.
struct OAuthError: ProviderError, Equatable {
  static let internalFailure = "internal_failure"

  /// One of the last ones in `Errors.txt`.
  let error: String
  let description: String
  var status: Status = 400
  var why: String?

  init(_ error: String, _ description: String, status: Status = 400) {
    self.error = error
    self.description = description
    self.status = status
  }

  /// The error of a request that no operation answers.
  init(_ failure: RequestFailure) {
    switch failure {
    case .unknownPath, .wrongMethod, .notEmulated:
      self.init("invalid_request", "Only POST is supported.", status: 405)
    case .malformed(let field, let expected):
      let place = field.map { "\($0): " } ?? ""
      self.init("invalid_request", "\(place)expected \(expected)")
    case .fault(let status, let code):
      self.init(code ?? Self.internalFailure, "The request was refused on purpose.", status: status ?? 400)
    case .rejected(let status, let why): self.init("invalid_request", why, status: status)
    case .internalError: self.init(Self.internalFailure, "Internal error", status: 500)
    case .overload: self.init(Self.internalFailure, "The service is unavailable", status: 503)
    }
  }

  var response: Response {
    .json(status) {
      $0.member("error", error)
      $0.member("error_description", description)
    }
  }

  static func missing(_ parameter: String) -> OAuthError {
    OAuthError("invalid_request", "Required parameter is missing: \(parameter)")
      .because("\(parameter): missing")
  }

  static func unsupportedGrant(_ grant: String) -> OAuthError {
    OAuthError("unsupported_grant_type", "Invalid grant_type: \(grant)")
      .because("only \(jwtBearer) is emulated")
  }

  static let missingScope = OAuthError("invalid_scope", "Empty or missing scope not allowed.")
    .because("assertion: the claim scope is missing or empty")

  static func malformedAssertion(_ why: String) -> OAuthError {
    OAuthError("invalid_grant", "Invalid JWT: Failed to parse the assertion.").because(why)
  }

  static let wrongSignature = OAuthError("invalid_grant", "Invalid JWT Signature.")
    .because("the signature does not match the service account's key")

  static func unknownAccount(_ name: String) -> OAuthError {
    OAuthError("invalid_grant", "Invalid grant: account not found")
      .because("no service account \(name) in this sandbox")
  }

  static func wrongAudience(_ why: String) -> OAuthError {
    OAuthError("invalid_grant", "Invalid JWT: Failed audience check.").because(why)
  }

  static func wrongTime(_ why: String) -> OAuthError {
    OAuthError(
      "invalid_grant",
      "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
        + "Check your iat and exp values in the JWT claim."
    ).because(why)
  }
}
