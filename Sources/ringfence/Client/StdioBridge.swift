import HTTP
import JSON
import Loop
import MCP

/// Passes each line of standard input as a message to `/mcp` of a server, and the answers to standard output.
struct StdioBridge {
  /// So many messages are on their way at once: a tool may wait for a message while others are called.
  private static let maxThreads = 16

  private let client: ControlClient
  /// The protocol's revision, once the client and the server have agreed on it.
  private let version = Locked<String?>(nil)
  private let output = Locked(())

  init(to client: ControlClient) { self.client = client }

  /// Until the input ends and all answers are written.
  func run() {
    var reader = LineReader(limit: MessageLimits.bytes)
    var threads: [WorkerThread] = []
    while let line = reader.next() {
      guard case .text(let message) = line else {
        let problem = "a line: expected at most \(MessageLimits.bytes) bytes"
        write(RPCError(.invalidRequest, problem).encoded(id: .null))
        continue
      }
      if threads.count == Self.maxThreads { threads.removeFirst().join() }
      if let thread = WorkerThread({ pass(message) }) {
        threads.append(thread)
      } else {
        pass(message)
      }
    }
    for thread in threads { thread.join() }
  }

  private func pass(_ message: [UInt8]) {
    do {
      var headers: Headers = ["Accept": "application/json, text/event-stream"]
      if let agreed = version.use({ $0 }) { headers.add(ProtocolVersion.header, agreed) }
      let response = try client.forward(message, to: MCPServer.path, headers)
      if let agreed = response.headers["MCP-Protocol-Version"] { version.use { $0 = agreed } }
      guard !response.body.isEmpty else { return }
      guard let answer = try? JSON(parsing: response.body, limits: .seed) else {
        return fail(message, "\(client.server.origin) answers, but not with JSON")
      }
      if case .string(let problem)? = answer["error"] { return fail(message, problem) }
      // The protocol allows no line ends within a message.
      write(answer.encoded())
    } catch {
      fail(message, "\(error)")
    }
  }

  /// Answers a request that the server could not.
  private func fail(_ message: [UInt8], _ problem: String) {
    guard let id = (try? JSON(parsing: message))?["id"] else {
      return Output.errorLine("ringfence: \(problem)")
    }
    write(RPCError(.internalError, problem).encoded(id: id))
  }

  private func write(_ message: [UInt8]) {
    output.use { _ in Output.bytes(message + [0x0A]) }
  }
}
