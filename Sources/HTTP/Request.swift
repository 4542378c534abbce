package import JSON

/// One complete request.
package struct Request {
  package var method: Method
  package var target: Target
  /// Exactly one `Host` field is present.
  package var headers: Headers
  /// Decoded from chunks.
  package var body: [UInt8]
  /// `http` or `https`.
  package var scheme: String
  /// The client's address and port; behind a trusted proxy, without a port.
  package var peer: String
  /// The `Host` field that a trusted proxy got.
  package var forwardedHost: String?
  /// Set if links must not have the origin that the request used.
  package var publicOrigin: String?
  package var via: RequestOrigin
  package let connection: RequestConnection
  /// The part removed from the path before routing, such as `/s/ci-17`. Links need it back.
  package var prefix = ""
  /// The whole path as the client sent it, if routing has removed slashes from it.
  package var linePath: String?
  /// The values captured by the route's pattern.
  package var parameters: Parameters
  package let inputs: Inputs

  package init(
    _ method: Method, _ target: Target, headers: Headers = [:], body: [UInt8] = [],
    scheme: String = "http", peer: String = "", via: RequestOrigin = .direct,
    connection: RequestConnection = RequestConnection()
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.scheme = scheme
    self.peer = peer
    self.via = via
    self.connection = connection
    parameters = Parameters()
    inputs = Inputs()
  }

  /// The `Host` field, as the client sent it.
  package var host: String { forwardedHost ?? headers["Host"] ?? "" }

  /// `scheme://host` under which the client reaches this server.
  package var origin: String { publicOrigin ?? String(joining: scheme, "://", linkHost) }

  /// `scheme://host` and the prefix, for links in responses.
  package var base: String {
    publicOrigin.map { $0 + prefix } ?? String(joining: scheme, "://", linkHost, prefix)
  }

  /// `host`, with the server's port where a mobile SDK has left it out. Source: `prelude.md` 14.4.
  private var linkHost: String {
    let host = host
    guard !host.utf8.contains(UInt8(ascii: ":")) || host.utf8.last == UInt8(ascii: "]"),
      forwardedHost == nil, case .direct = via, let server = connection.server, let port = server.port,
      port != (scheme == "https" ? 443 : 80), let named = Authority(host),
      named.host == server.host || named.isLoopback && server.isLoopback
    else { return host }
    return Authority(host: named.host, port: port).description
  }

  /// The paths that a client may have signed: the whole one, or that without the sandbox's prefix, or without
  /// all prefixes, like clients that sign the path of their API. Of `/s/ci-17/acme/v1`: that, `/acme/v1` and
  /// `/v1`.
  package var signedPaths: [String] {
    let owner = prefix.hasPrefix("/s/") ? String(prefix.dropFirst(3).drop { $0 != "/" }) : ""
    let prefixes = [prefix, owner].filter { !$0.isEmpty } + [""]
    return (linePath.map { [$0] } ?? []) + prefixes.map { $0 + target.sentPath }
  }

  /// Keeps what the client sent for when routing removes slashes from the path.
  package mutating func keepPath() {
    linePath = prefix + target.path
    target.trailingSlash = target.path.utf8.last == UInt8(ascii: "/") ? "/" : ""
  }

  /// True for a browser's question if a page may send the request that follows (Fetch, CORS-preflight).
  package var isPreflight: Bool {
    method == .options && headers["Origin"] != nil && headers["Access-Control-Request-Method"] != nil
  }

  /// The query fields by which a client controls a chain of redirects. Source: `carrier.md` 4.5.
  package static let sandboxFields = ["sbx_handset", "sbx_bearer", "sbx_outcome", "sbx_delay"]

  /// The query fields whose names start with `sbx_`, each with a leading `&`. A chain of redirects passes
  /// them on unchanged. Source: `carrier.md` 4.5.
  package var sandboxQuery: String {
    target.query.split(separator: "&").filter { $0.hasPrefix("sbx_") }.map { "&\($0)" }.joined()
  }

  /// The query field `sbx_delay`: how long each hop of a redirect chain should take. In milliseconds, at most
  /// one minute.
  package var requestedDelay: Duration? {
    let field = target.query.split(separator: "&").first { $0.hasPrefix("sbx_delay=") }
    return field.flatMap { Int($0.dropFirst("sbx_delay=".count)) }
      .map { .milliseconds(min(max($0, 0), 60_000)) }
  }

  /// The credentials for the proxy, from this request or from the CONNECT request of its tunnel.
  package var proxyAuthorization: String? {
    switch via {
    case .direct: nil
    case .proxied, .proxiedSecurely: headers["Proxy-Authorization"]
    case .tunnel: via.authorization
    }
  }

  /// A decoded path segment. The route's pattern must capture this name.
  package subscript(parameter name: String) -> String { parameters[name] }

  package var query: Form {
    get throws(FormError) { try inputs.query(of: target.query) }
  }

  /// The fields of an `application/x-www-form-urlencoded` body.
  package var form: Form {
    get throws(FormError) { try inputs.form(of: body) }
  }

  /// The members of an `application/json` body. An empty body counts as an empty object.
  package var json: Fields {
    get throws(FieldError) { try json() }
  }

  /// The same with other limits, or for a provider that accepts repeated names.
  package func json(
    limits: JSON.Limits = .standard, repeatedNames: JSON.RepeatedNames = .rejected
  ) throws(FieldError) -> Fields {
    try inputs.json(of: body, limits, repeatedNames)
  }

  /// Any JSON in the body, for a provider with rules of its own about it.
  package func document(limits: JSON.Limits = .standard) throws(SyntaxError) -> JSON {
    inputs.bodyFormat = inputs.bodyFormat ?? .json
    return try JSON(parsing: body, limits: limits)
  }
}

/// The request methods that routes can use.
package enum Method: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  /// Opens a tunnel through the proxy.
  case connect = "CONNECT"
}

/// The path and query of a request line, still percent-encoded.
package struct Target: Sendable, Equatable {
  package var path: String
  /// Without the `?`; empty if there is no query.
  package var query: String
  /// The slash at the end of the path that routing has removed, or empty.
  package var trailingSlash = ""

  package init(path: String, query: String = "") {
    self.path = path
    self.query = query
  }

  /// Splits `"/path?query"`.
  package init(_ text: String) {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(path: String(halves[0]), query: halves.count > 1 ? String(halves[1]) : "")
  }

  /// With the slash at its end.
  package var sentPath: String { path + trailingSlash }

  /// `path?query`.
  package var text: String { query.isEmpty ? sentPath : "\(sentPath)?\(query)" }
}

/// How a request reached the server.
package enum RequestOrigin: Sendable, Equatable {
  case direct
  /// Sent to the server as a proxy: an absolute `http` URL, or CONNECT.
  case proxied
  /// Sent to the server as a proxy, for an absolute `https` URL.
  case proxiedSecurely
  /// Sent inside a tunnel that ends at the server. Holds the `Proxy-Authorization` value of its CONNECT
  /// request.
  case tunnel(authorization: [UInt8]?)

  /// The proxy credentials of the tunnel's CONNECT request.
  package var authorization: String? {
    guard case .tunnel(let authorization?) = self else { return nil }
    return String(decoding: authorization, as: UTF8.self)
  }
}

/// The values that a route's pattern captured, by name.
package struct Parameters: Sendable, Equatable {
  package private(set) var pairs: [Pair] = []

  package struct Pair: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  package init() {}

  /// Adds a decoded segment.
  package mutating func add(_ name: String, _ value: String) {
    pairs.append(Pair(name: name, value: value))
  }

  /// The decoded segment of this name; nil if the pattern does not capture it.
  package func value(_ name: String) -> String? {
    pairs.first { $0.name == name }?.value
  }

  /// The decoded segment of this name, which the pattern must capture.
  package subscript(name: String) -> String {
    guard let value = value(name) else {
      preconditionFailure("the route's pattern does not capture {\(name)}")
    }
    return value
  }
}

/// Who has handled a request.
package struct Handling: Sendable, Equatable {
  package let sandbox: String
  package let owner: String
  package let route: String?
  /// Path and query, with secrets masked.
  package let target: String

  package init(sandbox: String, owner: String, route: String?, target: String) {
    (self.sandbox, self.owner, self.route, self.target) = (sandbox, owner, route, target)
  }
}

/// The query and body of a request. Each is parsed on first use and remembers which fields were read.
package final class Inputs {
  private var query: Form?
  private var form: Form?
  private var json: Fields?
  /// What is wrong with a compressed body that the owner would have decompressed.
  package var compressionProblem: String?
  /// Set for an access log only.
  package var handling: Handling?
  /// True if `misspelt` names the member that was probably meant.
  package var explainsUnread = false

  package init() {}

  /// The format in which the body was read first, also if that failed; nil if nobody has read it.
  package fileprivate(set) var bodyFormat: BodyFormat?

  /// The error for the first member of a JSON body that nobody has read and that is named like an absent one.
  package var misspelt: FieldError? { json?.misspelt }

  /// The names of fields that were parsed but never read, in the order they were sent.
  package var unread: [String] { unread(withBody: true) }

  func unread(withBody: Bool) -> [String] {
    var names = UnreadNames()
    query?.collectUnread(&names)
    switch bodyFormat {
    case .form where withBody: form?.collectUnread(&names)
    case .json where withBody: json?.collectUnread(&names)
    default: break
    }
    return names.list
  }

  func query(of text: String) throws(FormError) -> Form {
    if let query { return query }
    let parsed = try Form(parsing: Array(text.utf8))
    query = parsed
    return parsed
  }

  func form(of body: [UInt8]) throws(FormError) -> Form {
    bodyFormat = bodyFormat ?? .form
    if let form { return form }
    let parsed = try Form(parsing: body)
    form = parsed
    return parsed
  }

  func json(
    of body: [UInt8], _ limits: JSON.Limits, _ repeatedNames: JSON.RepeatedNames
  ) throws(FieldError) -> Fields {
    bodyFormat = bodyFormat ?? .json
    if let json { return json }
    let parsed =
      body.isEmpty ? try Fields(.object([])) : try Fields(body, limits: limits, repeatedNames: repeatedNames)
    if explainsUnread { parsed.explainUnread() }
    json = parsed
    return parsed
  }
}

extension Request {
  /// The value of a cookie; nil if the browser has none of this name.
  package func cookie(_ name: String) -> String? {
    for cookie in headers["Cookie"]?.split(separator: ";") ?? [] {
      let cookie = cookie.drop { $0 == " " }
      if cookie.hasPrefix("\(name)=") { return String(cookie.dropFirst(name.count + 1)) }
    }
    return nil
  }
}

extension Request {
  /// Parses bytes that are exactly one request, with the checks of those that clients send.
  package init(
    parsing bytes: [UInt8], scheme: String, peer: String, bodyLimit: (RequestHead) -> Int
  ) throws(MalformedRequest) {
    var parser = RequestParser(scheme: scheme, peer: peer)
    var position = 0
    let event = try bytes.withUnsafeBytes { input in
      Result { () throws(MalformedRequest) in
        try parser.next(in: input, at: &position, bodyLimit: bodyLimit)
      }
    }.get()
    guard case .message(let message) = event, position == bytes.count else { throw .requestLineShape }
    self = message.request
  }
}
