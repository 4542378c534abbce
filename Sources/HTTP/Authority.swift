/// The `host[:port]` of a `Host` field or an absolute request target (RFC 9110, 7.2).
enum Authority {
  /// Whether the bytes are empty, a name, an IPv4 address or a bracketed IPv6 address, with or without a port.
  ///
  /// Stricter than the RFC's registered names: no user information, no `sub-delims`.
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    if bytes.first == UInt8(ascii: "[") {
      index = 1
      while index < bytes.count, isAddressByte(bytes[index]) { index += 1 }
      guard index > 1, index < bytes.count, bytes[index] == UInt8(ascii: "]") else { return false }
      index += 1
    } else {
      while index < bytes.count, isNameByte(bytes[index]) { index += 1 }
    }
    guard index < bytes.count else { return true }
    guard bytes[index] == UInt8(ascii: ":"), bytes.count - index <= 6 else { return false }
    index += 1
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return index == bytes.count
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"): true
    default: false
    }
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x66).contains(byte.lowered) || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: ".")
  }
}
