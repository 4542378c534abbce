import Domain
package import HTTP
import ProviderKit

extension FCMProvider {
  /// What a request's sandbox follows from: the account that asks for a token, the project of the token it signs in
  /// with, or that of its path.
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

/// The answer to a caller who may act for a project; the journal is told what is odd about their token.
func signedIn(
  _ request: Request, for project: String?, in sandbox: Sandbox, _ answer: () throws -> Response
) throws -> Response {
  let remark = try authenticate(request, for: project, in: sandbox)
  var response = try answer()
  response.remark = remark ?? response.remark
  return response
}

/// Proves that a caller may act for a project, which its path may name by a number that only the vendor knows; nil:
/// for that of its token. A token that nobody here has issued is let in where the sandbox is open. What is odd about
/// a token that is let in is returned.
private func authenticate(
  _ request: Request, for project: String?, in sandbox: Sandbox
) throws -> String? {
  guard case .token(let text) = BearerToken(request.headers) else { throw Problem.missingCredentials }
  guard let token = AccessToken(text, in: sandbox) else {
    let remark = AccessToken.isReal(text) ? warnOfRealToken(in: sandbox) : nil
    guard sandbox.acceptsUnknownAccounts else {
      throw Problem.invalidCredentials(
        reason: "ACCESS_TOKEN_TYPE_UNSUPPORTED",
        why: remark ?? "sandbox \(sandbox.name) has issued no such token")
    }
    return remark
  }
  let seconds = try Settings.current(in: sandbox).accessTokenSeconds
  let age = sandbox.clock.now - token.issuedAt
  guard age < .seconds(seconds) else {
    throw Problem.invalidCredentials(
      reason: "ACCESS_TOKEN_EXPIRED",
      why: "the token was issued \(age.text) ago, and is good for \(seconds) s")
  }
  guard token.maySend else { throw Problem.insufficientScope }
  if let project, project != token.projectID, Int(project) == nil {
    throw Problem.noPermission(for: project, why: "the token was issued for \(token.projectID)")
  }
  return nil
}

private func warnOfRealToken(in sandbox: Sandbox) -> String {
  let warning =
    "an access token that looks like Google's own came to the sandbox: a real credential is in use"
  sandbox.warn("\(warning) (sandbox \(sandbox.name))")
  return warning
}
