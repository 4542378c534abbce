import CNGHTTP2
import HTTP

/// The bytes of a client, and what a session answers.
struct HTTP2Client {
  struct Frame: Equatable {
    var type: UInt8
    var flags: UInt8 = 0
    var stream: Int32 = 0
    var payload: [UInt8] = []
  }

  static let (data, headers, priority, reset, settings) = (UInt8(0), UInt8(1), UInt8(2), UInt8(3), UInt8(4))
  static let (ping, goaway, windowUpdate, continuation) = (UInt8(6), UInt8(7), UInt8(8), UInt8(9))
  static let (endStream, endHeaders) = (UInt8(1), UInt8(4))

  let session: HTTP2Session
  private let inflater: OpaquePointer?
  /// The clock of the session, in milliseconds.
  var now: UInt64 = 1

  /// Exchanges the prefaces.
  init(_ settings: HTTP2Session.Settings = HTTP2Session.Settings()) {
    session = HTTP2Session(settings)
    session.bodyLimit = { $0.target.path == "/large" ? 8 << 20 : 0 }
    var inflater: OpaquePointer?
    nghttp2_hd_inflate_new(&inflater)
    self.inflater = inflater
    send(bytes: HTTP2Session.prefaceLine + Array("\r\nSM\r\n\r\n".utf8))
    send(Frame(type: Self.settings))
    _ = receive()
  }

  func send(bytes: [UInt8]) { bytes.withUnsafeBytes { session.receive($0, at: now) } }

  func send(_ frames: Frame...) { send(bytes: frames.flatMap(Self.encode)) }

  /// Sends a request whose fields are all literal.
  func request(
    _ stream: Int32, _ method: String = "GET", _ path: String = "/", fields: [(String, String)] = [],
    ends: Bool = true
  ) {
    let pseudo = [(":method", method), (":scheme", "http"), (":path", path), (":authority", "host.test")]
    send(
      Frame(
        type: Self.headers, flags: Self.endHeaders | (ends ? Self.endStream : 0), stream: stream,
        payload: Self.block(pseudo + fields)))
  }

  /// The frames that the session wants to send.
  func receive(limit: Int = 1 << 30) -> [Frame] {
    var bytes: [UInt8] = []
    session.appendOutput(to: &bytes, limit: limit)
    var frames: [Frame] = []
    var rest = bytes[...]
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      let stream = head[5...].reduce(Int32(0)) { $0 << 8 | Int32($1) }
      frames.append(
        Frame(type: head[3], flags: head[4], stream: stream, payload: Array(rest.dropFirst(9).prefix(count))))
      rest = rest.dropFirst(9 + count)
    }
    return frames
  }

  /// The fields of a header block, as `name: value`.
  func fields(of frame: Frame) -> [String] {
    var fields: [String] = []
    var rest = frame.payload[...]
    while true {
      var field = nghttp2_nv()
      var flags: Int32 = 0
      let count = Array(rest).withUnsafeBufferPointer {
        nghttp2_hd_inflate_hd2(inflater, &field, &flags, $0.baseAddress, $0.count, 1)
      }
      guard count >= 0 else { return fields + ["error \(count)"] }
      rest = rest.dropFirst(count)
      if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
        fields.append(
          String(decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self) + ": "
            + String(decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self))
      }
      if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
        nghttp2_hd_inflate_end_headers(inflater)
        return fields
      }
    }
  }

  static func encode(_ frame: Frame) -> [UInt8] {
    let count = frame.payload.count
    return [UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), frame.type, frame.flags]
      + number(UInt32(frame.stream)) + frame.payload
  }

  static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A header block of literals without indexing (RFC 7541, 6.2.2).
  static func block(_ fields: [(String, String)]) -> [UInt8] {
    fields.flatMap { name, value in [0] + text(name) + text(value) }
  }

  private static func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
    var (rest, length) = (bytes.count - 127, [UInt8(127)])
    while rest >= 128 {
      length.append(UInt8(rest % 128 | 128))
      rest /= 128
    }
    return length + [UInt8(rest)] + bytes
  }
}
