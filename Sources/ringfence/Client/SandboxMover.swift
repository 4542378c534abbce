import ArgumentParser
import Domain
import HTTP
import JSON
import Snapshots

/// Moves a sandbox from one server to another.
///
/// ```
/// snapshot at the source ──> restore at the destination ──> delete at the source, if it has not changed ──> done
///        ^                         │ refused                      │ changed meanwhile
///        │                         v                              v
///        └─── again ──── delete at the destination <──────────────┘
/// ```
struct SandboxMover {
  let name: String
  let source: ControlClient
  let destination: ControlClient

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// How often to try while clients change the sandbox.
  private static let attempts = 10

  private var path: String { "/control/sandboxes/\(name)" }

  /// Returns the names by which a load balancer finds the sandbox. When it throws, the sandbox is where it
  /// was.
  func move() throws -> [String] {
    guard name != Sandboxes.defaultName else {
      throw Failure(description: "the default sandbox cannot be moved; every server has one")
    }
    guard try !exists(at: destination) else {
      throw Failure(
        description: "\(destination.server.origin) has a sandbox \(name) already; nothing was moved")
    }
    for _ in 1...Self.attempts {
      let snapshot = try source.getResponse(path + "/snapshot")
      let names = try Self.names(name, in: snapshot.body)
      _ = try destination.put(path + "/snapshot", snapshot.body)
      do {
        try requireEqualTokens()
        try source.delete(path, ifMatch: snapshot.headers["ETag"])
        return names
      } catch let error as ControlClient.Rejection where error.status == 412 {
        try destination.delete(path)
      } catch let error as PlainSocket.Failure {
        throw Failure(
          description: "\(error). Both servers may have sandbox \(name) now: delete it at one of them")
      } catch {
        try destination.delete(path)
        throw error
      }
    }
    throw Failure(description: "clients keep changing sandbox \(name); stop them, then try again")
  }

  private func exists(at server: ControlClient) throws -> Bool {
    do {
      _ = try server.get(path)
      return true
    } catch let error as ControlClient.Rejection where error.status == 404 {
      return false
    }
  }

  /// Clients of the sandbox must not notice the move.
  private func requireEqualTokens() throws {
    guard let own = try token(at: source) else { return }
    guard try token(at: destination) == own else {
      throw Failure(
        description: """
          the token of sandbox \(name) would not be valid at \(destination.server.origin): both servers need the same \
          file sandbox-token-key in --data; nothing was moved
          """)
    }
  }

  /// Nil if the server requires no token.
  private func token(at server: ControlClient) throws -> String? {
    do {
      return try Fields(server.post(path + "/tokens", .object([]))).string("token")
    } catch let error as ControlClient.Rejection where error.status == 409 {
      return nil
    }
  }

  /// The sandbox's name, and the names of its credentials.
  private static func names(_ name: String, in snapshot: [UInt8]) throws -> [String] {
    let fields = try Fields(snapshot, limits: .snapshot)
    guard let table = try fields.object("tables").optionalObject("credentials"),
      let place = try table.strings("columns").firstIndex(of: "name"),
      case .array(let rows) = try table.json("rows")
    else { return [name] }
    return [name]
      + rows.compactMap { row in
        guard case .array(let values) = row, values.indices.contains(place),
          case .string(let text) = values[place]
        else { return nil }
        return text
      }
  }
}
