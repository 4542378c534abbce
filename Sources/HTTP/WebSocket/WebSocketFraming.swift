/// The frames of one WebSocket, on the server's side: bytes in, messages out, and back (RFC 6455, 5 to 7).
///
/// ```
/// bytes ──receive──> head, payload ──> fragments ──> onMessage     checks masks, lengths, UTF-8 and limits,
/// bytes <──appendOutput── frames <── send, close                  and answers pings, closes and errors
/// ```
/// A class, because a handler of messages sends through it.
package final class WebSocketFraming {
  package enum Message {
    /// In UTF-8.
    case text([UInt8])
    case binary
  }

  private enum Reading {
    /// The bytes of a frame's head so far.
    case head([UInt8])
    /// How many bytes of the payload were read, to find the one of the mask.
    case payload(FrameHead, read: Int)
    /// After a close frame or an error of the client.
    case ended
  }

  private var reading = Reading.head([])
  /// Of the control frame that is being read.
  private var control: [UInt8] = []
  /// The kind of the message whose fragments come; nil between messages.
  private var kind: FrameHead.Kind?
  private var message: [UInt8] = []
  private let messageLimit: Int
  private var output: [UInt8] = []
  private var hasSentClose = false
  /// True if the client has closed the socket, or confirmed our close.
  package private(set) var hasReceivedClose = false

  /// Receives each complete message. It may call `send`, `close` and `appendOutput`.
  package var onMessage: (Message) -> Void = { _ in }

  /// Longer messages close the socket with 1009.
  package init(messageLimit: Int) { self.messageLimit = messageLimit }

  /// False after a close frame or an error of the client.
  package var acceptsInput: Bool { if case .ended = reading { false } else { true } }

  /// Reads frames up to `frameLimit`. Returns how many bytes and frames it has read.
  package func receive(_ bytes: UnsafeRawBufferPointer, frameLimit: Int) -> (bytes: Int, frames: Int) {
    var (position, frames) = (0, 0)
    while position < bytes.count || isComplete {
      switch reading {
      case .ended: return (position, frames)
      case .head(var head):
        if head.isEmpty, frames == frameLimit { return (position, frames) }
        if head.isEmpty { frames += 1 }
        head.append(bytes[position])
        position += 1
        reading = .head(head)
        begin(head)
      case .payload(let head, let read):
        let count = min(head.length - read, bytes.count - position)
        take(bytes[position..<position + count], of: head, after: read)
        position += count
        reading = .payload(head, read: read + count)
        if read + count == head.length { end(head) }
      }
    }
    return (position, frames)
  }

  /// True for a frame that needs no more bytes.
  private var isComplete: Bool {
    if case .payload(let head, let read) = reading { read == head.length } else { false }
  }

  // MARK: Frames from the client

  /// Reads the head once all of it is there.
  private func begin(_ bytes: [UInt8]) {
    guard bytes.count >= FrameHead.size(bytes) else { return }
    guard let head = FrameHead(bytes), head.kind.isControl || (head.kind == .continuation) == (kind != nil)
    else { return fail(.protocolError) }
    if head.kind.isControl {
      control = []
    } else {
      guard head.length <= messageLimit - message.count else { return fail(.messageTooBig) }
      if kind == nil { kind = head.kind }
    }
    reading = .payload(head, read: 0)
  }

  private func take(_ piece: Slice<UnsafeRawBufferPointer>, of head: FrameHead, after read: Int) {
    let unmasked = zip(piece, read...).lazy.map { $0 ^ head.mask[$1 & 3] }
    if head.kind.isControl { control += unmasked } else { message += unmasked }
  }

  private func end(_ head: FrameHead) {
    reading = .head([])
    switch head.kind {
    case .close: confirmClose()
    case .ping: if !hasSentClose { append(.pong, control) }
    case .pong: break
    case .continuation, .text, .binary: if head.isFinal { endMessage() }
    }
  }

  private func endMessage() {
    let (kind, message) = (kind, message)
    (self.kind, self.message) = (nil, [])
    guard kind == .text else { return onMessage(.binary) }
    guard String(validating: message, as: UTF8.self) != nil else { return fail(.invalidText) }
    onMessage(.text(message))
  }

  /// Answers a close frame with its code. Source: RFC 6455, 5.5.1 and 7.4.
  private func confirmClose() {
    guard control.count != 1 else { return fail(.protocolError) }
    let code = control.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
    guard control.isEmpty || WebSocket.Close.isAllowed(code) else { return fail(.protocolError) }
    guard String(validating: control.dropFirst(2), as: UTF8.self) != nil else { return fail(.invalidText) }
    hasReceivedClose = true
    reading = .ended
    if !hasSentClose { append(.close, Array(control.prefix(2))) }
    hasSentClose = true
  }

  private func fail(_ reason: WebSocket.Close) {
    close(reason)
    reading = .ended
  }

  // MARK: Frames for the client

  /// Sends a text message in UTF-8. Does nothing after a close.
  package func send(_ text: [UInt8]) { if !hasSentClose { append(.text, text) } }

  package func ping() { if !hasSentClose { append(.ping, []) } }

  /// Sends a close frame. The client answers with another. Does nothing after a close.
  package func close(_ close: WebSocket.Close) {
    guard !hasSentClose else { return }
    hasSentClose = true
    append(.close, [UInt8(close.code >> 8), UInt8(close.code & 0xff)] + close.reason.utf8)
  }

  /// Appends all frames for the client.
  package func appendOutput(to bytes: inout [UInt8]) {
    bytes += output
    output = []
  }

  private func append(_ kind: FrameHead.Kind, _ payload: [UInt8]) {
    FrameHead.append(kind, length: payload.count, to: &output)
    output += payload
  }
}

/// The head of a frame. Source: RFC 6455, 5.2.
private struct FrameHead {
  enum Kind: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
  }

  let kind: Kind
  /// True for the last fragment of a message.
  let isFinal: Bool
  /// Of the payload.
  let length: Int
  /// Four bytes.
  let mask: [UInt8]

  /// The bytes of a head with this beginning.
  static func size(_ bytes: [UInt8]) -> Int {
    guard bytes.count >= 2 else { return 2 }
    return 2 + sizeOfLength(bytes[1] & 0x7f) + (bytes[1] & 0x80 == 0 ? 0 : 4)
  }

  private static func sizeOfLength(_ field: UInt8) -> Int { field == 126 ? 2 : field == 127 ? 8 : 0 }

  /// Nil for reserved bits and kinds, a frame without a mask, a length with more bytes than it needs, and a
  /// control frame that is long or a fragment.
  init?(_ bytes: [UInt8]) {
    let field = bytes[1] & 0x7f
    let extra = bytes[2..<2 + Self.sizeOfLength(field)]
    let number = extra.isEmpty ? UInt64(field) : extra.reduce(0) { $0 << 8 | UInt64($1) }
    guard bytes[0] & 0x70 == 0, bytes[1] & 0x80 != 0, let kind = Kind(rawValue: bytes[0] & 0xf),
      let length = Int(exactly: number), field < 126 || length > (field == 126 ? 125 : 0xffff)
    else { return nil }
    isFinal = bytes[0] & 0x80 != 0
    guard !kind.isControl || isFinal && field < 126 else { return nil }
    (self.kind, self.length) = (kind, length)
    mask = Array(bytes.suffix(4))
  }

  static func append(_ kind: Kind, length: Int, to bytes: inout [UInt8]) {
    bytes.append(0x80 | kind.rawValue)
    switch length {
    case ..<126: bytes.append(UInt8(length))
    case ...0xffff: bytes += [126, UInt8(length >> 8), UInt8(length & 0xff)]
    default:
      bytes.append(127)
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(length >> shift & 0xff)) }
    }
  }
}
