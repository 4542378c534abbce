package import ProviderKit

extension FCMProvider {
  /// The account that asks for an access token, or the project of the access token or of the path.
  package static func credential(in request: Request) -> String? {
    if request.target.path == "/token" {
      return (try? request.form["assertion"]).flatMap { try? Assertion($0) }?.issuer
    }
    if case .token(let text) = BearerToken(request.headers), let project = AccessToken.project(of: text) {
      return project
    }
    return request.parameters.value("project")
  }
}

enum Authentication {
  /// Checks the access token of a request, and that it is for the project of the path.
  ///
  /// A numeric project in the path is accepted for any token: only Google knows which project it is. An open
  /// sandbox accepts tokens that it did not issue. Returns a warning for the journal if a token is accepted
  /// but suspicious.
  static func check(_ request: Request, in sandbox: Sandbox, _ settings: Settings) throws -> String? {
    guard case .token(let text) = BearerToken(request.headers) else { throw APIError.missingCredentials }
    guard let token = AccessToken(text, in: sandbox) else {
      let warning = AccessToken.looksReal(text) ? warnOfRealToken(in: sandbox) : nil
      guard sandbox.acceptsUnknownAccounts else {
        throw APIError.invalidCredentials.because(
          warning ?? "not an access token of sandbox \(sandbox.name)")
      }
      return warning
    }
    guard try sandbox.acceptsUnknownAccounts || ServiceAccount.has(project: token.projectID, in: sandbox)
    else {
      throw APIError.invalidCredentials.because("no project \(token.projectID) in sandbox \(sandbox.name)")
    }
    let age = sandbox.clock.now - token.issuedAt
    guard age < .seconds(settings.accessTokenSeconds) else {
      throw APIError.expiredCredentials.because(
        "access token expired: issued \(age.text) ago, valid for \(settings.accessTokenSeconds) s")
    }
    guard token.canSend else { throw APIError.insufficientScope }
    if let project = request.parameters.value("project"), project != token.projectID, Int(project) == nil {
      throw APIError.noPermission(for: project).because("access token of project \(token.projectID)")
    }
    return nil
  }

  private static func warnOfRealToken(in sandbox: Sandbox) -> String {
    let warning =
      "an access token that looks like Google's own came to the sandbox: a real credential is in use"
    sandbox.warn("\(warning) (sandbox \(sandbox.name))")
    return warning
  }
}

/// An access token. Its text holds its project, scope and time, so tokens are not stored.
struct AccessToken: Equatable {
  let projectID: String
  /// True if its scopes allow sending.
  let canSend: Bool
  let issuedAt: Timestamp
  private let ordinal: Int

  init(for projectID: String, canSend: Bool, in sandbox: Sandbox) {
    self.projectID = projectID
    self.canSend = canSend
    issuedAt = sandbox.clock.now
    ordinal = sandbox.nextOrdinal()
  }

  /// Reads a token of this sandbox; nil for any other text.
  init?(_ text: String, in sandbox: Sandbox) {
    guard text.hasPrefix(Self.prefix),
      let claims = JSONWebToken.claims(
        of: String(text.dropFirst(Self.prefix.count)), key: Self.key(in: sandbox)),
      let project = try? claims.string("sub"), let canSend = try? claims.bool("send"),
      let ordinal = try? claims.int("jti"), let milliseconds = try? claims.int("iat")
    else { return nil }
    (projectID, self.canSend, self.ordinal) = (project, canSend, ordinal)
    issuedAt = Timestamp(milliseconds: Int64(milliseconds))
  }

  func text(in sandbox: Sandbox) -> String {
    let claims = JSONWriter.object { json in
      json.member("sub", projectID)
      json.member("send", canSend)
      json.member("jti", ordinal)
      json.member("iat", Int(issuedAt.milliseconds))
    }
    return Self.prefix + JSONWebToken.sign(claims, key: Self.key(in: sandbox))
  }

  /// The project of a token from any sandbox, not verified.
  static func project(of text: String) -> String? {
    guard text.hasPrefix(prefix) else { return nil }
    let claims = JSONWebToken.unverifiedClaims(of: String(text.dropFirst(prefix.count)))
    return claims.flatMap { try? $0.string("sub") }
  }

  /// True for tokens of Google's own form. Source: contract 5
  static func looksReal(_ text: String) -> Bool { text.hasPrefix("ya29.") }

  private static let prefix = "sbx_oauth_"

  private static func key(in sandbox: Sandbox) -> String {
    sandbox.tokenEntropy.identifier("fcm access token", 0)
  }
}
