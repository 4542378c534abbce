import Crypto
import Domain
import HTTP
import JSON
import ProviderKit

/// How a client signs in. A request must do so in one way (RFC 6749, 2.3). The texts name its place.
enum SignIn: String {
  case assertion = "client_assertion"
  /// A token that the client has signed itself: see `Dialects.swift`.
  case application = "Authorization: Bearer"
  case basic = "Authorization: Basic"
  case secret = "client_secret"

  var isLenient: Bool { self != .assertion }

  /// The client of a request to the authorization server, which may use the `grant`. Source: contract 3.2.
  ///
  /// A client signs an assertion. Those of section 15 have a secret instead, in the `Authorization` header or
  /// in the form, or sign a token of their application. They are lenient: see `Dialects.swift`.
  static func client(
    of context: OAuthContext, for grant: Grant? = nil
  ) throws -> (client: Client, signIn: SignIn) {
    let ways = try all(in: context)
    guard ways.count <= 1 else {
      let found = ways.map(\.rawValue).joined(separator: " and ")
      throw OAuthError(.invalidRequest, "A client signs in one way only; found \(found).")
    }
    guard context.settings.clientAuth == .any || ways == [.assertion] else {
      throw OAuthError(.invalidClient, "Expected client_assertion.")
    }
    guard let signIn = ways.first else {
      throw OAuthError(.invalidClient, "The client did not sign in.")
    }
    let client = try signIn.client(of: context)
    if let named = try context.parameter("client_id"), named != client.id {
      throw OAuthError(.invalidClient, "Another client has signed in than client_id names.")
        .because("client_id: expected \(client.id), as in \(signIn.rawValue)")
    }
    if let grant { try client.require(grant) }
    return (client, signIn)
  }

  /// All that a request has.
  static func all(in context: OAuthContext) throws -> [SignIn] {
    var all: [SignIn] = []
    if try context.parameter("client_assertion") != nil { all.append(.assertion) }
    if Dialects.applicationToken(of: context) != nil { all.append(.application) }
    if context.basic != nil { all.append(.basic) }
    if try context.parameter("client_secret") != nil { all.append(.secret) }
    return all
  }

  private func client(of context: OAuthContext) throws -> Client {
    switch self {
    case .assertion: try Self.authenticate(context, assertion: context.required("client_assertion"))
    case .application: try Dialects.application(of: context)
    case .basic: try Self.authenticate(context.basic, in: context.sandbox)
    case .secret:
      try Self.authenticate(
        BasicAuthentication(
          name: context.required("client_id"), password: context.required("client_secret")),
        in: context.sandbox)
    }
  }

  private static func authenticate(_ sent: BasicAuthentication?, in sandbox: Sandbox) throws -> Client {
    let id = sent?.name ?? ""
    guard let known = try sandbox.accounts.find(id, of: CAMARAProvider.name) else {
      return try Client.unknown(id, in: sandbox)
    }
    guard !known.secret.isEmpty, sent?.hasPassword(known.secret) == true else {
      throw OAuthError(.invalidClient, "Wrong client credentials.").because("wrong secret of client \(id)")
    }
    return try Client.find(id, in: sandbox) ?? Client(withID: id)
  }

  private static func authenticate(_ context: OAuthContext, assertion text: String) throws -> Client {
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
    let sandbox = context.sandbox
    guard let client = try Client.find(id, in: sandbox) else { return try Client.unknown(id, in: sandbox) }
    guard try token.isSigned(by: client, in: sandbox) else {
      throw refuse("no key of client \(id) signed it")
    }
    if let problem = token.timeProblem(sandbox.clock) { throw refuse(problem) }
    let audiences = context.audiences
    guard token.audience.contains(where: audiences.contains) else {
      throw refuse("aud: expected \(audiences.joined(separator: " or "))")
    }
    if let problem = try token.spend(of: client, in: sandbox) { throw refuse(problem) }
    return client
  }

  private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
}
