import HTTP
import Loop

extension ClientConnection: TCPStreamOwner {
  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
    if let session { decrypt(bytes, by: session) } else { take(bytes) }
  }

  /// Takes bytes of requests.
  func take(_ bytes: UnsafeRawBufferPointer) {
    guard stage != .lingering, ending == .none else { return hasUnreadInput = true }
    if isHeldUp || !pending.isEmpty {
      pending.append(contentsOf: bytes)
      if pending.count > server.configuration.readQueueLimit { stream.pauseReading() }
    } else {
      read(bytes)
    }
  }

  func streamReachedEnd(_ stream: TCPStream) {
    inputEnded = true
    hasUnreadInput = false
    guard tunnel == nil else { return }
    if isDirty || stream.queuedBytes > 0, follow == nil, stage != .lingering {
      if pending.isEmpty, ending == .none { ending = .close }
    } else {
      hangUp()
    }
  }

  func streamDrained(_ stream: TCPStream) {
    if ending == .close { return finish() }
    queuedBefore = 0
    readOn()
  }

  func stream(_ stream: TCPStream, failed error: LoopError) { stream.close() }

  func streamClosed(_ stream: TCPStream) {
    isClosed = true
    follow = nil
    tunnel?.end()
    tunnel = nil
    server.remove(self)
  }

  /// Whether the next request must wait.
  var isHeldUp: Bool {
    follow != nil || tunnel != nil || due == .establishment
      || output.count + stream.queuedBytes > server.configuration.writeQueueLimit
  }

  /// Takes up input that was held up, once it no longer is.
  func readOn() {
    guard !stream.isClosing, ending == .none, !isHeldUp else { return }
    if !pending.isEmpty {
      var input: [UInt8] = []
      swap(&input, &pending)
      input.withUnsafeBytes { read($0) }
    }
    guard pending.isEmpty, ending == .none else { return }
    if inputEnded {
      endInput()
    } else {
      do throws(LoopError) { try stream.resumeReading() } catch { stream.close() }
    }
  }

  private func endInput() {
    if isDirty || stream.queuedBytes > 0 { ending = .close } else { hangUp() }
  }

  /// Reads requests, or the first bytes inside a tunnel.
  func read(_ bytes: UnsafeRawBufferPointer) {
    if stage == .threshold { return cross(bytes) }
    var position = 0
    do throws(MalformedRequest) {
      reading: while ending == .none, !isHeldUp {
        switch try parser.next(in: bytes, at: &position, bodyLimit: { server.application.bodyLimit(for: $0) })
        {
        case .needsMore(let part):
          enter(Stage(part))
          break reading
        case .continueExpected:
          due = .continuation
          markDirty()
        case .message(let message):
          due = .nothing
          enter(.answering, anew: true)
          answer(message)
          if follow == nil { enter(.idle) }
        case .tunnel(let message):
          pass(message.request)
          break reading
        }
      }
    } catch {
      refuse(error.response)
    }
    if position < bytes.count { keep(bytes[position...]) }
  }

  private func keep(_ rest: Slice<UnsafeRawBufferPointer>) {
    if ending == .none { pending.append(contentsOf: rest) } else { hasUnreadInput = true }
  }

  func enter(_ next: Stage, anew: Bool = false) {
    if next != stage || anew { stageBegan = server.loop.milliseconds }
    stage = next
  }
}

extension ClientConnection.Stage {
  /// The stage of a connection whose client has sent so much of a request.
  fileprivate init(_ part: RequestParser.Part) {
    switch part {
    case .none: self = .idle
    case .head: self = .head
    case .body: self = .body
    }
  }
}
