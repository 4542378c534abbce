import CUV
import Glibc

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Sendable, Equatable, CustomStringConvertible {
  /// A literal address without brackets, or a name.
  package let host: String
  /// With port 0, the system chooses one.
  package let port: UInt16

  /// Does not check the host.
  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// `127.0.0.1:5550` or `[::1]:5550`.
  package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  package var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }

  /// True for 127.0.0.0/8, ::1 and IPv4-mapped addresses of 127.0.0.0/8.
  package var isLoopback: Bool {
    let bytes = try? withNative(doing: "reading \(host)") { native -> [UInt8] in
      let raw = UnsafeRawPointer(native)
      if native.pointee.sa_family == sa_family_t(AF_INET6) {
        return withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0) }
      }
      return withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { Array($0) }
    }
    guard let bytes else { return false }
    if bytes.count == 4 { return bytes[0] == 127 }
    let zeros = bytes.prefix { $0 == 0 }.count
    return zeros == 15 && bytes[15] == 1
      || zeros == 10 && bytes[10] == 0xFF && bytes[11] == 0xFF && bytes[12] == 127
  }

  /// True if the host is a literal address, false for a name.
  package var isLiteral: Bool { (try? withNative(doing: "reading \(host)") { _ in true }) ?? false }

  /// True if the host is an address in any notation that a lookup reads, such as `2130706433`. Others would
  /// ask a server.
  package var isNumeric: Bool {
    var address = in_addr()
    return isLiteral || inet_aton(host, &address) != 0
  }

  /// The result of a lookup, with this port. Nil unless it is IPv4 or IPv6.
  init?(_ native: UnsafePointer<sockaddr>, port: UInt16) {
    var storage = sockaddr_storage()
    let raw = UnsafeRawPointer(native)
    switch Int32(native.pointee.sa_family) {
    case AF_INET:
      withUnsafeMutableBytes(of: &storage) {
        $0.storeBytes(of: raw.load(as: sockaddr_in.self), as: sockaddr_in.self)
      }
    case AF_INET6:
      withUnsafeMutableBytes(of: &storage) {
        $0.storeBytes(of: raw.load(as: sockaddr_in6.self), as: sockaddr_in6.self)
      }
    default: return nil
    }
    self.init(host: SocketAddress(storage).host, port: port)
  }

  /// Calls `body` with the operating system's form. Throws unless the host is a literal address.
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

  /// The address that a call like `uv_tcp_getpeername` returns.
  static func read(
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
