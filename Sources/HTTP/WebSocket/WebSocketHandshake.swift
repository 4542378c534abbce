internal import Crypto

/// The opening handshake of a WebSocket (RFC 6455, 4.2).
enum WebSocketHandshake {
  /// The response that opens the socket.
  static func response(to request: Request) throws(WebSocketHandshakeError) -> Response {
    let headers = request.headers
    guard request.method == .get, headers.lists("websocket", in: "Upgrade"),
      headers.lists("upgrade", in: "Connection"),
      headers.values("Sec-WebSocket-Version") == ["13"]
    else { throw .upgradeRequired }
    let keys = headers.values("Sec-WebSocket-Key")
    guard keys.count == 1, Base64.decode(keys[0])?.count == 16 else { throw .invalidKey }
    let accept = Base64.encode(SHA1.hash(Array((keys[0] + identifier).utf8)))
    return Response(
      101, headers: ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept])
  }

  /// The constant of RFC 6455, 1.3.
  private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}

/// A request that does not open the WebSocket of its route.
package enum WebSocketHandshakeError: Error {
  /// An ordinary request, one for another protocol, or another version of WebSocket.
  case upgradeRequired
  case invalidKey

  /// The failure for the route's owner.
  package var failure: RequestFailure {
    switch self {
    case .upgradeRequired: .fault(status: 426, code: nil)
    case .invalidKey: .malformed(field: "Sec-WebSocket-Key", expected: "16 bytes in Base64")
    }
  }

  /// The fields that the response needs besides the owner's (RFC 9110, 15.5.22; RFC 6455, 4.4).
  package var headers: Headers {
    switch self {
    case .upgradeRequired:
      ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"]
    case .invalidKey: [:]
    }
  }

  package var why: String {
    switch self {
    case .upgradeRequired:
      "the route is a WebSocket; expected GET with Upgrade: websocket, Connection: Upgrade, Sec-WebSocket-Version: 13"
    case .invalidKey: "Sec-WebSocket-Key: expected 16 bytes in Base64"
    }
  }
}

extension Headers {
  /// True if one of the fields of this name has this element, in any case. The word must be lower-case.
  fileprivate func lists(_ word: String, in name: StaticString) -> Bool {
    values(name).contains { value in
      value.utf8.split(separator: UInt8(ascii: ",")).contains { element in
        element.filter { $0 != 0x20 && $0 != 0x09 }.map(\.lowered).elementsEqual(word.utf8)
      }
    }
  }
}
