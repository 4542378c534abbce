import CUV
import Glibc

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Sendable, Equatable, CustomStringConvertible {
  /// The address as a literal, without brackets.
  package let host: String
  /// The port; 0 asks the system to choose.
  package let port: UInt16

  /// An address that is looked at when it is used.
  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// As it stands in a URL: `127.0.0.1:5550`, `[::1]:5550`.
  package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether the literal is one of IPv6.
  package var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }

  /// The operating system's form; refuses anything but a literal.
  func withNative<Result>(
    doing: String, _ body: (UnsafePointer<sockaddr>) -> Result
  ) throws(LoopError) -> Result {
    var storage = sockaddr_storage()
    let code = withUnsafeMutableBytes(of: &storage) { bytes -> Int32 in
      guard let base = bytes.baseAddress else { return UV_EINVAL.rawValue }
      return isIPv6
        ? uv_ip6_addr(host, Int32(port), base.assumingMemoryBound(to: sockaddr_in6.self))
        : uv_ip4_addr(host, Int32(port), base.assumingMemoryBound(to: sockaddr_in.self))
    }
    try LoopError.check(code, doing)
    return withUnsafePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
    }
  }

  /// What a call like `uv_tcp_getpeername` fills in.
  static func filled(
    by fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<Int32>) -> Int32, doing: String
  ) throws(LoopError) -> SocketAddress {
    var storage = sockaddr_storage()
    var length = Int32(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { fill($0, &length) }
    }
    try LoopError.check(code, doing)
    return SocketAddress(storage)
  }

  private init(_ storage: sockaddr_storage) {
    let family = Int32(storage.ss_family)
    var text = [CChar](repeating: 0, count: 64)
    port = withUnsafeBytes(of: storage) { bytes -> UInt16 in
      guard let base = bytes.baseAddress else { return 0 }
      if family == AF_INET6 {
        let address = base.assumingMemoryBound(to: sockaddr_in6.self)
        uv_ip6_name(address, &text, text.count)
        return UInt16(bigEndian: address.pointee.sin6_port)
      }
      let address = base.assumingMemoryBound(to: sockaddr_in.self)
      uv_ip4_name(address, &text, text.count)
      return UInt16(bigEndian: address.pointee.sin_port)
    }
    host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
