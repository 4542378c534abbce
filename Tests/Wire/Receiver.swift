import Glibc

/// A port of this machine where a test waits for connections; every call ends within a bound.
package final class Receiver {
  /// The port.
  package let port: UInt16
  private let descriptor: Int32

  /// Listens on 127.0.0.1 on a free port; `accept` waits no longer than this many seconds, and `backlog` connections
  /// and one wait to be accepted.
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

  /// The next connection, seen from the side that was called.
  package func accept(seconds: Int = 5) throws -> Client {
    let connection = Glibc.accept(descriptor, nil, nil)
    guard connection >= 0 else { throw errno == EAGAIN ? Client.Failure.late : Client.Failure.system(errno) }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return Client(descriptor: connection)
  }
}
