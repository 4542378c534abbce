import Crypto
import HTTP
import Loop

extension OutgoingExchange: TCPStreamOwner {
  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
    guard stage != .over else { return }
    do {
      if let session { try decrypt(bytes, with: session) } else { try read(bytes) }
    } catch {
      // What is left to say, an alert for one, tells the other side why.
      try? flushSession()
      fail("\(error)")
    }
  }

  func streamReachedEnd(_ stream: TCPStream) {
    guard stage != .over else { return }
    guard stage == .awaiting else { return fail("the connection ended while \(stage.rawValue)") }
    do throws(MalformedResponse) {
      if let response = try parser.finish() { finish(.answered(response)) }
    } catch {
      fail(error.description)
    }
  }

  func streamDrained(_ stream: TCPStream) {}

  func stream(_ stream: TCPStream, failed error: LoopError) { fail(error.description) }

  func streamClosed(_ stream: TCPStream) {}

  private func decrypt(_ bytes: UnsafeRawBufferPointer, with session: TLSSession) throws {
    try session.receive(bytes)
    try flushSession()
    if stage == .shakingHands, session.isEstablished { try send(request) }
    try session.read().withUnsafeBytes { try read($0) }
    if session.isAtEnd, let stream { streamReachedEnd(stream) }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) throws(MalformedResponse) {
    if let response = try parser.read(bytes) { finish(.answered(response)) }
  }
}
