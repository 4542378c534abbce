import CLinux
import CUV

/// Receives the events of a stream. The stream retains it until it is closed.
package protocol TCPStreamOwner: AnyObject {
  /// The bytes are only valid during the call.
  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer)
  /// The peer closed its side. It may still read.
  func streamReachedEnd(_ stream: TCPStream)
  /// The write queue is empty.
  func streamDrained(_ stream: TCPStream)
  /// Reading or writing failed. The owner must close the stream.
  func stream(_ stream: TCPStream, failed error: LoopError)
  /// The stream is closed. No call follows.
  func streamClosed(_ stream: TCPStream)
}

package final class TCPStream: Handle {
  private var owner: (any TCPStreamOwner)?
  private var isReading = false

  /// Accepts the next connection of a listening handle.
  init(_ loop: EventLoop, from listener: UnsafeMutablePointer<uv_stream_t>) throws(LoopError) {
    try super.init(loop, uv_tcp_t.self, doing: "accepting") { uv_tcp_init(loop.native, $0) }
    let code = uv_accept(listener, stream)
    guard code == 0 else {
      close()
      throw LoopError(code: code, doing: "accepting")
    }
    uv_tcp_nodelay(tcp, 1)
  }

  init(unconnected loop: EventLoop, doing: String) throws(LoopError) {
    try super.init(loop, uv_tcp_t.self, doing: doing) { uv_tcp_init(loop.native, $0) }
    uv_tcp_nodelay(tcp, 1)
  }

  /// The number by which the operating system knows it; -1 once it is closed.
  package var descriptor: Int {
    var descriptor: Int32 = -1
    uv_fileno(base, &descriptor)
    return Int(descriptor)
  }

  /// Sets the owner and starts reading.
  package func start(owner: any TCPStreamOwner) throws(LoopError) {
    self.owner = owner
    try resumeReading()
  }

  /// Does nothing if the stream is already reading.
  package func resumeReading() throws(LoopError) {
    loop.assertOnThread()
    guard !isReading, !isClosing else { return }
    let code = uv_read_start(
      stream, { handle, _, buffer in TCPStream.provideBuffer(handle, buffer) },
      { TCPStream.didRead($0, count: $1, $2) })
    try LoopError.check(code, "reading")
    isReading = true
  }

  /// Leaves further bytes to the operating system, which then slows the peer down.
  package func pauseReading() {
    loop.assertOnThread()
    guard isReading, !isClosing else { return }
    uv_read_stop(stream)
    isReading = false
  }

  /// Writes as much as possible immediately and queues a copy of the rest.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(LoopError) {
    loop.assertOnThread()
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

  /// The number of bytes in the write queue.
  package var queuedBytes: Int { uv_stream_get_write_queue_size(stream) }

  /// True if the peer's machine has not confirmed all bytes that were written.
  package var hasUnconfirmedBytes: Bool {
    queuedBytes > 0 || clinux_unconfirmed_bytes(Int32(descriptor)) > 0
  }

  /// Closes our side after the queue is written. Reading continues.
  package func halfClose() {
    loop.assertOnThread()
    guard !isClosing else { return }
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let code = uv_shutdown(request, stream) { request, _ in request?.deallocate() }
    // Fails if the connection is already closed.
    if code != 0 { request.deallocate() }
  }

  /// Resets the connection, so that the peer sees an error.
  package func abort() {
    loop.assertOnThread()
    guard markClosing() else { return }
    let code = uv_tcp_close_reset(tcp) { Handle.finish($0) }
    // Not possible after `halfClose`.
    if code != 0 { uv_close(base) { Handle.finish($0) } }
  }

  package var peer: SocketAddress? {
    let tcp = self.tcp
    return try? SocketAddress.read(
      by: { uv_tcp_getpeername(tcp, $0, $1) }, doing: "reading the peer's address")
  }

  package var local: SocketAddress? {
    let tcp = self.tcp
    return try? SocketAddress.read(
      by: { uv_tcp_getsockname(tcp, $0, $1) }, doing: "reading the socket's address")
  }

  override func didClose() {
    let owner = self.owner
    self.owner = nil
    owner?.streamClosed(self)
  }
}

// MARK: Connecting

extension TCPStream {
  /// Connects to an address and calls back once. After an error, the stream must be closed.
  package convenience init(
    _ loop: EventLoop, to address: SocketAddress, onConnect: @escaping (LoopError?) -> Void
  ) throws(LoopError) {
    let doing = "connecting to \(address)"
    try self.init(unconnected: loop, doing: doing)
    do throws(LoopError) {
      try connect(to: address, doing: doing, onConnect)
    } catch {
      close()
      throw error
    }
  }

  /// The state of a connection attempt. A class, because libuv passes one pointer to the callback.
  private final class Attempt {
    let stream: TCPStream
    let doing: String
    let then: (LoopError?) -> Void

    init(_ stream: TCPStream, doing: String, then: @escaping (LoopError?) -> Void) {
      self.stream = stream
      self.doing = doing
      self.then = then
    }
  }

  private func connect(
    to address: SocketAddress, doing: String, _ then: @escaping (LoopError?) -> Void
  ) throws(LoopError) {
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    // Released in the callback, which libuv calls exactly once, even if the stream is closed.
    let attempt = Unmanaged.passRetained(Attempt(self, doing: doing, then: then))
    request.pointee.data = attempt.toOpaque()
    let tcp = memory.assumingMemoryBound(to: uv_tcp_t.self)
    do throws(LoopError) {
      let code = try address.withNative(doing: doing) { native in
        uv_tcp_connect(request, tcp, native) { TCPStream.didConnect($0, status: $1) }
      }
      try LoopError.check(code, doing)
    } catch {
      attempt.release()
      request.deallocate()
      throw error
    }
  }

  private static func didConnect(_ request: UnsafeMutablePointer<uv_connect_t>?, status: Int32) {
    guard let request, let data = request.pointee.data else { return }
    // Balances the `passRetained` of `connect`.
    let attempt = Unmanaged<Attempt>.fromOpaque(data).takeRetainedValue()
    attempt.stream.loop.assertOnThread()
    request.deallocate()
    attempt.then(status == 0 ? nil : LoopError(code: status, doing: attempt.doing))
  }
}

// MARK: libuv callbacks

extension TCPStream {
  private var tcp: UnsafeMutablePointer<uv_tcp_t> { memory.assumingMemoryBound(to: uv_tcp_t.self) }
  private var stream: UnsafeMutablePointer<uv_stream_t> { memory.assumingMemoryBound(to: uv_stream_t.self) }

  /// Provides the read buffer. All connections share it, because libuv reads and calls back without
  /// interruption.
  private static func provideBuffer(
    _ handle: UnsafeMutablePointer<uv_handle_t>?, _ buffer: UnsafeMutablePointer<uv_buf_t>?
  ) {
    buffer?.pointee = uv_buf_t(
      base: handle?.pointee.loop.pointee.data.assumingMemoryBound(to: CChar.self),
      len: EventLoop.readBufferSize)
  }

  private static func didRead(
    _ handle: UnsafeMutablePointer<uv_stream_t>?, count: Int, _ buffer: UnsafePointer<uv_buf_t>?
  ) {
    let stream: TCPStream = Handle.owner(of: handle)
    stream.loop.assertOnThread()
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

  /// Queues a copy. Request and bytes share one allocation, which is freed after the write.
  private func enqueue(_ rest: UnsafeRawBufferPointer) throws(LoopError) {
    let header = MemoryLayout<uv_write_t>.stride
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: header + rest.count, alignment: MemoryLayout<uv_write_t>.alignment)
    let copy = UnsafeMutableRawBufferPointer(start: block + header, count: rest.count)
    copy.copyMemory(from: rest)
    let request = block.bindMemory(to: uv_write_t.self, capacity: 1)
    var buffer = uv_buf_t(base: copy.baseAddress?.assumingMemoryBound(to: CChar.self), len: rest.count)
    let code = uv_write(request, stream, &buffer, 1) { TCPStream.didWrite($0, status: $1) }
    guard code == 0 else {
      block.deallocate()
      throw LoopError(code: code, doing: "writing")
    }
  }

  private static func didWrite(_ request: UnsafeMutablePointer<uv_write_t>?, status: Int32) {
    let stream: TCPStream = Handle.owner(of: request?.pointee.handle)
    stream.loop.assertOnThread()
    UnsafeMutableRawPointer(request)?.deallocate()
    guard let owner = stream.owner, !stream.isClosing else { return }
    if status < 0 {
      owner.stream(stream, failed: LoopError(code: status, doing: "writing"))
    } else if stream.queuedBytes == 0 {
      owner.streamDrained(stream)
    }
  }
}
