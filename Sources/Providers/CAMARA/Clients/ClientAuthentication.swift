import Crypto
import Domain
import HTTP
import JSON
import ProviderKit

/// The client of a request to the authorization server. Source: contract 3.2.
///
/// A client signs an assertion. Those of section 15 have a secret instead, in the `Authorization` header or
/// in the form, or sign a token of their application. They are lenient: see `Dialects.swift`.
func authenticateClient(_ context: OAuthContext) throws -> (client: Client, isLenient: Bool) {
  if let text = try context.parameter("client_assertion") {
    return (try authenticate(context, assertion: text), false)
  }
  guard context.settings.clientAuth == .any else {
    throw OAuthError(.invalidClient, "Expected client_assertion.")
  }
  if let client = try context.signedApplication() { return (client, true) }
  guard let pair = try context.clientSecret else {
    throw OAuthError(.invalidClient, "The client did not sign in.")
  }
  let (sandbox, id) = (context.sandbox, pair.name)
  guard let known = try sandbox.accounts.find(id, of: CAMARAProvider.name) else {
    return (try unknownClient(id, in: sandbox), true)
  }
  guard !known.secret.isEmpty, pair.hasPassword(known.secret) else {
    throw OAuthError(.invalidClient, "Wrong client credentials.").because("wrong secret of client \(id)")
  }
  return (try Client.find(id, in: sandbox) ?? Client(withID: id), true)
}

private func authenticate(_ context: OAuthContext, assertion text: String) throws -> Client {
  func refuse(_ why: String) -> OAuthError {
    OAuthError(.invalidClient, "The client assertion is not valid.").because(why)
  }
  guard try context.parameter("client_assertion_type") == assertionType else {
    throw refuse("client_assertion_type: expected \(assertionType)")
  }
  guard let token = ClientToken(text) else {
    throw refuse("expected a JSON Web Token with RS256, ES256 or PS256")
  }
  guard let id = token.issuer, id == (try? token.claims.optionalString("sub")) else {
    throw refuse("expected the client's id as iss and as sub")
  }
  if let named = try context.parameter("client_id"), named != id {
    throw refuse("client_id: expected \(id), as in the assertion")
  }
  let sandbox = context.sandbox
  guard let client = try Client.find(id, in: sandbox) else { return try unknownClient(id, in: sandbox) }
  guard try token.isSigned(by: client, in: sandbox) else { throw refuse("no key of client \(id) signed it") }
  if let problem = token.timeProblem(sandbox.clock) { throw refuse(problem) }
  let audiences = context.audiences
  guard token.audience.contains(where: audiences.contains) else {
    throw refuse("aud: expected \(audiences.joined(separator: " or "))")
  }
  if let problem = try token.spend(of: client, in: sandbox) { throw refuse(problem) }
  return client
}

/// An open sandbox accepts unknown clients.
func unknownClient(_ id: String, in sandbox: Sandbox) throws -> Client {
  guard sandbox.acceptsUnknownAccounts, Client.isID(id) else {
    throw OAuthError(.invalidClient, "Unknown client.").because("no client \(id) in sandbox \(sandbox.name)")
  }
  return Client(withID: id)
}

private let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
