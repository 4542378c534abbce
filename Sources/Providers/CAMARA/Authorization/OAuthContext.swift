import Domain
import HTTP
import ProviderKit

/// A request to the authorization server.
struct OAuthContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  /// The fields of the form or of the query. A form is one whatever its type says: a client's library sends
  /// it as JSON. Source: contract 15.
  let form: Form

  init(_ request: Request, in sandbox: Sandbox) throws {
    self.request = request
    self.sandbox = sandbox
    settings = try Settings.current(in: sandbox)
    form = request.method == .get ? try request.query : try request.form
  }

  var now: Timestamp { sandbox.clock.now }

  /// A parameter; nil if it is absent or empty. Twice is an error (RFC 6749, 3.1).
  func parameter(_ name: String) throws(OAuthError) -> String? {
    let values = form.all(name)
    guard values.count <= 1 else { throw .invalid(name, expected: "one value") }
    return values.first.flatMap { $0.isEmpty ? nil : $0 }
  }

  func required(_ name: String) throws(OAuthError) -> String {
    guard let value = try parameter(name) else {
      throw .missing(name)
    }
    return value
  }

  /// The URL of the authorization server, by which tokens name it. Source: contract 3.1.
  var issuer: String { sandbox.baseURL(requestOrigin: request.origin) + "/" + CAMARAProvider.name }

  func url(of endpoint: Endpoint) -> String { issuer + endpoint.rawValue }

  /// What a client may name as the audience: the endpoint, the token endpoint, or the server.
  var audiences: [String] {
    [issuer + request.target.path, url(of: .token), issuer]
  }

  /// The id and the secret in the `Authorization` header or in the form.
  var clientSecret: BasicAuthentication? {
    get throws(OAuthError) {
      if let basic = BasicAuthentication(request.headers) {
        // RFC 6749, 2.3.1: both are encoded as in forms.
        let parts = [basic.name, basic.password].map {
          PercentCoding.decode(Array($0.utf8), plusIsSpace: true) ?? $0
        }
        return BasicAuthentication(name: parts[0], password: parts[1])
      }
      guard let id = try parameter("client_id"), let secret = try parameter("client_secret") else {
        return nil
      }
      return BasicAuthentication(name: id, password: secret)
    }
  }
}
