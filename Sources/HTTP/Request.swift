package import JSON

/// One request, whole.
package struct Request {
  /// The method of the request line.
  package var method: Method
  /// Path and query of the request line.
  package var target: Target
  /// The header fields; `Host` is there once.
  package var headers: Headers
  /// The body, decoded from chunks.
  package var body: [UInt8]
  /// `http` or `https`: how the client reached us.
  package var scheme: String
  /// The client's address and port, as text.
  package var peer: String
  /// How it came to us.
  package var via = RequestOrigin.direct
  /// What was taken off the path before its route was found: `/s/ci-17`; links need it back.
  package var prefix = ""
  /// What the route's pattern captured.
  package var parameters: Parameters
  /// What the client sent in query and body, and which of it was read.
  package let inputs: Inputs

  /// A request as the parser found it, or as a test writes it.
  package init(
    _ method: Method, _ target: Target, headers: Headers = [:], body: [UInt8] = [],
    scheme: String = "http", peer: String = ""
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.scheme = scheme
    self.peer = peer
    parameters = Parameters()
    inputs = Inputs()
  }

  /// The authority by which the client reached us: the `Host` field.
  package var host: String { headers["Host"] ?? "" }

  /// Scheme and authority by which the client reached us.
  package var origin: String { String(joining: scheme, "://", host) }

  /// Scheme, authority and prefix by which the client reached us, for links in answers.
  package var base: String { String(joining: scheme, "://", host, prefix) }

  /// The fields of the query that a chain of redirects carries on from hop to hop, as they came: those whose
  /// names begin with `sbx_`, each behind an `&`. Source: `carrier.md` 4.5.
  package var carriedQuery: String {
    target.query.split(separator: "&").filter { $0.hasPrefix("sbx_") }.map { "&\($0)" }.joined()
  }

  /// How long a trial of a chain wants each hop to take, a minute at most: `sbx_delay`, in milliseconds.
  package var saidDelay: Duration? {
    let said = target.query.split(separator: "&").first { $0.hasPrefix("sbx_delay=") }
    return said.flatMap { Int($0.dropFirst("sbx_delay=".count)) }
      .map { .milliseconds(min(max($0, 0), 60_000)) }
  }

  /// What it says to sign in with a proxy, or what was said for the tunnel that it came through.
  package var proxyAuthorization: String? {
    switch via {
    case .direct: nil
    case .proxied, .proxiedSecurely: headers["Proxy-Authorization"]
    case .tunnel: via.authorization
    }
  }

  /// A captured segment of the path, decoded; absent names are a mistake in the route table.
  package subscript(parameter name: String) -> String { parameters[name] }

  /// The query's fields.
  package var query: Form {
    get throws(FormError) { try inputs.query(of: target.query) }
  }

  /// The body's fields, for `application/x-www-form-urlencoded`.
  package var form: Form {
    get throws(FormError) { try inputs.form(of: body) }
  }

  /// The body's members, for `application/json`; an empty body is an empty object.
  package var json: Fields {
    get throws(FieldError) { try inputs.json(of: body) }
  }
}

/// What the route's pattern captured, by name.
package struct Parameters: Sendable, Equatable {
  private var pairs: [Pair] = []

  private struct Pair: Equatable {
    let name: String
    let value: String
  }

  /// Nothing captured.
  package init() {}

  /// Keeps a decoded segment under a name of the pattern.
  package mutating func add(_ name: String, _ value: String) {
    pairs.append(Pair(name: name, value: value))
  }

  /// The decoded segment of this name; nil when the pattern has no such capture.
  package func value(_ name: String) -> String? {
    pairs.first { $0.name == name }?.value
  }

  /// The decoded segment of this name, which the pattern has.
  package subscript(name: String) -> String {
    guard let value = value(name) else { preconditionFailure("the route's pattern has no {\(name)}") }
    return value
  }
}
