import HTTP
import Testing

private typealias Frame = HTTP2Client.Frame

/// The error code of a GOAWAY or RST_STREAM frame.
private func code(_ frame: Frame?) -> UInt8? { frame?.payload.last }

@Suite("HTTP/2 · requests and responses")
struct HTTP2SessionTests {
  @Test("a request has the same parts as by HTTP/1.1")
  func request() throws {
    var settings = HTTP2Session.Settings()
    (settings.scheme, settings.peer) = ("https", "192.0.2.1:4711")
    let client = HTTP2Client(settings)

    client.request(
      1, "POST", "/things?a=1", fields: [("x-name", "v"), ("cookie", "a=1"), ("cookie", "b=2")], ends: false)
    client.send(Frame(type: HTTP2Client.data, stream: 1, payload: Array("ab".utf8)))
    #expect(client.session.nextRequest() == nil)
    client.send(
      Frame(type: HTTP2Client.data, flags: HTTP2Client.endStream, stream: 1, payload: Array("cd".utf8)))
    let message = try #require(client.session.nextRequest())

    #expect(message.stream == 1 && message.request.method == .post)
    #expect(message.request.target.text == "/things?a=1")
    #expect(message.request.base == "https://host.test" && message.request.peer == "192.0.2.1:4711")
    #expect(
      message.request.headers.pairs.map { "\($0): \($1)" } == [
        "host: host.test", "x-name: v", "cookie: a=1; b=2",
      ])
    #expect(message.request.body == Array("abcd".utf8))
  }

  @Test("a scheme may end with a colon, as an official client for Node sends it, but must be one")
  func schemes() throws {
    let client = HTTP2Client()
    let schemes = ["https:", "http", "x+y-z.1", "", ":", "1a", "ht tp", "https::"]

    for (index, scheme) in schemes.enumerated() {
      client.send(
        Frame(
          type: HTTP2Client.headers, flags: HTTP2Client.endHeaders | HTTP2Client.endStream,
          stream: Int32(2 * index + 1),
          payload: HTTP2Client.block([
            (":method", "GET"), (":scheme", scheme), (":path", "/"), (":authority", "host.test"),
          ])))
    }

    #expect((0..<3).map { _ in client.session.nextRequest()?.stream } == [1, 3, 5])
    #expect(!client.session.hasRequests)
    #expect(client.receive().filter { $0.type == HTTP2Client.reset && code($0) == 1 }.count == 5)
  }

  @Test("a response has lower-case names, its length, and no fields of the connection")
  func response() throws {
    let client = HTTP2Client()
    let headers: Headers = [
      "X-Name": "v", "Connection": "close", "Keep-Alive": "5", "Transfer-Encoding": "chunked", "Upgrade": "x",
      "Proxy-Connection": "close",
    ]

    client.request(1)
    client.session.respond(Response(201, headers: headers, body: [65]), to: 1, isHead: false)
    let frames = client.receive().filter { $0.stream == 1 }

    #expect(client.fields(of: frames[0]) == [":status: 201", "x-name: v", "content-length: 1"])
    #expect(
      frames[1] == Frame(type: HTTP2Client.data, flags: HTTP2Client.endStream, stream: 1, payload: [65]))
    #expect(frames.count == 2 && !client.session.hasStreams)
  }

  @Test("HEAD has the length without the body; 204 and 304 have neither", arguments: [200, 204, 304])
  func bodiless(status: Int) throws {
    let client = HTTP2Client()

    client.request(1, "HEAD")
    client.session.respond(
      Response(try #require(Status(status)), body: status == 200 ? [1, 2] : []), to: 1, isHead: true)
    let frames = client.receive().filter { $0.stream == 1 }

    #expect(frames.map(\.flags) == [HTTP2Client.endStream | HTTP2Client.endHeaders])
    #expect(
      client.fields(of: frames[0]) == [":status: \(status)"] + (status == 200 ? ["content-length: 2"] : []))
  }

  @Test("a truncated body ends with a reset of its stream only")
  func truncated() {
    let client = HTTP2Client()

    client.request(1)
    client.request(3)
    client.session.respond(
      Response(200, body: [1, 2, 3], transport: .truncated(after: 2)), to: 1, isHead: false)
    client.session.respond(Response(200, body: [4]), to: 3, isHead: false)
    let frames = client.receive()

    #expect(frames.first { $0.type == HTTP2Client.data && $0.stream == 1 }?.payload == [1, 2])
    #expect(code(frames.first { $0.type == HTTP2Client.reset && $0.stream == 1 }) == 2)
    #expect(frames.first { $0.type == HTTP2Client.data && $0.stream == 3 }?.payload == [4])
  }

  @Test("an interim response follows Expect: 100-continue; other expectations get 417")
  func expectation() {
    let client = HTTP2Client()

    client.request(1, "POST", fields: [("expect", "100-continue")], ends: false)
    client.request(3, "POST", fields: [("expect", "tea")], ends: false)
    let frames = client.receive().filter { $0.type == HTTP2Client.headers }

    #expect(frames.map(\.stream) == [1, 3])
    #expect(client.fields(of: frames[0]) == [":status: 100"])
    #expect(client.fields(of: frames[1]).first == ":status: 417")
  }

  @Test("what needs HTTP/1.1 is refused with HTTP_1_1_REQUIRED")
  func requiresHTTP1() {
    let client = HTTP2Client()

    client.request(1)
    #expect(client.session.nextRequest()?.stream == 1)
    client.session.respond(Response(426), to: 1, isHead: false)
    client.send(
      Frame(
        type: HTTP2Client.headers, flags: HTTP2Client.endHeaders, stream: 3,
        payload: HTTP2Client.block([(":method", "CONNECT"), (":authority", "host.test:443")])))
    let frames = client.receive().filter { $0.type == HTTP2Client.reset }

    #expect(frames.map(\.stream) == [1, 3] && frames.allSatisfy { code($0) == 0x0D })
    #expect(!client.session.hasRequests)
  }

  @Test("pieces are sent as the client's window allows, and a failure resets the stream")
  func pieces() {
    let client = HTTP2Client()
    var count = 0
    struct Failure: Error {}

    client.request(1)
    client.session.respond(
      Response(200),
      BodyPieces {
        count += 1
        if count > 20 { throw Failure() }
        return [UInt8](repeating: 7, count: 10_000)
      }, to: 1, isHead: false)
    let first = client.receive()
    let before = count
    for _ in 0..<20 {
      client.send(
        Frame(type: HTTP2Client.windowUpdate, payload: HTTP2Client.number(40_000)),
        Frame(type: HTTP2Client.windowUpdate, stream: 1, payload: HTTP2Client.number(40_000)))
    }
    let second = client.receive()

    #expect(first.filter { $0.type == HTTP2Client.data }.reduce(0) { $0 + $1.payload.count } == 65_535)
    #expect(before == 7)
    #expect(code(second.last { $0.type == HTTP2Client.reset }) == 2)
    #expect(!client.session.isSending && client.session.unsentBytes == 0)
  }

  @Test("during a long turn, no piece is produced")
  func longTurn() {
    let client = HTTP2Client()
    var isLong = true
    client.session.isTurnLong = { isLong }

    client.request(1)
    var left = 1
    client.session.respond(
      Response(200),
      BodyPieces {
        left -= 1
        return left == 0 ? [1] : nil
      }, to: 1, isHead: false)
    #expect(
      client.receive().filter { $0.type == HTTP2Client.data }.isEmpty && client.session.hasDelayedPieces)
    isLong = false

    #expect(client.receive().filter { $0.type == HTTP2Client.data }.first?.payload == [1])
  }

  @Test("a body that has only worked so far continues in a later turn")
  func work() {
    let client = HTTP2Client()
    var readings = 0
    client.session.isTurnLong = {
      readings += 1
      return readings > 2
    }

    client.request(1)
    var pieces: [[UInt8]] = [[], [], [], [], [], [1]]
    client.session.respond(
      Response(200), BodyPieces { pieces.isEmpty ? nil : pieces.removeFirst() }, to: 1, isHead: false)
    var turns = 1
    while client.receive().first(where: { $0.type == HTTP2Client.data }) == nil, turns < 100 {
      turns += 1
      readings = 0
    }

    #expect((3...6).contains(turns))
  }

  @Test("a live body continues when it has news, with heartbeats when it is quiet, and until it is finished")
  func live() {
    let client = HTTP2Client()
    var (pieces, hasNews): ([[UInt8]], Bool) = ([[1]], false)
    let body = BodyPieces(hasNews: { hasNews }, heartbeat: [9], cost: { 3 }) {
      pieces.isEmpty ? [] : pieces.removeFirst()
    }
    func data() -> [UInt8] {
      client.receive().filter { $0.type == HTTP2Client.data }.flatMap(\.payload)
    }

    client.request(1)
    client.session.respond(Response(200), body, to: 1, isHead: false)
    #expect(data() == [1] && !client.session.isSending && client.session.hasLiveBodies)
    #expect(client.session.continueLiveBodies(isBeat: false) == 0 && data() == [])
    (pieces, hasNews) = ([[2]], true)
    #expect(client.session.continueLiveBodies(isBeat: false) == 3 && data() == [2])
    hasNews = false
    #expect(client.session.continueLiveBodies(isBeat: true) == 0)
    #expect(client.session.continueLiveBodies(isBeat: true) == 3 && data() == [9])
    client.session.finishLiveBodies()

    #expect(client.receive().last { $0.type == HTTP2Client.data }?.flags == 1)
    #expect(!client.session.hasLiveBodies && !client.session.isSending)
  }

  @Test("a withdrawn request is not answered")
  func withdrawn() {
    let client = HTTP2Client()
    var ended: [Int32] = []
    client.session.onStreamEnd = { ended.append($0) }

    client.request(1)
    client.request(3)
    client.send(Frame(type: HTTP2Client.reset, stream: 1, payload: HTTP2Client.number(8)))

    #expect(client.session.nextRequest()?.stream == 3 && !client.session.hasRequests)
    client.session.respond(Response(200), to: 1, isHead: false)
    #expect(client.receive().filter { $0.stream == 1 }.isEmpty && ended == [1])
  }

  @Test("after a shutdown, requests that have begun are answered and others are ignored")
  func shutDown() {
    let client = HTTP2Client()

    client.request(1)
    client.session.shutDown()
    client.request(3)
    let goaway = client.receive().first { $0.type == HTTP2Client.goaway }
    #expect(goaway?.payload == HTTP2Client.number(1) + HTTP2Client.number(0) && !client.session.isFinished)
    client.session.respond(Response(200), to: 1, isHead: false)

    #expect(client.receive().map(\.stream) == [1])
    #expect(client.session.isFinished)
  }
}
