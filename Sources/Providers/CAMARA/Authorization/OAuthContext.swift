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

  /// The URL of the authorization server as clients reach it, by which tokens name it: without a sandbox if
  /// the client id selects that. Source: contract 3.1.
  var issuer: String {
    guard !request.prefix.hasPrefix("/s/") else { return ownURL }
    return sandbox.sharedURL(requestOrigin: request.origin) + "/" + CAMARAProvider.name
  }

  /// The URL for browsers, which send no client id: with the sandbox.
  private var ownURL: String {
    sandbox.baseURL(requestOrigin: request.origin) + "/" + CAMARAProvider.name
  }

  func url(of endpoint: Endpoint) -> String { issuer + endpoint.rawValue }

  /// The URL of a page for a browser.
  func pageURL(_ path: String) -> String { ownURL + path }

  /// What a client may name as the audience: the endpoint, the token endpoint, or the server.
  /// Source: contract 3.2 and 3.4.
  var audiences: [String] {
    let path = request.target.path
    let paths = [Aliases.endpoint(at: path)?.rawValue ?? path, path, Endpoint.token.rawValue, ""]
    let issuers = issuer == ownURL ? [issuer] : [issuer, ownURL]
    return issuers.flatMap { issuer in paths.map { issuer + $0 } } + [request.base + path]
  }

  /// 200 with an object that nobody keeps.
  static func response(_ write: (inout JSONWriter) -> Void) -> Response {
    Response.json(200, write).uncached
  }

  /// The id and the secret in the `Authorization` header.
  var basic: BasicAuthentication? {
    guard let basic = BasicAuthentication(request.headers) else { return nil }
    // RFC 6749, 2.3.1: both are encoded as in forms.
    let parts = [basic.name, basic.password].map {
      PercentCoding.decode(Array($0.utf8), plusIsSpace: true) ?? $0
    }
    return BasicAuthentication(name: parts[0], password: parts[1])
  }
}
