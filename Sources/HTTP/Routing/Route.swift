/// Everything that answers one set of routes: a provider, the mobile network, or the control API.
///
/// A class, because every request passes it on: one reference is cheaper to copy than eight properties.
package final class RouteOwner<Context> {
  /// Unique. Also a path prefix for its routes.
  package let name: String
  /// Path prefixes that are removed before its routes are matched.
  package let prefixes: [String]
  /// Its host names. Unknown paths under these hosts get its error response. Host-bound routes are only found
  /// here.
  package let hosts: HostNames
  /// True if a path with several slashes at its start means the same as with one.
  package let collapsesLeadingSlashes: Bool
  package let routes: [Route<Context>]
  /// True for the server's own API and pages: the access rules apply to them, and neither faults nor the
  /// journal.
  package let isOwn: Bool
  /// True if its routes are only found under hosts that no owner has.
  package let avoidsOwnedHosts: Bool
  /// Returns the response to a client that may not use its routes; `denial` is the one for programs.
  package let denialResponse: (_ denial: Response, Request) -> Response
  /// Returns the response for a request that no handler answered.
  package let errorResponse: (RequestFailure, Request, Context) -> Response
  /// Adds the fields that all its responses have.
  package let addCommonHeaders: (inout Headers, Context) -> Void
  /// True if an injected fault with this error code does not apply to a request.
  package let skipsFault: (_ code: String, Request, Context) throws -> Bool
  /// True if a request names a phone number in a spelling of its own, besides E.164 and its digits.
  package let namesNumber: (_ number: String, Request) -> Bool
  /// The user name that a request claims, not yet authenticated. It can select the sandbox.
  package let credential: (Request) -> String?

  package init(
    name: String, prefixes: [String] = [], hosts: HostNames = HostNames(),
    collapsesLeadingSlashes: Bool = false, routes: [Route<Context>], isOwn: Bool = false,
    avoidsOwnedHosts: Bool = false,
    denialResponse: @escaping (_ denial: Response, Request) -> Response = { denial, _ in denial },
    errorResponse: @escaping (RequestFailure, Request, Context) -> Response,
    addCommonHeaders: @escaping (inout Headers, Context) -> Void = { _, _ in },
    skipsFault: @escaping (_ code: String, Request, Context) throws -> Bool = { _, _, _ in false },
    namesNumber: @escaping (_ number: String, Request) -> Bool = { _, _ in false },
    credential: @escaping (Request) -> String? = { _ in nil }
  ) {
    self.name = name
    self.prefixes = prefixes
    self.hosts = hosts
    self.collapsesLeadingSlashes = collapsesLeadingSlashes
    self.routes = routes
    self.isOwn = isOwn
    self.avoidsOwnedHosts = avoidsOwnedHosts
    self.denialResponse = denialResponse
    self.errorResponse = errorResponse
    self.addCommonHeaders = addCommonHeaders
    self.skipsFault = skipsFault
    self.namesNumber = namesNumber
    self.credential = credential
  }
}

/// Who may call one of the server's own routes, where a token is required. Providers have the providers'
/// rules.
package enum Access: String, CaseIterable, Sendable {
  /// The holder of the admin token.
  case admin
  /// Also the holder of the sandbox's token, unless it is a workshop's.
  case sandbox
  /// Also a participant of a workshop, in the own sandbox.
  case participant
  /// Anybody.
  case open
}

/// One operation: method, path, name and handler.
///
/// A class, because every request passes it on: one reference is cheaper to copy than six properties.
package final class Route<Context> {
  package typealias Handler = (Request, Context) throws -> Reply

  /// The operation's name, such as `createVerification`. The journal, faults and the coverage table use it.
  package let name: String
  /// `get` also answers HEAD.
  package let method: Method
  package let pattern: Pattern
  /// The maximum body size in bytes; nil for the server's default.
  package let bodyLimit: Int?
  /// Nil if the provider has this operation but the sandbox does not emulate it.
  package let handler: Handler?
  /// True if the route only exists under its owner's hosts and prefixes. Several owners can then use the same
  /// path.
  package let isHostBound: Bool
  package let access: Access

  private init(
    name: String, method: Method, pattern: Pattern, bodyLimit: Int?, handler: Handler?,
    isHostBound: Bool = false, access: Access = .admin
  ) {
    self.name = name
    self.method = method
    self.pattern = pattern
    self.bodyLimit = bodyLimit
    self.handler = handler
    self.isHostBound = isHostBound
    self.access = access
  }

  /// The same route for these callers.
  package func open(to access: Access) -> Route {
    Route(
      name: name, method: method, pattern: pattern, bodyLimit: bodyLimit, handler: handler,
      isHostBound: isHostBound, access: access)
  }

  /// The same route, limited to its owner's hosts and prefixes.
  package var hostBound: Route {
    Route(
      name: name, method: method, pattern: pattern, bodyLimit: bodyLimit, handler: handler, isHostBound: true,
      access: access)
  }

  /// A route whose response may come later.
  package static func deferred(
    _ method: Method, _ pattern: Pattern, as name: String, bodyLimit: Int? = nil, _ handler: @escaping Handler
  ) -> Route {
    Route(name: name, method: method, pattern: pattern, bodyLimit: bodyLimit, handler: handler)
  }

  /// A route that responds immediately.
  package static func on(
    _ method: Method, _ pattern: Pattern, as name: String, bodyLimit: Int? = nil,
    _ handler: @escaping (Request, Context) throws -> Response
  ) -> Route {
    Route(name: name, method: method, pattern: pattern, bodyLimit: bodyLimit) { .now(try handler($0, $1)) }
  }

  /// A route that opens a WebSocket. The handler is called for a valid opening handshake only. Other requests
  /// get their owner's error response, with 426.
  package static func webSocket(
    _ pattern: Pattern, as name: String, _ handler: @escaping (Request, Context) throws -> WebSocket
  ) -> Route {
    .deferred(.get, pattern, as: name) { request, context in
      let response = try WebSocketHandshake.response(to: request)
      return .webSocket(response, try handler(request, context))
    }
  }

  package static func get(
    _ pattern: Pattern, as name: String, _ handler: @escaping (Request, Context) throws -> Response
  ) -> Route { .on(.get, pattern, as: name, handler) }

  package static func post(
    _ pattern: Pattern, as name: String, _ handler: @escaping (Request, Context) throws -> Response
  ) -> Route { .on(.post, pattern, as: name, handler) }

  package static func put(
    _ pattern: Pattern, as name: String, _ handler: @escaping (Request, Context) throws -> Response
  ) -> Route { .on(.put, pattern, as: name, handler) }

  package static func delete(
    _ pattern: Pattern, as name: String, _ handler: @escaping (Request, Context) throws -> Response
  ) -> Route { .on(.delete, pattern, as: name, handler) }

  /// An operation that the provider has but the sandbox does not emulate. Its owner's error response answers.
  package static func notEmulated(_ method: Method, _ pattern: Pattern, as name: String) -> Route {
    Route(name: name, method: method, pattern: pattern, bodyLimit: nil, handler: nil)
  }
}

/// A path with captures: `/v2/Services/{service}/Verifications`, `/Accounts/{account}.json`.
package struct Pattern: Sendable, Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text between two slashes.
  package enum Segment: Sendable, Equatable {
    case literal(String)
    /// Matches any text that ends in `suffix`. Captures the part before it.
    case capture(name: String, suffix: String)
  }

  /// The pattern as written.
  package let description: String
  package let segments: [Segment]
  /// The names of the captures, in order.
  package let names: [String]

  package init(stringLiteral text: String) {
    description = text
    let segments = text.split(separator: "/").map { part -> Segment in
      guard part.first == "{", let end = part.firstIndex(of: "}") else { return .literal(String(part)) }
      let name = part[part.index(after: part.startIndex)..<end]
      return .capture(name: String(name), suffix: String(part[part.index(after: end)...]))
    }
    self.segments = segments
    names = segments.compactMap { if case .capture(let name, _) = $0 { name } else { nil } }
  }

  /// True if some path matches both patterns.
  package func collides(with other: Pattern) -> Bool {
    guard segments.count == other.segments.count else { return false }
    return zip(segments, other.segments).allSatisfy { pair in
      switch pair {
      case (.literal(let one), .literal(let two)): one == two
      case (.literal, .capture), (.capture, .literal): false
      case (.capture(_, let one), .capture(_, let two)): one.hasSuffix(two) || two.hasSuffix(one)
      }
    }
  }

  /// The number of literal segments before the first one that differs from a path's.
  func commonLiterals(with parts: [Substring]) -> Int {
    var count = 0
    for (part, segment) in zip(parts, segments) {
      switch segment {
      case .literal(let text):
        guard text == part else { return count }
        count += 1
      case .capture(_, let suffix):
        guard part.hasSuffix(suffix) else { return count }
      }
    }
    return count
  }

  /// A similarity score: the number of equal or nearly equal segments, weighted. Higher is more similar.
  package func similarity(to parts: [Substring]) -> Int {
    var score = -abs(parts.count - segments.count)
    for (part, segment) in zip(parts, segments) {
      switch segment {
      case .capture: score += 1
      case .literal(let text) where text == part: score += 3
      case .literal(let text) where part.utf8.count > 2 * text.utf8.count: score -= 1
      case .literal(let text) where text.lowercased() == part.lowercased(): score += 2
      case .literal(let text): score += Self.isTypo(String(part), of: text) ? 2 : -1
      }
    }
    return score
  }

  /// True if two thirds of the longer word are a common prefix and suffix.
  private static func isTypo(_ word: String, of other: String) -> Bool {
    let prefix = zip(word.utf8, other.utf8).prefix { $0 == $1 }.count
    let suffix = zip(word.utf8.reversed(), other.utf8.reversed()).prefix { $0 == $1 }.count
    let longest = max(word.utf8.count, other.utf8.count)
    return prefix > 0 && 3 * min(prefix + suffix, longest) >= 2 * longest
  }
}
