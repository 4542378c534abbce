import Crypto
import HTTP
import Loop

/// What a connection does because it is encrypted.
///
/// ```
/// stream ──received──> session ──take──> parser
/// stream <───write──── session <──send── encoder
/// ```
extension ClientConnection {
  /// Takes encrypted bytes: words of the handshake, which are answered at once, or those of requests.
  func decrypt(_ bytes: UnsafeRawBufferPointer, by session: TLSSession) {
    do {
      try session.receive(bytes)
      try write(session.takeOutput())
      guard session.isEstablished else { return }
      if stage == .handshake { enter(.idle) }
      let plain = try session.read()
      try write(session.takeOutput())
      if !plain.isEmpty { plain.withUnsafeBytes { take($0) } }
      if session.isAtEnd, !inputEnded, !stream.isClosing { streamReachedEnd(stream) }
    } catch let error as TLSError {
      refuse(error, by: session)
    } catch {
      stream.close()
    }
  }

  /// Sends bytes of answers.
  func send(_ bytes: [UInt8]) throws {
    guard let session else { return try write(bytes) }
    guard session.isEstablished else { return }
    try session.write(bytes)
    try write(session.takeOutput())
  }

  /// Closes, after having said so where the connection is encrypted.
  func hangUp() {
    endSession()
    stream.close()
  }

  /// Says that nothing more comes.
  func endSession() {
    guard let session else { return }
    session.end()
    try? write(session.takeOutput())
  }

  /// Tells the application of a handshake that failed, and whoever waits for news of it.
  func noteHandshake(with name: String?, failed why: String) {
    server.application.noteHandshake(with: name, by: parser.origin, failed: why)
    server.touch()
  }

  /// Ends a connection that cannot be encrypted, with the alert that says why.
  private func refuse(_ error: TLSError, by session: TLSSession) {
    noteHandshake(with: session.requestedName, failed: error.description)
    if error.isPlain {
      var answer: [UInt8] = []
      ResponseEncoder.append(.plainToSecure, for: .init(persists: false), to: &answer)
      try? write(answer)
    } else {
      try? write(session.takeOutput())
    }
    stream.close()
  }

  private func write(_ bytes: [UInt8]) throws(LoopError) {
    try bytes.withUnsafeBufferPointer { bytes throws(LoopError) in
      try stream.write(UnsafeRawBufferPointer(bytes))
    }
  }
}

extension Response {
  /// The answer to a request without TLS where TLS is spoken.
  fileprivate static let plainToSecure = Response.text(
    400, "This is the HTTPS port, and the request came without TLS.\n")
}
