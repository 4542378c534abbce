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
  /// False if the handler does not look at its context: it answers whatever that does.
  package let needsContext: Bool
  package let access: Access
  /// True for a page of the console that belongs to a provider: nobody's request, unless it fails.
  package let isPage: Bool

  private init(
    name: String, method: Method, pattern: Pattern, bodyLimit: Int?, handler: Handler?,
    isHostBound: Bool = false, needsContext: Bool = true, access: Access = .admin
  ) {
    self.name = name
    self.method = method
    self.pattern = pattern
    self.bodyLimit = bodyLimit
    self.handler = handler
    self.isHostBound = isHostBound
    self.needsContext = needsContext
    self.access = access
    isPage = pattern.description.hasPrefix("/console/")
  }

  /// The same route for these callers.
  package func open(to access: Access) -> Route {
    Route(
      name: name, method: method, pattern: pattern, bodyLimit: bodyLimit, handler: handler,
      isHostBound: isHostBound, needsContext: needsContext, access: access)
  }

  /// The same route, limited to its owner's hosts and prefixes.
  package var hostBound: Route {
    Route(
      name: name, method: method, pattern: pattern, bodyLimit: bodyLimit, handler: handler, isHostBound: true,
      needsContext: needsContext, access: access)
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

  /// A route about the server itself, without a context.
  package static func ofServer(
    _ pattern: Pattern, as name: String, _ handler: @escaping (Request) throws -> Response
  ) -> Route {
    Route(
      name: name, method: .get, pattern: pattern, bodyLimit: nil,
      handler: { request, _ in .now(try handler(request)) }, needsContext: false)
  }

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
