import HTTP
import Server
import Wire

/// The client's side of a WebSocket, on a blocking client.
struct SocketClient {
  struct Frame: Equatable {
    /// With the bit of a final frame.
    let first: UInt8
    let payload: [UInt8]

    var text: String { String(decoding: payload, as: UTF8.self) }
    /// The code of a close frame; nil for other frames.
    var closeCode: Int? {
      first == 0x88 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
    }
  }

  static let handshake =
    "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

  let client: Client
  let response: String

  init(_ server: TestServer, _ path: String = "/", receiveBuffer: Int32? = nil) throws {
    client = try server.client(receiveBuffer: receiveBuffer)
    try client.send(get(path, Self.handshake))
    response = try client.receive(until: "\r\n\r\n")
  }

  /// A masked frame.
  static func frame(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    let mask: [UInt8] = [0x12, 0xF4, 0x56, 0x78]
    let masked = payload.enumerated().map { $0.element ^ mask[$0.offset % 4] }
    let count = payload.count
    let length: [UInt8] =
      count < 126 ? [0x80 | UInt8(count)] : [0xFE, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
    return [first] + length + mask + masked
  }

  static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

  static func close(_ code: Int) -> [UInt8] {
    frame(0x88, [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)])
  }

  func send(_ text: String) throws { try client.send(Self.text(text)) }

  func send(_ first: UInt8, _ payload: [UInt8] = []) throws { try client.send(Self.frame(first, payload)) }

  func receive() throws -> Frame {
    let head = try client.receive(count: 2)
    var count = Int(head[1])
    if count == 126 { count = try client.receive(count: 2).reduce(0) { $0 << 8 | Int($1) } }
    return Frame(first: head[0], payload: try client.receive(count: count))
  }

  func receiveText() throws -> String { try receive().text }

  /// True if the server has closed its side and sends nothing more.
  func isClosed() throws -> Bool { try client.receiveAll() == ("", .closed) }
}

/// Texts that sockets watch. Only used on the loop's thread.
final class Board: @unchecked Sendable {
  var texts: [String] = []
  var isOver = false
  private(set) var updates = 0
  private(set) var received: [String] = []
  weak var socket: Board.Token?

  final class Token {}

  /// A socket that sends each text once, and says what it has received. `GET /add?text` adds a text.
  func reply(to request: Request) -> Reply {
    guard request.headers["Upgrade"] != nil else {
      if request.target.path == "/add" { texts.append(request.target.query) }
      return .now(.text(200, "done"))
    }
    let route = Route<Board>.webSocket("/", as: "watch") { request, board in board.open(request) }
    do {
      return try route.handler?(request, self) ?? .now(Response(404))
    } catch let error as WebSocketHandshakeError {
      return .now(.text(400, error.why))
    } catch {
      return .now(.text(500, "\(error)"))
    }
  }

  private func open(_ request: Request) -> WebSocket {
    let token = Token()
    socket = token
    let key = request.target.path == "/" ? nil : request.target.path
    var opened = WebSocket(key: key, whenReplaced: 4409, state: 0) { [self] sent in
      updates += 1
      withExtendedLifetime(token) {}
      defer { sent = texts.count }
      let news = texts.dropFirst(sent)
      if news.contains("fail") { throw Failure() }
      return .init(news.map { Array($0.utf8) }, close: isOver ? 4000 : nil)
    } receive: { [self] message, _ in
      let text = String(decoding: message, as: UTF8.self)
      received.append(text)
      return text == "silent" ? [] : ["got \(text)"]
    }
    opened.source = WebSocket.Source(self) { [self] in texts.count + (isOver ? 1000 : 0) }
    return opened
  }

  struct Failure: Error {}
}
