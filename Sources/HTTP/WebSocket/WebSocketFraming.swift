internal import CWslay

/// The frames of one WebSocket, on the server's side: bytes in, messages out, and back (RFC 6455, 5 to 7).
///
/// ```
/// bytes ──receive──> wslay ──> onMessage      wslay unmasks, joins fragments, checks UTF-8 and limits,
/// bytes <──append─── wslay <── send, close    and answers pings, closes and errors
/// ```
/// A class, because wslay calls it back.
package final class WebSocketFraming {
  package enum Message {
    /// In UTF-8.
    case text([UInt8])
    case binary
  }

  /// What wslay's callbacks use.
  fileprivate struct Machine {
    var onMessage: (Message) -> Void = { _ in }
    /// Bytes that wslay has not read.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Frames that may still start in this call of `receive`.
    var framesLeft = 0
    var output: [UInt8] = []
    /// True after a close frame with half a code, which wslay reads as none.
    var hasMalformedClose = false
  }

  private let machine = UnsafeMutablePointer<Machine>.allocate(capacity: 1)
  private var context: wslay_event_context_ptr?
  /// True after an error that ends all reading. wslay would then close without a code.
  private var hasFailed = false

  /// Longer messages close the socket with 1009.
  package init(messageLimit: Int) {
    machine.initialize(to: Machine())
    var callbacks = Self.callbacks
    let code = wslay_event_context_server_init(&context, &callbacks, machine)
    precondition(code == 0, "wslay has no memory")
    wslay_event_config_set_max_recv_msg_length(context, UInt64(messageLimit))
  }

  deinit {
    wslay_event_context_free(context)
    machine.deinitialize(count: 1)
    machine.deallocate()
  }

  /// Receives each complete message. It may call `send`, `close` and `appendOutput`.
  package var onMessage: (Message) -> Void {
    get { machine.pointee.onMessage }
    set { machine.pointee.onMessage = newValue }
  }

  /// False after a close frame or an error of the client.
  package var acceptsInput: Bool { !hasFailed && wslay_event_want_read(context) != 0 }

  /// True if the client has closed the socket, or confirmed our close.
  package var hasReceivedClose: Bool { !hasFailed && wslay_event_get_close_received(context) != 0 }

  /// Reads frames, and stops soon after `frameLimit` of them. Returns how many bytes and frames it has read.
  package func receive(_ bytes: UnsafeRawBufferPointer, frameLimit: Int) -> (bytes: Int, frames: Int) {
    (machine.pointee.input, machine.pointee.framesLeft) = (bytes, frameLimit)
    if wslay_event_recv(context) != 0 || machine.pointee.hasMalformedClose {
      if wslay_event_get_close_sent(context) == 0 { machine.pointee.output += Self.protocolErrorFrame }
      hasFailed = true
    }
    let unread = machine.pointee.input.count
    machine.pointee.input = UnsafeRawBufferPointer(start: nil, count: 0)
    return (bytes.count - unread, frameLimit - machine.pointee.framesLeft)
  }

  /// Sends a text message in UTF-8. Does nothing after a close.
  package func send(_ text: [UInt8]) { queue(WSLAY_TEXT_FRAME, text) }

  package func ping() { queue(WSLAY_PING, []) }

  /// Sends a close frame. The client answers with another. Does nothing after a close.
  package func close(_ close: WebSocket.Close) {
    let reason = Array(close.reason.utf8)
    wslay_event_queue_close(context, close.code, reason, reason.count)
  }

  /// Appends all frames for the client.
  package func appendOutput(to bytes: inout [UInt8]) {
    if hasFailed {
      bytes += machine.pointee.output
      machine.pointee.output = []
    } else if wslay_event_want_write(context) != 0 {
      swap(&machine.pointee.output, &bytes)
      wslay_event_send(context)
      swap(&machine.pointee.output, &bytes)
    }
  }

  /// A close frame with code 1002.
  private static let protocolErrorFrame: [UInt8] = [0x88, 2, 0x03, 0xEA]

  private func queue(_ opcode: wslay_opcode, _ payload: [UInt8]) {
    payload.withUnsafeBufferPointer { payload in
      var message = wslay_event_msg(
        opcode: UInt8(truncatingIfNeeded: opcode.rawValue), msg: payload.baseAddress,
        msg_length: payload.count)
      wslay_event_queue_msg(context, &message)
    }
  }
}

// MARK: wslay's callbacks

extension WebSocketFraming {
  private static var callbacks: wslay_event_callbacks {
    var table = wslay_event_callbacks()
    table.recv_callback = { context, buffer, count, _, machine in
      let copied = Machine.at(machine).pointee.copyInput(to: .init(start: buffer, count: count))
      guard copied > 0 else {
        wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK.rawValue)
        return -1
      }
      return copied
    }
    table.send_callback = { _, bytes, count, _, machine in
      Machine.at(machine).pointee.output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
      return count
    }
    table.on_frame_recv_start_callback = { _, _, machine in Machine.at(machine).pointee.framesLeft -= 1 }
    table.on_msg_recv_callback = { _, message, machine in
      guard let message = message?.pointee else { return }
      // A copy, because the closure may use the machine.
      let onMessage = Machine.at(machine).pointee.onMessage
      switch UInt32(message.opcode) {
      case WSLAY_TEXT_FRAME.rawValue:
        onMessage(.text(Array(UnsafeBufferPointer(start: message.msg, count: message.msg_length))))
      case WSLAY_BINARY_FRAME.rawValue: onMessage(.binary)
      case WSLAY_CONNECTION_CLOSE.rawValue where message.msg_length == 1:
        Machine.at(machine).pointee.hasMalformedClose = true
      default: break
      }
    }
    return table
  }
}

extension WebSocketFraming.Machine {
  /// wslay gets at most this many bytes at once, so that it stops soon after the last frame of a turn.
  private static let pieceSize = 256

  static func at(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Self> {
    guard let data else { preconditionFailure("wslay lost its machine") }
    return data.assumingMemoryBound(to: Self.self)
  }

  /// Returns how many bytes were copied; zero if wslay must stop.
  mutating func copyInput(to buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard framesLeft > 0 else { return 0 }
    let piece = input.prefix(min(buffer.count, Self.pieceSize))
    buffer.copyBytes(from: piece)
    input = UnsafeRawBufferPointer(rebasing: input.dropFirst(piece.count))
    return piece.count
  }
}
