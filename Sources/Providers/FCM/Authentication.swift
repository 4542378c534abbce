import Domain
package import HTTP
import ProviderKit

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

/// Checks the access token of a request, and that it is for the project of the path.
///
/// A numeric project in the path is accepted for any token: only Google knows which project it is. An open sandbox accepts
/// tokens that it did not issue. Returns a warning for the journal if a token is accepted but suspicious.
func authenticate(_ request: Request, in sandbox: Sandbox, _ settings: Settings) throws -> String? {
  guard case .token(let text) = BearerToken(request.headers) else { throw APIError.missingCredentials }
  guard let token = AccessToken(text, in: sandbox) else {
    let warning = AccessToken.looksReal(text) ? warnOfRealToken(in: sandbox) : nil
    guard sandbox.acceptsUnknownAccounts else {
      throw APIError.invalidCredentials.because(
        warning ?? "not an access token of sandbox \(sandbox.name)")
    }
    return warning
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

private func warnOfRealToken(in sandbox: Sandbox) -> String {
  let warning =
    "an access token that looks like Google's own came to the sandbox: a real credential is in use"
  sandbox.warn("\(warning) (sandbox \(sandbox.name))")
  return warning
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
    guard let (project, uuid) = Self.split(text) else { return nil }
    for canSend in [true, false] {
      let label = Self.label(canSend)
      guard let ordinal = sandbox.entropy.ordinal(ofUUID: uuid, under: label),
        let time = Timestamp(ofUUID: uuid), sandbox.entropy.uuid(label, ordinal, at: time) == uuid
      else { continue }
      (projectID, self.canSend, issuedAt, self.ordinal) = (project, canSend, time, ordinal)
      return
    }
    return nil
  }

  func text(in sandbox: Sandbox) -> String {
    Self.prefix + projectID + "_" + sandbox.entropy.uuid(Self.label(canSend), ordinal, at: issuedAt)
  }

  /// The project of a token from any sandbox, not verified.
  static func project(of text: String) -> String? { split(text)?.project }

  /// True for tokens of Google's own form. Source: contract 5
  static func looksReal(_ text: String) -> Bool { text.hasPrefix("ya29.") }

  private static let prefix = "sbx_oauth_"

  /// Project ids have no underscore.
  private static func split(_ text: String) -> (project: String, uuid: String)? {
    guard text.hasPrefix(prefix) else { return nil }
    let parts = text.dropFirst(prefix.utf8.count).split(separator: "_", omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  private static func label(_ canSend: Bool) -> StaticString { canSend ? "oauth" : "oauth-other" }
}

extension Timestamp {
  /// The time of a UUID of version 7: its first twelve hex digits.
  fileprivate init?(ofUUID text: String) {
    guard let time = Int64(text.prefix(13).filter { $0 != "-" }, radix: 16) else { return nil }
    self.init(milliseconds: time)
  }
}
