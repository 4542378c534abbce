import Crypto
import HTTP
import Loop
import Server
import Wire

/// An application made of closures, which keeps a diary of what it was asked.
final class TestApplication: Application {
  var answer: (Request) -> Reply = { _ in .now(Response(200)) }
  var commits: () -> Bool = { true }
  var passage: (Request) -> ProxyDecision = { _ in .here }
  private(set) var diary: [String] = []

  /// Adds a line of a test's own to the diary.
  func write(_ line: String) { diary.append(line) }

  func bodyLimit(for head: RequestHead) -> Int { head.target.path == "/large" ? 64 << 20 : 1_048_576 }

  func respond(to request: Request) -> Reply {
    diary.append(request.target.text)
    return answer(request)
  }

  func passage(for request: Request) -> ProxyDecision {
    diary.append("\(request.method.rawValue) \(request.host)")
    return passage(request)
  }

  func security() throws -> TLSContext {
    try TLSContext(vouchedBy: CertificateAuthority(for: ["verify.example"]))
  }

  func endOfTick() -> Bool {
    diary.append("commit")
    return commits()
  }

  func noteHandshake(with name: String?, by origin: RequestOrigin, failed why: String) {
    diary.append("TLS \(name ?? "-"): \(why)")
  }

  func refusal(_ reason: RequestFailure, for request: Request) -> Response {
    .text(503, "no \(request.target.path)")
  }
}

/// A server on loopback whose loop runs on a thread of its own.
///
/// `@unchecked Sendable`: `server` and `application` are used inside `sync` only.
final class TestServer: @unchecked Sendable {
  let port: UInt16
  private let thread: LoopThread
  private let box: Box

  /// What the loop's thread owns; used there only.
  private final class Box: @unchecked Sendable {
    var server: Server?
    let application = TestApplication()
    var port: UInt16 = 0
  }

  /// Serves with this configuration, answering with this closure on the loop's thread.
  init(
    _ configuration: Server.Configuration = Server.Configuration(),
    signals: Bool = false, persists: Bool = true, isProxy: Bool = false,
    answer: @Sendable @escaping (Request) -> Reply = { .now(.text(200, $0.target.path)) }
  ) throws {
    let box = Box()
    var configuration = configuration
    // A client that was refused is open until its test ends, so the drain would wait for it.
    configuration.lingerTimeout = .milliseconds(200)
    thread = try LoopThread { [configuration] loop in
      box.application.answer = answer
      let server = try Server(loop, application: box.application, configuration: configuration)
      if signals { try server.drainOnSignals() }
      var options = Server.ListenerOptions()
      (options.persists, options.isProxy) = (persists, isProxy)
      box.port = try server.listen(on: SocketAddress(host: "127.0.0.1", port: 0), options).port
      box.server = server
      return server
    }
    self.box = box
    port = box.port
  }

  /// Looks at the application, or changes it, on the loop's thread.
  func sync<Result: Sendable>(_ work: @Sendable @escaping (TestApplication) -> Result) -> Result {
    thread.sync { [box] in work(box.application) }
  }

  /// Says that something changed outside a request.
  func touch() { thread.post { [box] in box.server?.touch() } }

  /// Begins to drain.
  func drain() { thread.post { [box] in box.server?.drain() } }

  /// Waits for a drain to end.
  func join() -> Bool {
    defer { box.server = nil }
    return thread.join()
  }

  /// Drains and waits; false when it takes too long.
  @discardableResult
  func end() -> Bool {
    drain()
    return join()
  }

  /// A new client.
  func client(receiveBuffer: Int32? = nil) throws -> Client {
    try Client(port: port, receiveBuffer: receiveBuffer)
  }
}

/// The defaults with these changes.
func allowing(_ change: (inout Server.Configuration) -> Void) -> Server.Configuration {
  var configuration = Server.Configuration()
  change(&configuration)
  return configuration
}

/// The smallest request for a path.
func get(_ path: String, _ lines: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\(lines)\r\n" }
