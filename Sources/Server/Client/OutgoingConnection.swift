import Crypto
import HTTP
import Loop

/// A connection to a receiver: one exchange after another, each alone. The client keeps it between two.
///
/// A class, because its stream calls it back.
final class OutgoingConnection {
  /// The origin of the URLs that it serves.
  let receiver: String
  private let stream: TCPStream
  private let session: TLSSession?
  private let client: HTTPClient
  /// Gets what arrives; nil between two exchanges.
  private var exchange: OutgoingExchange?
  private var idleLimit: Timer?

  /// With a session, the receiver speaks TLS.
  init(_ stream: TCPStream, _ session: TLSSession?, to receiver: String, of client: HTTPClient) {
    (self.stream, self.session, self.receiver, self.client) = (stream, session, receiver, client)
  }

  /// Starts reading, and the TLS handshake if there is one.
  func start(for exchange: OutgoingExchange) throws {
    self.exchange = exchange
    try stream.start(owner: self)
    try flushSession()
  }

  /// True after the TLS handshake.
  var isReady: Bool { session?.isEstablished ?? true }

  func send(_ bytes: [UInt8]) throws {
    guard let session else { return try write(bytes) }
    try session.write(bytes)
    try flushSession()
  }

  /// True if the receiver's machine has not taken all that was sent.
  var hasUntakenBytes: Bool { stream.hasUnconfirmedBytes }

  /// Ends a pause between two exchanges.
  func resume(for exchange: OutgoingExchange) {
    self.exchange = exchange
    idleLimit?.disarm()
  }

  /// Waits for the next exchange. Some receivers serve one connection at a time, and many close theirs after
  /// some seconds, in which a request may be on its way. So the pause is short.
  func pause() throws(LoopError) {
    exchange = nil
    if idleLimit == nil { idleLimit = try Timer(client.loop) { [unowned self] in close() } }
    idleLimit?.arm(after: .seconds(1))
  }

  func close() {
    exchange = nil
    idleLimit?.close()
    stream.close()
    client.forget(self)
  }

  private func flushSession() throws {
    if let output = session?.takeOutput(), !output.isEmpty { try write(output) }
  }

  private func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try stream.write($0) }
  }
}

// MARK: Reading

extension OutgoingConnection: TCPStreamOwner {
  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
    do {
      if let session { try decrypt(bytes, with: session) } else { try read(bytes) }
    } catch {
      // Sends the TLS alert, if any.
      try? flushSession()
      end(because: "\(error)")
    }
  }

  func streamReachedEnd(_ stream: TCPStream) { end(because: nil) }

  func streamDrained(_ stream: TCPStream) {}

  func stream(_ stream: TCPStream, failed error: LoopError) { end(because: error.description) }

  func streamClosed(_ stream: TCPStream) {}

  private func decrypt(_ bytes: UnsafeRawBufferPointer, with session: TLSSession) throws {
    let wasReady = session.isEstablished
    try session.receive(bytes)
    try flushSession()
    if !wasReady, session.isEstablished { try exchange?.begin() }
    let text = try session.read()
    if !text.isEmpty { try text.withUnsafeBytes { try read($0) } }
    if session.isAtEnd { end(because: nil) }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) throws {
    // Nobody has asked for anything.
    guard let exchange else { return close() }
    try exchange.read(bytes)
  }

  /// `why`: nil if the receiver has closed it.
  private func end(because why: String?) {
    if let exchange { exchange.connectionEnded(because: why) } else { close() }
  }
}
