import Crypto
package import ProviderKit

/// Who sends a request. Source: contract 1.
struct Caller: Equatable {
  enum Kind {
    /// Key and secret in a header.
    case basic
    /// A token that an application has signed.
    case token
    /// Key and secret in the body or the query.
    case fields
  }

  let account: String
  /// The application that has signed the token; nil for a caller with key and secret.
  var application: String?

  init(account: String, application: String? = nil) {
    self.account = account
    self.application = application
  }

  /// Throws an `APIError` for wrong credentials.
  init(of request: Request, by kinds: Set<Kind>, in sandbox: Sandbox) throws {
    let header = request.headers.bytes(of: "Authorization") ?? []
    if kinds.contains(.basic),
      let last: Caller = sandbox.accounts.lastCaller(signedInWith: header, of: VonageProvider.name)
    {
      self = last
    } else if kinds.contains(.token), case .token(let text) = BearerToken(request.headers) {
      self = try Self.application(signing: text, in: sandbox)
    } else if kinds.contains(.basic), let sent = BasicAuthentication(request.headers) {
      self = try Self.account(sent.name, sent.password, in: sandbox)
      sandbox.accounts.remember(self, signedInWith: header, of: VonageProvider.name)
    } else if kinds.contains(.fields), let sent = Self.fields(of: request) {
      self = try Self.account(sent.key, sent.secret, in: sandbox)
    } else {
      throw APIError(.unauthorized).because("expected \(Self.expected(kinds))")
    }
  }

  private static func expected(_ kinds: Set<Kind>) -> String {
    let known: [(Kind, String)] = [
      (.token, "Authorization: Bearer with a JWT"), (.basic, "Authorization: Basic"),
      (.fields, "api_key and api_secret"),
    ]
    return known.filter { kinds.contains($0.0) }.map(\.1).joined(separator: " or ")
  }

  private static func account(_ key: String, _ secret: String, in sandbox: Sandbox) throws -> Caller {
    guard let known = try sandbox.accounts.find(key, of: VonageProvider.name), known.account == key else {
      guard sandbox.acceptsUnknownAccounts, !key.isEmpty else {
        throw APIError(.unauthorized).because("no account \(key) in sandbox \(sandbox.name)")
      }
      return Caller(account: key)
    }
    guard constantTimeEqual(AccountSecrets(known).api, secret) else {
      throw APIError(.unauthorized).because("the secret of \(key) is another one")
    }
    return Caller(account: key)
  }

  private static func application(signing text: String, in sandbox: Sandbox) throws -> Caller {
    guard let token = JSONWebToken(text, by: [.rs256]), let claims = try? token.claims else {
      throw APIError(.unauthorized).because("expected a JSON Web Token signed with RS256")
    }
    guard let id = try? claims.string("application_id") else {
      throw APIError(.unauthorized).because("the token has no claim application_id")
    }
    let application = try Application.find(id, in: sandbox)
    if let application {
      guard let key = try application.publicKey ?? sandbox.keys[.accounts]?.publicPEM,
        token.isSigned(by: sandbox.publicKey(pem: key))
      else { throw APIError(.unauthorized).because("the signature is not that of application \(id)") }
    } else if !sandbox.acceptsUnknownAccounts {
      throw APIError(.unauthorized).because("no application \(id) in sandbox \(sandbox.name)")
    }
    try requireValidTimes(of: claims, at: sandbox.clock)
    let account = try AccountSecrets.current(in: sandbox)?.key ?? ""
    return Caller(account: account, application: id)
  }

  /// Clients use the machine's clock. If the sandbox's clock is another one, only the time span is checked.
  /// Source: decision 0029
  private static func requireValidTimes(of claims: Fields, at clock: SandboxClock) throws {
    let (issuedAt, end, start): (Timestamp, Timestamp, Timestamp?)
    do throws(FieldError) {
      issuedAt = try claims.unixTime("iat")
      // Without `exp`, a token is valid for 15 minutes, as SDKs sign it.
      end = try claims.optionalUnixTime("exp") ?? issuedAt + .seconds(900)
      start = try claims.optionalUnixTime("nbf")
    } catch {
      throw APIError(.unauthorized).because("the token's claim \(error)")
    }
    let expired = APIError(.jwtExpired)
    guard end > issuedAt else { throw expired.because("exp is not after iat") }
    guard case .real = clock.mode else { return }
    guard end > clock.now else { throw expired.because("it expired at \(end.iso8601)") }
    if let start, start > clock.now {
      throw APIError(.unauthorized).because("the token is valid from \(start.iso8601)")
    }
  }

  /// `api_key` and `api_secret` of a query, a form or a JSON body.
  static func fields(of request: Request) -> (key: String, secret: String)? {
    let query = try? request.query
    if let key = query?["api_key"] { return (key, query?["api_secret"] ?? "") }
    guard let body = try? LegacyFields(body: request), let key = try? body["api_key"] else { return nil }
    return (key, (try? body["api_secret"]) ?? "")
  }
}

extension VonageProvider {
  package static func credential(in request: Request) -> String? {
    if let sent = BasicAuthentication(request.headers) { return sent.name }
    if case .token(let text) = BearerToken(request.headers) {
      return try? JSONWebToken(text, by: [.rs256])?.claims.string("application_id")
    }
    let hasFields = LegacyError.isFormat(of: request) || request.target.path == balancePath
    return hasFields ? Caller.fields(of: request)?.key : nil
  }
}
