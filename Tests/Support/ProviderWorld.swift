package import Domain
package import HTTP
import JSON
import Testing

/// A sandbox and a client of one provider, as the tests of most providers need them.
package protocol ProviderWorld {
  /// The provider's member in seeds.
  static var provider: String { get }
  /// The number that most tests use.
  static var number: String { get }

  var world: TestSandbox { get }

  /// The messages that a destination's handset shows.
  func inbox(_ destination: String) throws -> [Message]
}

extension ProviderWorld {
  package var sandbox: Sandbox { world.sandbox }

  package func advance(_ seconds: Int) throws {
    try sandbox.atomically { try sandbox.advance(by: .seconds(seconds)) }
  }

  /// Loads a seed, as `POST /control/seed` does.
  package func seed(_ json: String) throws {
    let seed = try Fields(Array(json.utf8))
    try sandbox.atomically { try world.sandboxes.seeds.load(seed, into: sandbox) }
  }

  /// Loads settings of the provider: `"maxChecks":2`.
  package func configure(_ settings: String) throws {
    try seed(#"{"\#(Self.provider)":{"settings":{\#(settings)}}}"#)
  }

  package func inbox(_ destination: String = Self.number) throws -> [Message] {
    var filter = Messages.Filter()
    filter.destination = destination
    return try sandbox.messages.inbox(filter)
  }

  /// The code in the newest message to a destination.
  package func code(for destination: String = Self.number) throws -> String {
    try #require(try inbox(destination).last?.code)
  }
}

/// The world of a provider whose requests have JSON.
package protocol JSONProviderWorld: ProviderWorld {
  /// Those of most requests.
  static var credentials: Headers { get }
}

extension JSONProviderWorld {
  package func send(
    _ method: HTTP.Method, _ path: String, _ body: String = "", as credentials: Headers = Self.credentials
  ) throws -> Exchange {
    var headers = credentials
    if !body.isEmpty { headers.add("Content-Type", "application/json") }
    return try world.send(.to(path, method, headers: headers, body: Array(body.utf8)))
  }

  package func get(_ path: String, as credentials: Headers = Self.credentials) throws -> Exchange {
    try send(.get, path, as: credentials)
  }

  package func post(
    _ path: String, _ body: String = "", as credentials: Headers = Self.credentials
  ) throws -> Exchange {
    try send(.post, path, body, as: credentials)
  }
}
