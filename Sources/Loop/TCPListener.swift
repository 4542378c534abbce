import CUV

/// Accepts connections on one port.
package final class TCPListener: Handle {
  /// The bound address. Its port is never 0.
  package private(set) var address: SocketAddress
  private var accept: ((TCPStream) -> Void)?
  /// The size of a connection's send buffer in the operating system, in bytes. By default, it would grow to
  /// several megabytes, all filled for a client that reads nothing. Linux doubles this number.
  private static let sendBufferSize: Int32 = 131_072

  /// Listens on a literal address. Connections have `TCP_NODELAY` set.
  package init(
    _ loop: EventLoop, on address: SocketAddress, accept: @escaping (TCPStream) -> Void
  ) throws(LoopError) {
    let doing = "listening on \(address)"
    self.address = address
    self.accept = accept
    try super.init(loop, uv_tcp_t.self, doing: doing) { uv_tcp_init(loop.native, $0) }
    do throws(LoopError) {
      try open(address, doing: doing)
    } catch {
      close()
      throw error
    }
  }

  /// Listens on a socket that another process has bound.
  package init(
    _ loop: EventLoop, socket descriptor: Int32, accept: @escaping (TCPStream) -> Void
  ) throws(LoopError) {
    let doing = "listening on socket \(descriptor)"
    address = SocketAddress(host: "", port: 0)
    self.accept = accept
    try super.init(loop, uv_tcp_t.self, doing: doing) { uv_tcp_init(loop.native, $0) }
    do throws(LoopError) {
      try LoopError.check(uv_tcp_open(native, descriptor), doing)
      try listen(doing: doing)
    } catch {
      close()
      throw error
    }
  }

  override func didClose() { accept = nil }

  private var native: UnsafeMutablePointer<uv_tcp_t> { memory.assumingMemoryBound(to: uv_tcp_t.self) }

  private func open(_ wanted: SocketAddress, doing: String) throws(LoopError) {
    let native = self.native
    try LoopError.check(try wanted.withNative(doing: doing) { uv_tcp_bind(native, $0, 0) }, doing)
    try listen(doing: doing)
  }

  private func listen(doing: String) throws(LoopError) {
    let native = self.native
    // Accepted connections inherit it.
    var sendBufferSize = Self.sendBufferSize
    try LoopError.check(uv_send_buffer_size(base, &sendBufferSize), doing)
    let stream = memory.assumingMemoryBound(to: uv_stream_t.self)
    try LoopError.check(
      uv_listen(stream, ListeningSocket.backlog) { TCPListener.didReceiveConnection($0, status: $1) }, doing)
    address = try SocketAddress.read(by: { uv_tcp_getsockname(native, $0, $1) }, doing: doing)
  }

  private static func didReceiveConnection(_ handle: UnsafeMutablePointer<uv_stream_t>?, status: Int32) {
    let listener: TCPListener = owner(of: handle)
    listener.loop.assertOnThread()
    // Ignores errors: the connection is already closed, or no file descriptor is left. Other connections
    // continue.
    guard status == 0, let handle, let accept = listener.accept,
      let stream = try? TCPStream(listener.loop, from: handle)
    else { return }
    accept(stream)
  }
}
