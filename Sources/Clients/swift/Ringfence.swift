import Foundation

/// A running server. It ends with this process, however that ends.
public final class Ringfence: Sendable {
  public let url: String
  /// Requests to the control API of the server.
  public let control: Control
  let receiver: Receiver
  private let program: Program?

  /// Starts the program in memory on a free port; uses the server at $RINGFENCE_URL if there is one.
  ///
  /// `url` is another server, and `token` its admin token, by default $RINGFENCE_ADMIN_TOKEN. With `fresh`,
  /// one is started whatever $RINGFENCE_URL says. `options` are those of `ringfence run`, such as
  /// `["--numbers", "safe-only"]`.
  public static func start(
    url: String? = nil, token: String? = nil, fresh: Bool = false, options: [String] = []
  ) async throws -> Ringfence {
    let environment = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
    let given = url ?? (fresh ? nil : environment["RINGFENCE_URL"])
    if let given, !options.isEmpty {
      throw RingfenceError("options: are for a new server, but \(given) is to be used")
    }
    let program = given == nil ? try await Program.start(options) : nil
    let token = token ?? environment["RINGFENCE_ADMIN_TOKEN"] ?? environment["RINGFENCE_TOKEN"]
    return Ringfence(
      url: program?.url ?? given ?? "", token: program == nil ? token : nil, program, try Receiver())
  }

  /// The server of this process, started when it is first needed.
  public static var shared: Ringfence { get async throws { try await starting.value } }

  private static let starting = Task.detached { try await Ringfence.start() }

  private init(url: String, token: String?, _ program: Program?, _ receiver: Receiver) {
    // The variable may name a sandbox of the server.
    self.url = url.replacing(#/\/+$/#, with: "").replacing(#/\/s\/[A-Za-z0-9_.\-]+$/#, with: "")
    (self.program, self.receiver) = (program, receiver)
    control = Control(url: self.url, token: token) {
      guard let program else { return "is it running? See RINGFENCE_URL" }
      guard let ending = await program.endingSoon() else { return "it is running" }
      return "it has ended with \(ending)\n\(program.errors)"
    }
  }

  /// The process, if this client has started it.
  public var processIdentifier: Int32? { program?.processIdentifier }

  /// True if it ends with the tests, so that nobody can look at it afterwards.
  public var isTransient: Bool { program != nil }

  /// Creates a sandbox. The clock runs, unless a time such as `2026-01-05T12:00:00Z` is given, at which it is
  /// frozen. `seed` is that of ids, codes and keys; 1 by default.
  public func sandbox(name: String? = nil, clock: String? = nil, seed: Int? = nil) async throws -> Sandbox {
    let seed = seed.map { JSON.number(Double($0)) }
    let body = members(["name": name.map(JSON.string), "clock": clock.map(JSON.string), "entropySeed": seed])
    return await sandbox(try await control.value("POST", "/control/sandboxes", body))
  }

  /// A sandbox that exists, such as `default`.
  public func existing(_ name: String) async throws -> Sandbox {
    await sandbox(try await control.value("GET", "/control/sandboxes/\(segment(name))"))
  }

  private func sandbox(_ described: Sandbox.Described) async -> Sandbox {
    let sandbox = Sandbox(self, described)
    await receiver.handle(sandbox.name, by: sandbox.inbox)
    return sandbox
  }

  /// Stops the program, if this client has started it.
  public func stop() async {
    receiver.stop()
    await program?.stop()
  }
}

/// An object of the members that have a value.
func members(_ given: [String: JSON?]) -> JSON { .object(given.compactMapValues { $0 }) }
