import Glibc

/// Accepts connections on a port of this machine. Every call has a timeout.
package final class Receiver {
  package let port: UInt16
  private let descriptor: Int32

  /// Listens on a free port of 127.0.0.1. `seconds` is the timeout of `accept`. The queue holds `backlog` + 1
  /// connections.
  package init(seconds: Int = 5, backlog: Int32 = 64) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Client.Failure.system(errno) }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = descriptor
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) | listen(listener, backlog) | getsockname(listener, $0, &length)
      }
    }
    guard code == 0 else { throw Client.Failure.system(errno) }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// The server's side of the next connection.
  package func accept(seconds: Int = 5) throws -> Client {
    let connection = Glibc.accept(descriptor, nil, nil)
    guard connection >= 0 else { throw errno == EAGAIN ? Client.Failure.late : Client.Failure.system(errno) }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return Client(descriptor: connection)
  }
}
