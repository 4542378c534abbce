import Basics
import Compression
import Control
import Domain
import HTTP
import JSON
import Support
import Testing

/// Issue 45, B4: large answers are made in pieces between which others are answered.
@Suite("Control · answers in pieces")
struct PiecesTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  private func record(_ count: Int, body: [UInt8] = []) {
    for _ in 1...count {
      desk.sandbox.journal.record(
        Journal.Exchange(
          at: desk.sandbox.clock.now, owner: "acme", route: "fetchThing", method: "GET", target: "/things",
          requestHead: [], requestBody: body, status: 200, responseHead: [], responseBody: [], why: nil,
          unread: [], nearest: []))
    }
  }

  /// The body of an answer; nil if the answer is whole.
  private func pieces(_ path: String, headers: Headers = [:]) throws -> BodyPieces? {
    guard case .streamed(let response, let body) = desk.world.reply(to: .to(path, headers: headers)) else {
      return nil
    }
    #expect(response.status == 200 && response.body.isEmpty)
    return body
  }

  /// The pieces, one step after the other: an empty one for a step without a result.
  private func steps(_ body: BodyPieces) throws -> [[UInt8]] {
    var steps: [[UInt8]] = []
    while true {
      switch try body.next(size: 1, until: { true }) {
      case .bytes(let piece): steps.append(piece)
      case .later: steps.append([])
      case .end: return steps
      }
    }
  }

  @Test("a list has at most one entry in a step, and is the same as at once")
  func list() throws {
    record(300)

    let body = try #require(try pieces("/control/journal?limit=200"))
    let steps = try steps(body)
    let json = try JSON(parsing: Array(steps.joined()), limits: .seed)

    #expect(json["requests"]?.items.count == 200 && json["hasMore"] == .bool(true))
    #expect(json["cursor"] == .integer(200))
    // The first steps were one to find out that it is large.
    #expect(steps.count > 100 && steps.dropFirst().allSatisfy { $0.count < 1_000 })
  }

  @Test("a small list is whole while the turn is short")
  func smallList() throws {
    record(3)

    #expect(try pieces("/control/journal") == nil)
    desk.world.dispatcher.isTurnLong = { true }
    let body = try #require(try pieces("/control/journal"))
    #expect(try JSON(parsing: body.collect())["requests"]?.items.count == 3)
  }

  @Test("a search looks at one request in a step, whether it is found or not", arguments: ["", "/verify"])
  func search(path: String) throws {
    record(100, body: Array("needle".utf8))
    desk.world.dispatcher.isTurnLong = { true }

    if path.isEmpty {
      let body = try #require(try pieces("/control/journal?contains=nothing"))
      #expect(try steps(body).count > 90)
    } else {
      let reply = try #require(desk.wait("POST /control/journal/verify", #"{"match":{"contains":"needle"}}"#))
      #expect(try reply.answer() == nil)
      try desk.world.runJobs()
      #expect(try desk.answer(reply.answer()) == #"200 {"verified":true,"count":100}"#)
    }
  }

  @Test(
    "a filter searches a part of a long history in a step, in both orders", arguments: ["oldest", "newest"])
  func filter(order: String) throws {
    try desk.send()
    for _ in 1...50_000 { _ = desk.sandbox.nextOrdinal() }
    try desk.send(to: "+12025550101")

    desk.world.dispatcher.isTurnLong = { true }
    for (channel, count) in [("sms", 2), ("call", 0)] {
      let body = try #require(try pieces("/control/messages?channel=\(channel)&order=\(order)"))
      let steps = try steps(body)
      let page = try JSON(parsing: Array(steps.joined()))
      #expect(page["messages"]?.items.count == count && page["hasMore"] == .bool(false))
      // The first step has found out that it takes longer.
      #expect(steps.count >= 2 + count)
    }
  }

  @Test("a client that waits for a text gets a request that is there, or a later one")
  func waiting() throws {
    record(100)
    let path = "GET /control/journal/wait?contains=needle&wait=30"
    let reply = try #require(desk.wait(path))
    try desk.world.runJobs()
    guard case .pending(let waiting)? = try reply.reply() else {
      Issue.record("it does not wait")
      return
    }
    #expect(try waiting.answer() == nil)

    _ = try desk.ask("GET /things/v1/things/needle")
    #expect(try desk.answer(waiting.answer())?.contains(#""cursor":101"#) == true)
    #expect(try desk.ask(path).contains(#""cursor":101"#))
  }

  @Test("errors are read for one provider in a step, then written one by one; the same as at once")
  func errors() throws {
    let body = try #require(try pieces("/control/errors"))
    let json = try JSON(parsing: Array(steps(body).joined()), limits: .seed)

    #expect(json["errors"]?.items.isEmpty == false)
    #expect(try JSON(parsing: desk.respond("GET /control/errors").body, limits: .seed) == json)
  }

  @Test("an answer in pieces is compressed in pieces, a large one too, and a small one at once")
  func compression() throws {
    record(1_000)
    let gzip: Headers = ["Accept-Encoding": "gzip"]

    let list = try #require(try pieces("/control/journal?limit=1000", headers: gzip))
    let plain = try desk.respond("GET /control/journal?limit=1000").body
    let steps = try steps(list)
    #expect(steps.count > 100)
    #expect(try Array(steps.joined()) == compressed(plain))
    #expect(try compressed(plain).count < plain.count / 4)

    let document = try desk.respond("GET /control/openapi.json").body
    let large = try self.steps(#require(try pieces("/control/openapi.json", headers: gzip)))
    #expect(large.count > document.count >> 15)
    #expect(try Array(large.joined()) == compressed(document))

    let small = try desk.respond("GET /control/faults/options", headers: gzip)
    #expect(small.headers["Content-Encoding"] == "gzip")
  }

  @Test("a snapshot is sent in parts")
  func snapshot() throws {
    record(1_000, body: [UInt8](repeating: 0x61, count: 10_000))
    let reply = try #require(desk.wait("GET /control/sandboxes/default/snapshot"))
    try desk.world.runJobs()

    let snapshot = try #require(try reply.reply())
    guard case .streamed(let response, let body) = snapshot else {
      Issue.record("the snapshot is not in parts: \(snapshot)")
      return
    }
    let parts = try steps(body)

    #expect(response.headers["ETag"] != nil)
    #expect(parts.count > 100 && parts.allSatisfy { $0.count < 1 << 17 })
  }

  @Test("the answer of a sandbox that is deleted meanwhile ends with an error")
  func deletedSandbox() throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci"}"#)
    let sandbox = try #require(desk.world.sandboxes["ci"])
    let draft = MessageDraft(
      provider: "acme", reference: "r", channel: .sms, destination: "+12025550100", sender: "a", text: "b",
      code: nil)
    for _ in 0..<300 { _ = try sandbox.messages.submit(draft, to: nil) }
    let body = try #require(try pieces("/s/ci/control/messages?limit=300"))
    _ = try desk.ask("DELETE /control/sandboxes/ci")

    #expect(throws: SandboxIsGone.self) { try body.collect() }
  }

  private func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
    try #require(GzipStream()).compress(bytes, isLast: true)
  }
}
