import CUV
import Glibc

/// A port that is open, but whose connections another process accepts. They wait until that process is ready.
package final class ListeningSocket: Handle {
  /// The bound address. Its port is never 0.
  package private(set) var address: SocketAddress
  /// For a child process.
  package private(set) var descriptor: Int32 = -1

  /// How many connections may wait.
  static let backlog: Int32 = 1024

  /// Listens on a literal address.
  package init(_ loop: EventLoop, on address: SocketAddress) throws(LoopError) {
    let doing = "listening on \(address)"
    self.address = address
    try super.init(loop, uv_tcp_t.self, doing: doing) { uv_tcp_init(loop.native, $0) }
    do throws(LoopError) {
      try open(address, doing: doing)
    } catch {
      close()
      throw error
    }
  }

  private func open(_ wanted: SocketAddress, doing: String) throws(LoopError) {
    let native = memory.assumingMemoryBound(to: uv_tcp_t.self)
    try LoopError.check(try wanted.withNative(doing: doing) { uv_tcp_bind(native, $0, 0) }, doing)
    // Also throws the error of a port in use, which libuv keeps until this call.
    address = try SocketAddress.read(by: { uv_tcp_getsockname(native, $0, $1) }, doing: doing)
    var descriptor: Int32 = -1
    try LoopError.check(uv_fileno(base, &descriptor), doing)
    // Not `uv_listen`: it would accept connections in this process.
    guard listen(descriptor, Self.backlog) == 0 else { throw LoopError(code: -errno, doing: doing) }
    self.descriptor = descriptor
  }
}
