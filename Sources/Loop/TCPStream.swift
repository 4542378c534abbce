import CUV

/// Whoever a connection's events are told to; held by the stream until it is closed.
package protocol TCPStreamOwner: AnyObject {
  /// Bytes came; they are valid during the call only.
  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer)
  /// The other side sends no more; it may still read.
  func streamReachedEnd(_ stream: TCPStream)
  /// Everything queued for writing has gone to the operating system.
  func streamDrained(_ stream: TCPStream)
  /// Reading or writing failed; the stream is of no more use but to be closed.
  func stream(_ stream: TCPStream, failed error: LoopError)
  /// The stream is gone; the last call of all.
  func streamClosed(_ stream: TCPStream)
}

/// One TCP connection.
package final class TCPStream: Handle {
  private var owner: (any TCPStreamOwner)?
  private var isReading = false

  /// Takes the next connection of a listening handle.
  init(_ loop: EventLoop, from listener: UnsafeMutablePointer<uv_stream_t>) throws(LoopError) {
    try super.init(loop, uv_tcp_t.self, doing: "accepting") { uv_tcp_init(loop.native, $0) }
    let code = uv_accept(listener, stream)
    guard code == 0 else {
      close()
      throw LoopError(code: code, doing: "accepting")
    }
    uv_tcp_nodelay(tcp, 1)
  }

  /// A stream that is about to connect.
  init(unconnected loop: EventLoop, doing: String) throws(LoopError) {
    try super.init(loop, uv_tcp_t.self, doing: doing) { uv_tcp_init(loop.native, $0) }
    uv_tcp_nodelay(tcp, 1)
  }

  /// Tells events to this owner from now on, and keeps it until the stream is closed.
  package func start(owner: any TCPStreamOwner) throws(LoopError) {
    self.owner = owner
    try resumeReading()
  }

  /// Lets bytes come again; changes nothing while they do.
  package func resumeReading() throws(LoopError) {
    loop.assertHere()
    guard !isReading, !isClosing else { return }
    let code = uv_read_start(
      stream, { handle, _, buffer in TCPStream.lend(handle, buffer) },
      { TCPStream.read($0, count: $1, $2) })
    try LoopError.check(code, "reading")
    isReading = true
  }

  /// Leaves further bytes with the operating system, whose window then closes.
  package func pauseReading() {
    loop.assertHere()
    guard isReading, !isClosing else { return }
    uv_read_stop(stream)
    isReading = false
  }

  /// Sends the bytes: what the operating system takes at once, the rest from a queue.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(LoopError) {
    loop.assertHere()
    guard !isClosing, let base = bytes.baseAddress, bytes.count > 0 else { return }
    var buffer = uv_buf_t(
      base: UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: CChar.self)), len: bytes.count)
    var written = uv_try_write(stream, &buffer, 1)
    if written == UV_EAGAIN.rawValue { written = 0 }
    try LoopError.check(written, "writing")
    if Int(written) < bytes.count {
      try enqueue(UnsafeRawBufferPointer(rebasing: bytes[Int(written)...]))
    }
  }

  /// How many bytes wait for the other side to read.
  package var queuedBytes: Int { uv_stream_get_write_queue_size(stream) }

  /// Tells the other side that nothing more comes, once the queue is written; reading goes on.
  package func halfClose() {
    loop.assertHere()
    guard !isClosing else { return }
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let code = uv_shutdown(request, stream) { request, _ in request?.deallocate() }
    // Already gone: then there is nobody to tell.
    if code != 0 { request.deallocate() }
  }

  /// Ends the connection with a reset: the other side learns that it was not a proper end.
  package func abort() {
    loop.assertHere()
    guard markClosing() else { return }
    let code = uv_tcp_close_reset(tcp) { Handle.finish($0) }
    // Refused after `halfClose`; an ordinary end must do.
    if code != 0 { uv_close(base) { Handle.finish($0) } }
  }

  /// The other side's address.
  package var peer: SocketAddress? {
    let tcp = self.tcp
    return try? SocketAddress.filled(by: { uv_tcp_getpeername(tcp, $0, $1) }, doing: "naming the peer")
  }

  /// Our own address on this connection.
  package var local: SocketAddress? {
    let tcp = self.tcp
    return try? SocketAddress.filled(by: { uv_tcp_getsockname(tcp, $0, $1) }, doing: "naming the socket")
  }

  override func didClose() {
    let owner = self.owner
    self.owner = nil
    owner?.streamClosed(self)
  }
}

extension TCPStream {
  private var tcp: UnsafeMutablePointer<uv_tcp_t> { memory.assumingMemoryBound(to: uv_tcp_t.self) }
  private var stream: UnsafeMutablePointer<uv_stream_t> { memory.assumingMemoryBound(to: uv_stream_t.self) }

  /// One buffer serves all connections: libuv reads into it and calls back before anything else happens.
  private static func lend(
    _ handle: UnsafeMutablePointer<uv_handle_t>?, _ buffer: UnsafeMutablePointer<uv_buf_t>?
  ) {
    buffer?.pointee = uv_buf_t(
      base: handle?.pointee.loop.pointee.data.assumingMemoryBound(to: CChar.self),
      len: EventLoop.readBufferSize)
  }

  private static func read(
    _ handle: UnsafeMutablePointer<uv_stream_t>?, count: Int, _ buffer: UnsafePointer<uv_buf_t>?
  ) {
    let stream: TCPStream = Handle.owner(of: handle)
    stream.loop.assertHere()
    guard let owner = stream.owner, !stream.isClosing else { return }
    if count > 0 {
      owner.stream(stream, received: UnsafeRawBufferPointer(start: buffer?.pointee.base, count: count))
    } else if count == Int(UV_EOF.rawValue) {
      stream.pauseReading()
      owner.streamReachedEnd(stream)
    } else if count < 0 {
      stream.pauseReading()
      owner.stream(stream, failed: LoopError(code: Int32(count), doing: "reading"))
    }
  }

  /// Queues a copy: request and bytes lie in one allocation, freed when they are written.
  private func enqueue(_ rest: UnsafeRawBufferPointer) throws(LoopError) {
    let header = MemoryLayout<uv_write_t>.stride
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: header + rest.count, alignment: MemoryLayout<uv_write_t>.alignment)
    let copy = UnsafeMutableRawBufferPointer(start: block + header, count: rest.count)
    copy.copyMemory(from: rest)
    let request = block.bindMemory(to: uv_write_t.self, capacity: 1)
    var buffer = uv_buf_t(base: copy.baseAddress?.assumingMemoryBound(to: CChar.self), len: rest.count)
    let code = uv_write(request, stream, &buffer, 1) { TCPStream.wrote($0, status: $1) }
    guard code == 0 else {
      block.deallocate()
      throw LoopError(code: code, doing: "writing")
    }
  }

  private static func wrote(_ request: UnsafeMutablePointer<uv_write_t>?, status: Int32) {
    let stream: TCPStream = Handle.owner(of: request?.pointee.handle)
    stream.loop.assertHere()
    UnsafeMutableRawPointer(request)?.deallocate()
    guard let owner = stream.owner, !stream.isClosing else { return }
    if status < 0 {
      owner.stream(stream, failed: LoopError(code: status, doing: "writing"))
    } else if stream.queuedBytes == 0 {
      owner.streamDrained(stream)
    }
  }
}
