import Domain
import FCM
import HTTP
import JSON
import Support

/// A sandbox whose back end signs in with the service account of `Seeds/default`.
struct FCMWorld {
  static let project = "ringfence-sandbox"
  /// The account's assertion at the sandbox's start time, made by google-auth for Python: both scopes, one
  /// hour.
  static let assertion = """
    eyJ0eXAiOiAiSldUIiwgImFsZyI6ICJSUzI1NiJ9.eyJpc3MiOiAiZmlyZWJhc2UtYWRtaW5zZGtAcmluZ2ZlbmNlLXNhbmRib3guaWFt\
    LmdzZXJ2aWNlYWNjb3VudC5jb20iLCAic2NvcGUiOiAiaHR0cHM6Ly93d3cuZ29vZ2xlYXBpcy5jb20vYXV0aC9jbG91ZC1wbGF0Zm9y\
    bSBodHRwczovL3d3dy5nb29nbGVhcGlzLmNvbS9hdXRoL2ZpcmViYXNlLm1lc3NhZ2luZyIsICJhdWQiOiAiaHR0cHM6Ly9vYXV0aDIu\
    Z29vZ2xlYXBpcy5jb20vdG9rZW4iLCAiaWF0IjogMTc2NzYwODQzMCwgImV4cCI6IDE3Njc2MTIwMzB9.EY0R-zfQe0lLmxuyIWhmJkqo\
    MfbFzartZKoPrg8YGFXtTJ6V2hDu_Q9ssN7ILOnULhZuiwihYdVF152OoylQka4MLLIoKEdO2XF_wc4CLciqShgWRxBamZ-dTTx8SpH3a\
    L0NE3rq1jXhg6QU6kgwsntBcNaDuI7bncqU14goijL6anvPVh68Oc8ashot_si8oNQUf7VOTEF8zNnbi_ZkaN4XHa8ospb6YaVTsY6g5B\
    6ufJoDRFtV0_6BnLgjhG86QNDTSjqA60HHcWRnzAvAMRk6egA1wWRXds8dPzZdal3lQGMBlnlJYpqp8r913aapeqAXyC6IYIGRKCiP78D\
    Fqg
    """

  let world: TestSandbox
  var sandbox: Sandbox { world.sandbox }

  init(isOpen: Bool = false) throws {
    world = try TestSandbox(of: FCMProvider.self) { $0.acceptsUnknownAccounts = isOpen }
  }

  /// Asks for an access token under Google's own host.
  func ask(
    assertion: String = Self.assertion, host: String = "oauth2.googleapis.com", path: String = "/token"
  ) throws -> Exchange {
    let grant = PercentCoding.encode("urn:ietf:params:oauth:grant-type:jwt-bearer")
    return try world.send(
      Request(
        .post, Target(path),
        headers: ["Host": host, "Content-Type": "application/x-www-form-urlencoded"],
        body: Array("grant_type=\(grant)&assertion=\(PercentCoding.encode(assertion))".utf8)))
  }

  func token() throws -> String { try Fields(JSON(parsing: body(of: ask()))).string("access_token") }

  /// Sends a message in JSON. `more` is further members of the body.
  func send(
    _ message: String, token: String? = nil, more: String = "", project: String = Self.project
  ) throws -> Exchange {
    try call(
      .post, "/v1/projects/\(project)/messages:send", #"{"message":\#(message)\#(more)}"#, token: token)
  }

  /// Sends any request under Google's own host.
  func call(
    _ method: HTTP.Method, _ path: String, _ body: String = "", token: String? = nil,
    host: String = "fcm.googleapis.com"
  ) throws -> Exchange {
    let signed = try token ?? self.token()
    var headers: Headers = ["Host": host]
    if !signed.isEmpty { headers.add("Authorization", "Bearer \(signed)") }
    return try world.send(Request(method, Target(path), headers: headers, body: Array(body.utf8)))
  }

  private func body(of exchange: Exchange) -> [UInt8] { Array(exchange.answer.dropFirst(4).utf8) }
}
