import Crypto
import HTTP
import Loop
import Server
import Wire

/// An application made of closures. It logs all calls.
final class TestApplication: Application {
  var answer: (Request) -> Reply = { _ in .now(Response(200)) }
  var commits: () -> Bool = { true }
  var decideProxy: (Request) -> ProxyDecision = { _ in .local }
  private(set) var log: [String] = []
  private(set) var turns: [LoopTurn] = []
  private(set) var slowReaders: [String] = []
  private(set) var refused: [Int] = []

  /// Adds a line to the log.
  func write(_ line: String) { log.append(line) }

  func bodyLimit(for head: RequestHead) -> Int { head.target.path == "/large" ? 64 << 20 : 1_048_576 }

  func respond(to request: Request) -> Reply {
    log.append(request.target.text)
    return answer(request)
  }

  func proxyDecision(for request: Request) -> ProxyDecision {
    log.append("\(request.method.rawValue) \(request.host)")
    return decideProxy(request)
  }

  func tlsContext() throws -> TLSContext {
    try TLSContext(issuedBy: CertificateAuthority(for: .init(["verify.example"])))
  }

  func commit() -> Bool {
    log.append("commit")
    return commits()
  }

  func recordTLSFailure(serverName: String?, from origin: RequestOrigin, why: String) {
    log.append("TLS \(serverName ?? "-"): \(why)")
  }

  func recordTurn(_ turn: LoopTurn) { turns.append(turn) }

  func recordSlowReader(_ reader: SlowReader) { slowReaders.append(reader.why) }

  func recordOverload(refused: Int, open: Int) { self.refused.append(refused) }

  func errorResponse(for failure: RequestFailure, to request: Request) -> Response {
    .text(503, "no \(request.target.path)")
  }

  func response(to error: MalformedRequest, after head: RequestHead?) -> Response {
    head.map { .text(error.status, "no end of \($0.target.path)") } ?? error.response
  }
}

/// A server on the loopback. Its loop has its own thread.
///
/// `@unchecked Sendable`: `server` and `application` are only used inside `sync`.
final class TestServer: @unchecked Sendable {
  let port: UInt16
  private let thread: LoopThread
  private let box: Box

  /// Only used on the loop's thread.
  private final class Box: @unchecked Sendable {
    var server: Server?
    let application = TestApplication()
    var port: UInt16 = 0
  }

  /// `answer` is called on the loop's thread.
  init(
    _ configuration: Server.Configuration = Server.Configuration(),
    signals: Bool = false, keepAlive: Bool = true, isProxy: Bool = false,
    answer: @Sendable @escaping (Request) -> Reply = { .now(.text(200, $0.target.path)) }
  ) throws {
    let box = Box()
    var configuration = configuration
    // A rejected client stays open until its test ends, so the drain would wait for it.
    configuration.lingerTimeout = .milliseconds(200)
    thread = try LoopThread { [configuration] loop in
      box.application.answer = answer
      let server = try Server(loop, application: box.application, configuration: configuration)
      if signals { try server.drainOnSignals() }
      var options = Server.ListenerOptions()
      (options.keepAlive, options.isProxy) = (keepAlive, isProxy)
      box.port = try server.listen(on: SocketAddress(host: "127.0.0.1", port: 0), options).port
      box.server = server
      return server
    }
    self.box = box
    port = box.port
  }

  /// Reads or changes the application on the loop's thread.
  func sync<Result: Sendable>(_ work: @Sendable @escaping (TestApplication) -> Result) -> Result {
    thread.sync { [box] in work(box.application) }
  }

  /// Writes a line for each answer to the application's log.
  func logAnswers() {
    thread.sync { [box] in
      box.server?.onAnswer = { answer in
        let line = answer.request.map { "\($0.method.rawValue) \($0.target.text)" } ?? "-"
        box.application.write(
          "\(line) \(answer.version) \(answer.status.code) \(answer.bytes.map(String.init) ?? "-")")
      }
    }
  }

  /// Reports a change outside a request.
  func markChanged() { thread.post { [box] in box.server?.markChanged() } }

  /// Returns when it is paused.
  func pause() { thread.sync { [box] in box.server?.pause() } }
  func resume() { thread.post { [box] in box.server?.resume() } }

  /// Starts a drain.
  func drain(after grace: Duration = .zero) { thread.post { [box] in box.server?.drain(after: grace) } }

  /// Waits for the end of a drain.
  func join() -> Bool {
    defer { box.server = nil }
    return thread.join()
  }

  /// Drains and waits. Returns false if it takes too long.
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

/// A minimal GET request.
func get(_ path: String, _ lines: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\(lines)\r\n" }
