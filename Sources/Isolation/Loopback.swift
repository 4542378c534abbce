import Glibc

/// The network of one machine: in a new namespace it is there, but down.
enum Loopback {
  private static let step = "starting the loopback of the command's own network"

  static func start() throws(IsolationError) {
    let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw IsolationError(step) }
    defer { close(socket) }
    var request = ifreq()
    withUnsafeMutableBytes(of: &request.ifr_ifrn) { $0.copyBytes(from: "lo".utf8) }
    request.ifr_ifru.ifru_flags = Int16(IFF_UP)
    guard ioctl(socket, UInt(SIOCSIFFLAGS), &request) == 0 else { throw IsolationError(step) }
  }
}
