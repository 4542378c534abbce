import HTTP
import Loop

/// Forwards bytes between a client and a remote host.
///
/// ```
/// client ──received──> write ──> host      reading pauses while the other side has too much to write;
/// client <── write <──received── host      the end of one side is passed on to the other
/// ```
/// A class, because streams call it back.
final class Tunnel {
  private let connection: ClientConnection
  private let destination: Authority
  private let request: [UInt8]?
  private let onResponse: (Response?) -> Void
  private var connector: OutboundConnector?
  private var host: TCPStream?
  /// True for a side whose bytes were all forwarded.
  private var ended: (client: Bool, host: Bool)
  private var lastQueuedBytes = 0
  /// When bytes last moved, in the loop's milliseconds.
  private var lastProgress: UInt64

  /// With a `request`, the tunnel sends only that, and the client gets its response. `onResponse` receives
  /// the response that this server sends; nil if the host answers.
  init(
    _ connection: ClientConnection, to destination: Authority, sending request: [UInt8]?,
    onResponse: @escaping (Response?) -> Void
  ) {
    self.connection = connection
    self.destination = destination
    self.request = request
    self.onResponse = onResponse
    ended = (client: request != nil, host: false)
    lastProgress = connection.server.loop.milliseconds
  }

  /// Connects to the host. Until then, the connection buffers what its client sends.
  func start() {
    let (server, host) = (connection.server, destination.host)
    let allowed = server.configuration.tunnelDestinations
    connector = OutboundConnector(server.loop, to: host, port: destination.port ?? 80) {
      allowed?.denialReason(for: host, at: $0)
    } then: { [unowned self] outcome in
      switch outcome {
      case .connected(let stream): open(stream)
      case .denied(let why): fail(403, why)
      case .failed(let why): fail(502, why)
      }
    }
    connector?.start()
  }

  func enforceTimeouts() {
    let (now, configuration) = (connection.server.loop.milliseconds, connection.server.configuration)
    let queued = client.queuedBytes + (host?.queuedBytes ?? 0)
    if queued != lastQueuedBytes { (lastQueuedBytes, lastProgress) = (queued, now) }
    let age = Duration.milliseconds(Int64(now - lastProgress))
    if let connector, age > configuration.connectTimeout {
      fail(504, "timed out after \(configuration.connectTimeout) while \(connector.stage.rawValue)")
    } else if age > configuration.tunnelTimeout {
      end()
    }
  }

  /// Closes both sides.
  func end() {
    connector?.cancel()
    connector = nil
    host?.close()
    client.close()
  }

  private var client: TCPStream { connection.stream }

  private func open(_ stream: TCPStream) {
    connector = nil
    host = stream
    recordProgress()
    do throws(LoopError) {
      if request == nil { try client.write(ResponseEncoder.tunnelResponse) }
      onResponse(request == nil ? Response(200) : nil)
      try stream.write(request ?? connection.bufferedInput)
      connection.bufferedInput = []
      try stream.start(owner: self)
      try client.start(owner: self)
    } catch {
      end()
    }
  }

  private func fail(_ status: Status, _ why: String) {
    connector?.cancel()
    connector = nil
    connection.tunnel = nil
    let why = "\(destination) cannot be reached: \(why)"
    var response = Response.text(status, why + ".\n")
    response.why = why
    onResponse(response)
    connection.sendFinalResponse(response)
  }

  private func recordProgress() { lastProgress = connection.server.loop.milliseconds }
}

extension Tunnel: TCPStreamOwner {
  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
    recordProgress()
    guard let other = otherSide(of: stream), !hasEnded(stream) else { return }
    do throws(LoopError) {
      try other.write(bytes)
      if other.queuedBytes > connection.server.configuration.writeQueueLimit { stream.pauseReading() }
    } catch {
      end()
    }
  }

  func streamReachedEnd(_ stream: TCPStream) {
    guard !hasEnded(stream) else { return }
    if stream === client { ended.client = true } else { ended.host = true }
    otherSide(of: stream)?.halfClose()
    endIfDone()
  }

  func streamDrained(_ stream: TCPStream) {
    recordProgress()
    endIfDone()
    guard let other = otherSide(of: stream), !hasEnded(other) else { return }
    do throws(LoopError) { try other.resumeReading() } catch { end() }
  }

  /// Passes the failure of one side on as a reset of the other.
  func stream(_ stream: TCPStream, failed error: LoopError) {
    otherSide(of: stream)?.abort()
    end()
  }

  func streamClosed(_ stream: TCPStream) {
    if stream === client { connection.streamClosed(stream) } else { host = nil }
  }

  private func otherSide(of stream: TCPStream) -> TCPStream? { stream === client ? host : client }

  private func hasEnded(_ stream: TCPStream) -> Bool {
    stream === client ? ended.client : ended.host
  }

  private func endIfDone() {
    if ended.client, ended.host, client.queuedBytes == 0, host?.queuedBytes ?? 0 == 0 { end() }
  }
}

extension TCPStream {
  fileprivate func write(_ bytes: [UInt8]) throws(LoopError) {
    try bytes.withUnsafeBufferPointer { bytes throws(LoopError) in try write(UnsafeRawBufferPointer(bytes)) }
  }
}
