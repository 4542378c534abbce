import Domain
import HTTP
import JSON
import ProviderKit

// Google's token endpoint, as far as service accounts need it. Source: contract 1.4;
// https://developers.google.com/identity/protocols/oauth2/service-account

/// `POST /token`
func createToken(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let form = try request.form
  form.declare(["grant_type", "assertion"])
  guard let grant = form.text("grant_type") else { throw OAuthProblem.missing("grant_type") }
  guard grant == jwtBearer else {
    throw OAuthProblem(
      "unsupported_grant_type", "Invalid grant_type: \(grant)", why: "only \(jwtBearer) is emulated")
  }
  guard let text = form.text("assertion") else { throw OAuthProblem.missing("assertion") }
  let assertion = try Assertion(text)
  let project = try project(of: assertion, in: sandbox)
  try assertion.judgeTimes(by: sandbox.clock)
  guard !assertion.scopes.isEmpty else {
    throw OAuthProblem("invalid_scope", "Empty or missing scope not allowed.")
  }
  let maySend = assertion.scopes.contains { sendingScopes.contains($0) }
  let token = AccessToken(for: project, maySend: maySend, in: sandbox)
  let seconds = try Settings.current(in: sandbox).accessTokenSeconds
  return .json(
    200,
    JSONWriter.object {
      $0.member("access_token", token.text(in: sandbox))
      $0.member("expires_in", seconds)
      $0.member("token_type", "Bearer")
    })
}

/// The project of the account that signed. A known account signs with its key; an unknown one is let in where the
/// sandbox is open, so that an app keeps whatever file it has.
private func project(of assertion: Assertion, in sandbox: Sandbox) throws -> String {
  guard let account = try ServiceAccount.find(assertion.issuer, in: sandbox) else {
    guard sandbox.acceptsUnknownAccounts, EmailAddress.isValid(assertion.issuer) else {
      throw OAuthProblem.unknownAccount(assertion.issuer)
    }
    let project = assertion.issuer.drop { $0 != "@" }.dropFirst().prefix { $0 != "." }
    return ServiceAccount.isProject(String(project)) ? String(project) : "unknown-project"
  }
  guard let key = try account.publicKey ?? sandbox.keys[.accounts]?.publicPEM, assertion.isSigned(by: key)
  else { throw OAuthProblem.wrongSignature }
  return account.projectID
}

private let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

/// Scopes that sending needs one of. Source: contract 1.1.
private let sendingScopes: Set<Substring> = [
  "https://www.googleapis.com/auth/firebase.messaging", "https://www.googleapis.com/auth/cloud-platform",
]
