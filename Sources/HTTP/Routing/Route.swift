/// One operation: method, path, name, and the function that answers.
///
/// A class because every request passes it on, and one reference is less to copy than its parts.
package final class Route<Context> {
  /// What answers: a plain function that a test can call without a router.
  package typealias Handler = (Request, Context) throws -> Reply

  /// The operation's name, in the journal, in faults and in the coverage ledger: `createVerification`.
  package let name: String
  /// The method it answers to; `get` answers `head` too.
  package let method: Method
  /// The path with `{captures}`.
  package let pattern: Pattern
  /// The most bytes its body may have; nil for the server's default.
  package let bodyLimit: Int?
  /// What answers; nil for an operation of the vendor's that is not emulated.
  package let handler: Handler?
  /// Whether it is there only under its owner's hosts and prefixes: for paths that several owners have.
  package let isHostBound: Bool

  private init(
    name: String, method: Method, pattern: Pattern, bodyLimit: Int?, handler: Handler?,
    isHostBound: Bool = false
  ) {
    self.name = name
    self.method = method
    self.pattern = pattern
    self.bodyLimit = bodyLimit
    self.handler = handler
    self.isHostBound = isHostBound
  }

  /// The same route, which is there only under its owner's hosts and prefixes.
  package var hostBound: Route {
    Route(
      name: name, method: method, pattern: pattern, bodyLimit: bodyLimit, handler: handler, isHostBound: true)
  }

  /// A route whose answer may wait.
  package static func follow(
    _ method: Method, _ pattern: Pattern, as name: String, bodyLimit: Int? = nil, _ handler: @escaping Handler
  ) -> Route {
    Route(name: name, method: method, pattern: pattern, bodyLimit: bodyLimit, handler: handler)
  }

  /// A route that answers at once.
  package static func on(
    _ method: Method, _ pattern: Pattern, as name: String, bodyLimit: Int? = nil,
    _ handler: @escaping (Request, Context) throws -> Response
  ) -> Route {
    Route(name: name, method: method, pattern: pattern, bodyLimit: bodyLimit) { .now(try handler($0, $1)) }
  }

  /// `GET` (and `HEAD`).
  package static func get(
    _ pattern: Pattern, as name: String, _ handler: @escaping (Request, Context) throws -> Response
  ) -> Route { .on(.get, pattern, as: name, handler) }

  /// `POST`.
  package static func post(
    _ pattern: Pattern, as name: String, _ handler: @escaping (Request, Context) throws -> Response
  ) -> Route { .on(.post, pattern, as: name, handler) }

  /// `PUT`.
  package static func put(
    _ pattern: Pattern, as name: String, _ handler: @escaping (Request, Context) throws -> Response
  ) -> Route { .on(.put, pattern, as: name, handler) }

  /// `DELETE`.
  package static func delete(
    _ pattern: Pattern, as name: String, _ handler: @escaping (Request, Context) throws -> Response
  ) -> Route { .on(.delete, pattern, as: name, handler) }

  /// An operation that the vendor has and we have not: it answers in the vendor's words.
  package static func absent(_ method: Method, _ pattern: Pattern, as name: String) -> Route {
    Route(name: name, method: method, pattern: pattern, bodyLimit: nil, handler: nil)
  }
}
