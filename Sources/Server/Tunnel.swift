import HTTP
import Loop

/// Bytes between a client and a host outside, passed on unread; a class because streams call it back.
///
/// ```
/// client ──received──> write ──> host      neither is read on while the other has much to take,
/// client <──write <──received─── host      and the end of one is told to the other
/// ```
final class Tunnel {
  private let connection: ClientConnection
  private let place: Authority
  private let request: [UInt8]?
  private let note: (Response?) -> Void
  private var approach: OutboundConnector?
  private var host: TCPStream?
  /// Whose bytes are all passed on.
  private var hasEnded: (client: Bool, host: Bool)
  private var queuedBefore = 0
  private var lastMoved: UInt64

  /// A tunnel for a client, to a host and a port; `note` hears of the answer that the client gets of us. With a
  /// `request`, the client gets the answer to that, and what else it sends goes nowhere.
  init(
    _ connection: ClientConnection, to place: Authority, asking request: [UInt8]?,
    note: @escaping (Response?) -> Void
  ) {
    self.connection = connection
    self.place = place
    self.request = request
    self.note = note
    hasEnded = (client: request != nil, host: false)
    lastMoved = connection.server.loop.milliseconds
  }

  /// Goes to the host; until it is reached, the connection keeps what its client sends.
  func start() {
    let loop = connection.server.loop
    approach = OutboundConnector(loop, to: place.host, port: place.port ?? 80) { [unowned self] outcome in
      switch outcome {
      case .connected(let stream): open(stream)
      case .refused(let reason), .failed(let reason): fail(502, reason)
      }
    }
    approach?.start()
  }

  /// Ends what takes too long.
  func checkTime() {
    let (now, configuration) = (connection.server.loop.milliseconds, connection.server.configuration)
    let queued = client.queuedBytes + (host?.queuedBytes ?? 0)
    if queued != queuedBefore { (queuedBefore, lastMoved) = (queued, now) }
    let age = Duration.milliseconds(Int64(now - lastMoved))
    if let approach, age > configuration.connectTimeout {
      let limit = "no connection within \(configuration.connectTimeout)"
      fail(504, "\(limit), which ended while \(approach.stage.rawValue)")
    } else if age > configuration.tunnelTimeout {
      end()
    }
  }

  /// Ends it at once.
  func end() {
    approach?.abandon()
    approach = nil
    host?.close()
    client.close()
  }

  private var client: TCPStream { connection.stream }

  private func open(_ stream: TCPStream) {
    approach = nil
    host = stream
    touch()
    do throws(LoopError) {
      if request == nil { try client.write(ResponseEncoder.establishment) }
      note(request == nil ? Response(200) : nil)
      try stream.write(request ?? connection.pending)
      connection.pending = []
      try stream.start(owner: self)
      try client.start(owner: self)
    } catch {
      end()
    }
  }

  private func fail(_ status: Status, _ reason: String) {
    approach?.abandon()
    approach = nil
    connection.tunnel = nil
    let remark = "\(place) cannot be reached: \(reason)"
    var response = Response.text(status, remark + ".\n")
    response.remark = remark
    note(response)
    connection.refuse(response)
  }

  private func touch() { lastMoved = connection.server.loop.milliseconds }
}

extension Tunnel: TCPStreamOwner {
  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
    touch()
    guard let other = partner(of: stream), !isOver(stream) else { return }
    do throws(LoopError) {
      try other.write(bytes)
      if other.queuedBytes > connection.server.configuration.writeQueueLimit { stream.pauseReading() }
    } catch {
      end()
    }
  }

  func streamReachedEnd(_ stream: TCPStream) {
    guard !isOver(stream) else { return }
    if stream === client { hasEnded.client = true } else { hasEnded.host = true }
    partner(of: stream)?.halfClose()
    endIfOver()
  }

  func streamDrained(_ stream: TCPStream) {
    touch()
    endIfOver()
    guard let other = partner(of: stream), !isOver(other) else { return }
    do throws(LoopError) { try other.resumeReading() } catch { end() }
  }

  /// A connection that broke off breaks off on the other side too.
  func stream(_ stream: TCPStream, failed error: LoopError) {
    partner(of: stream)?.abort()
    end()
  }

  func streamClosed(_ stream: TCPStream) {
    if stream === client { connection.streamClosed(stream) } else { host = nil }
  }

  private func partner(of stream: TCPStream) -> TCPStream? { stream === client ? host : client }

  private func isOver(_ stream: TCPStream) -> Bool { stream === client ? hasEnded.client : hasEnded.host }

  private func endIfOver() {
    if hasEnded.client, hasEnded.host, client.queuedBytes == 0, host?.queuedBytes ?? 0 == 0 { end() }
  }
}

extension TCPStream {
  fileprivate func write(_ bytes: [UInt8]) throws(LoopError) {
    try bytes.withUnsafeBufferPointer { bytes throws(LoopError) in try write(UnsafeRawBufferPointer(bytes)) }
  }
}
