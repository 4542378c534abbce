import HTTP
import Server
import Testing
import Wire

@Suite("Server · HTTP client")
struct HTTPClientTests {
  let receiver: Receiver
  let client: TestHTTPClient

  init() throws {
    receiver = try Receiver()
    client = try TestHTTPClient()
  }

  private var url: String { "http://127.0.0.1:\(receiver.port)" }

  @Test("a request is sent, and its response is returned")
  func exchange() throws {
    let pending = client.post("\(url)/hook?x=1", #"{"a":1}"#, headers: ["Content-Type": "application/json"])

    let connection = try receiver.accept()
    let head = try connection.receive(until: "\r\n\r\n")
    let body = try connection.receive(count: 7)
    try connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok")

    #expect(
      head
        == "POST /hook?x=1 HTTP/1.1\r\nHost: 127.0.0.1:\(receiver.port)\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n"
    )
    #expect(String(decoding: body, as: UTF8.self) == #"{"a":1}"#)
    #expect(pending.wait().line == "202 ok")
  }

  @Test("the next request to a receiver comes on the same connection, if it can")
  func sameConnection() throws {
    let answers = [
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true),
      ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", false),
      ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nmore", false),
      ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
    ]
    var connection = try keptConnection()
    for (answer, isKept) in answers {
      let pending = client.post(url)
      _ = try connection.receive(until: "{}")
      try connection.send(answer)
      #expect(pending.wait().line == "200 ")
      if !isKept {
        #expect(try connection.receiveAll().text == "")
        connection = try keptConnection()
      }
    }
  }

  @Test("a kept connection is closed when nobody uses it")
  func idle() throws {
    #expect(try keptConnection().receiveAll().text == "")
  }

  @Test("a request that a closed receiver has not taken is sent again")
  func closedMeanwhile() throws {
    nonisolated(unsafe) let first = try keptConnection()
    let pending = client.post("\(url)/2", after: { first.close() })

    let second = try receiver.accept()
    #expect(try second.receive(until: "{}").hasPrefix("POST /2 "))
    try second.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    #expect(pending.wait().line == "200 ")
  }

  @Test("a request that the receiver has taken is not sent again", arguments: ["", "HTTP/1.1 200"])
  func takenOnce(answer: String) throws {
    let connection = try keptConnection()
    let second = client.post("\(url)/2")
    _ = try connection.receive(until: "{}")
    try connection.send(answer)
    connection.close()
    #expect(second.wait().line.hasPrefix("failed: the connection closed "))

    let third = client.post("\(url)/3")
    #expect(try receiver.accept().receive(until: "{}").hasPrefix("POST /3 "))
    withExtendedLifetime(third) {}
  }

  /// The receiver's side of a connection after an answer.
  private func keptConnection() throws -> Client {
    let pending = client.post(url)
    let connection = try receiver.accept()
    _ = try connection.receive(until: "{}")
    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    #expect(pending.wait().line == "200 ")
    return connection
  }

  @Test("a name that resolves to this machine is allowed")
  func localhost() throws {
    let pending = client.post("http://localhost:\(receiver.port)/")

    let connection = try receiver.accept()
    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    #expect(try connection.receive(until: "\r\n\r\n").contains("Host: localhost:\(receiver.port)\r\n"))
    #expect(pending.wait().line == "200 ")
  }

  @Test("user information of the URL becomes the Authorization field")
  func userInformation() throws {
    _ = client.post("http://me:secret@127.0.0.1:\(receiver.port)/")

    let head = try receiver.accept().receive(until: "\r\n\r\n")

    #expect(head.contains("\r\nAuthorization: Basic bWU6c2VjcmV0\r\n"))
    #expect(head.contains("\r\nHost: 127.0.0.1:\(receiver.port)\r\n"))
  }

  @Test("a redirect is returned and not followed")
  func redirect() throws {
    let pending = client.post("\(url)/")

    let connection = try receiver.accept()
    try connection.send(
      "HTTP/1.1 307 Temporary Redirect\r\nLocation: \(url)/other\r\nContent-Length: 0\r\n\r\n")

    #expect(pending.wait().line == "307 ")
  }

  @Test("a response may end with its connection, but not before its length")
  func endings() throws {
    for (answer, line) in [
      ("HTTP/1.1 200 OK\r\n\r\nok", "200 ok"),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok",
        "failed: the connection closed before the end of the response"
      ),
      ("", "failed: the connection closed without a response"),
    ] {
      let pending = client.post("\(url)/")
      let connection = try receiver.accept()
      _ = try connection.receive(until: "{}")
      try connection.send(answer)
      connection.finishSending()

      #expect(pending.wait().line == line)
    }
  }

  @Test("only the beginning of an endless response is read")
  func endless() throws {
    let pending = client.post("\(url)/")

    let connection = try receiver.accept()
    _ = try connection.receive(until: "{}")
    try connection.send(
      "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + String(repeating: "x", count: 80_000))

    guard case .answered(let response) = pending.wait() else {
      Issue.record("no answer")
      return
    }
    #expect(response.body.count == 65_536)
  }

  @Test("a refused connection is a failure with its address")
  func nobody() throws {
    let port = try Receiver().port

    let line = client.post("http://127.0.0.1:\(port)/").wait().line

    #expect(line == "unreachable: connecting to 127.0.0.1:\(port) failed: connection refused (ECONNREFUSED)")
  }

  @Test("an unknown host is a failure with its name")
  func unknownHost() throws {
    var configuration = HTTPClient.Configuration()
    configuration.destinations = Destinations(allowing: ["no-such-host.invalid"])
    let line = try TestHTTPClient(configuration).post("http://no-such-host.invalid/").wait().line

    #expect(line.hasPrefix("unreachable: looking up no-such-host.invalid failed: "))
  }

  @Test("a request can have its own timeout")
  func ownLimit() throws {
    let pending = client.post("\(url)/", within: .init(total: .milliseconds(50)))
    let connection = try receiver.accept()

    #expect(
      pending.wait().line
        == "failed: timed out after 0.05 seconds while waiting for the response")
    connection.finishSending()
  }

  @Test("a timeout is a failure at every stage")
  func timeOut() throws {
    let client = try TestHTTPClient(asking { $0.timeouts.total = .milliseconds(50) })
    for answer in ["", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok"] {
      let pending = client.post("\(url)/")
      let connection = try receiver.accept()
      try connection.send(answer)

      #expect(
        pending.wait().line
          == "failed: timed out after 0.05 seconds while waiting for the response")
    }
    let shaking = client.post("https://127.0.0.1:\(receiver.port)/")
    let connection = try receiver.accept()
    #expect(
      shaking.wait().line == "unreachable: timed out after 0.05 seconds while negotiating TLS")
    _ = try connection.receiveAll()
  }

  @Test("46 D1: connecting and each pause in the response have limits of their own")
  func stageTimeouts() throws {
    let limits = HTTPClient.Timeouts(
      total: .seconds(60), connecting: .milliseconds(50), silence: .milliseconds(60))
    let shaking = client.post("https://127.0.0.1:\(receiver.port)/", within: limits)
    let first = try receiver.accept()
    #expect(shaking.wait().line == "unreachable: timed out after 0.05 seconds while negotiating TLS")
    first.finishSending()

    let answering = client.post("\(url)/", within: limits)
    let second = try receiver.accept()
    try second.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok")
    #expect(answering.wait().line == "failed: timed out after 0.06 seconds while waiting for the response")
    second.finishSending()
  }

  @Test("a connection closed during the handshake is a failure")
  func hangUp() throws {
    let pending = client.post("https://127.0.0.1:\(receiver.port)/")

    let connection = try receiver.accept()
    _ = try connection.receive(count: 5)
    connection.finishSending()

    #expect(pending.wait().line == "unreachable: the connection closed while negotiating TLS")
  }

  @Test("a server without TLS is a failure for https")
  func plainForTLS() throws {
    let pending = client.post("https://127.0.0.1:\(receiver.port)/")

    let connection = try receiver.accept()
    try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")

    #expect(pending.wait().line.hasPrefix("unreachable: the TLS handshake with 127.0.0.1 failed: "))
  }

  @Test("concurrent requests get their own responses")
  func many() throws {
    let pendings = (0..<20).map { client.post("\(url)/\($0)") }
    for _ in 0..<20 {
      let connection = try receiver.accept()
      let path = try connection.receive(until: "{}").split(separator: " ")[1]
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
    }

    #expect(pendings.map { $0.wait().line } == (0..<20).map { "200 /\($0)" })
  }

  @Test("closing a client cancels its requests without callbacks")
  func close() throws {
    let pending = client.post("\(url)/")
    let connection = try receiver.accept()

    _ = try connection.receive(until: "{}")

    client.close()

    #expect(try connection.receiveAll().text == "")
    withExtendedLifetime(pending) {}
  }

  @Test(
    "remote destinations are denied before anything is sent",
    arguments: [
      (
        "http://192.0.2.1/",
        "192.0.2.1 is not a loopback address; to allow it, start with --webhook-allow 192.0.2.1"
      ),
      (
        "http://0.0.0.0/",
        "0.0.0.0 is not a loopback address; to allow it, start with --webhook-allow 0.0.0.0"
      ),
      (
        "http://[2001:db8::1]/",
        "2001:db8::1 is not a loopback address; to allow it, start with --webhook-allow 2001:db8::1"
      ),
      (
        "http://3221225985/",
        "3221225985 (192.0.2.1) is not a loopback address; to allow it, start with --webhook-allow 3221225985"
      ),
      (
        "http://receiver.invalid/",
        "receiver.invalid is no name of this machine; to allow it, start with --webhook-allow receiver.invalid"
      ),
      ("ftp://127.0.0.1/", "not a valid http or https URL"),
    ])
  func refused(url: String, sentence: String) {
    #expect(client.post(url).wait().line == "denied: \(sentence)")
  }

  @Test(
    "an IPv4 address written as a number or in IPv6 is recognised",
    arguments: ["2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])
  func oddLoopback(host: String) throws {
    let pending = client.post("http://\(host):\(receiver.port)/")

    let connection = try receiver.accept()
    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    #expect(pending.wait().line == "200 ")
  }
}
