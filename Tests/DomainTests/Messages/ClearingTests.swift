import Database
import Domain
import Foundation
import Snapshots
import Support
import Testing

/// Issue 45, B4: many messages are removed in parts, and nobody sees a part.
@Suite("Domain · emptying large inboxes")
struct ClearingTests {
  /// A world with this many messages to one number.
  private func world(_ count: Int, _ location: Location = .memory) throws -> World {
    let world = try World(location)
    try world.sandbox.atomically {
      for _ in 1...count { _ = try world.sandbox.messages.submit(.text("1111"), to: nil) }
    }
    try world.sandboxes.commit()
    return world
  }

  private func left(in world: World) throws -> Int {
    try world.count("SELECT count(*) FROM messages WHERE arrives_at < 253000000000000")
  }

  @Test("the first part is removed at once; requests wait for the others", arguments: [nil, "+12025550100"])
  func parts(destination: String?) throws {
    let world = try world(9_000)

    try world.sandbox.atomically { try world.sandbox.messages.clear(destination: destination) }
    let first = try left(in: world)
    #expect(first > 4_000 && first < 9_000 && world.sandbox.isBusy)
    #expect(throws: SandboxIsBusy.self) { try world.sandboxes.startSnapshot(of: world.sandbox) }
    // The clock goes back with each reading, so that the request has time for one part.
    world.wallClock.ticks = .milliseconds(-1)
    #expect(throws: SandboxIsBusy.self) { try world.sandbox.prepareForRequest() }
    #expect(try left(in: world) > 0 && left(in: world) < first)
    world.wallClock.ticks = .zero
    try world.sandboxes.catchUp()

    #expect(try !world.sandbox.isBusy && left(in: world) == 0)
    try world.sandbox.prepareForRequest()
  }

  @Test("a few messages are removed at once")
  func few() throws {
    let world = try world(400)

    try world.sandbox.messages.clear(destination: nil)

    #expect(try !world.sandbox.isBusy && left(in: world) == 0)
  }

  @Test("a message that comes before the end stays")
  func later() throws {
    let world = try world(9_000)
    try world.sandbox.messages.clear(destination: nil)
    _ = try world.sandbox.messages.submit(.text("2222"), to: nil)

    while world.sandbox.isBusy { try world.sandboxes.catchUp() }

    #expect(try world.sandbox.messages.inbox(.init()).map(\.code) == ["2222"])
  }

  @Test("after a crash, the rest is removed before anybody sees it")
  func crash() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "clearing-\(UUID()).sqlite").path
    defer {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
    }
    let first = try world(9_000, .file(path: file))
    try first.sandbox.messages.clear(destination: nil)
    try first.sandboxes.commit()
    first.close()

    let second = try World(.file(path: file))
    #expect(try left(in: second) > 4_000)
    second.wallClock.ticks = .milliseconds(-1)
    #expect(throws: SandboxIsBusy.self) { try second.sandbox.prepareForRequest() }
    second.wallClock.ticks = .zero
    try second.sandboxes.catchUp()
    #expect(try left(in: second) == 0)
  }

  @Test("pushes are deleted in parts, too")
  func pushes() throws {
    let world = try World()
    try world.sandbox.atomically {
      for _ in 1...5_000 {
        try world.database.run(
          "INSERT INTO pushes (sandbox, ordinal, device, token, payload) VALUES (?, ?, 1, 't', '{}')",
          world.sandbox.id, world.sandbox.nextOrdinal())
      }
    }

    try world.sandbox.pushes.clear(token: nil)
    let first = try world.count("SELECT count(*) FROM pushes")
    #expect(first > 0 && first < 4_000 && world.sandbox.isBusy)
    while world.sandbox.isBusy { try world.sandboxes.catchUp() }

    #expect(try world.count("SELECT count(*) FROM pushes") == 0)
  }
}
