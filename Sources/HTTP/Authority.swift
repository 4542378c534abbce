/// The `host[:port]` of a URL, a request target or a `Host` field (RFC 9110, 7.2).
package struct Authority: Sendable, Hashable, CustomStringConvertible {
  /// A name in lower case or a literal address, an IPv6 one without its brackets.
  package let host: String
  /// The port; nil where none is said.
  package let port: UInt16?

  /// An authority from its parts.
  package init(host: String, port: UInt16?) {
    self.host = host
    self.port = port
  }

  /// Takes an authority apart; nil unless it names a host, and port 0 is none.
  package init?(_ text: some StringProtocol) {
    guard Array(text.utf8).withUnsafeBytes({ Self.isValid($0) }), !text.contains("%") else { return nil }
    let end: String.Index
    if text.hasPrefix("[") {
      end = text.firstIndex(of: "]") ?? text.endIndex
      host = text[..<end].dropFirst().lowercased()
      guard host.contains(":") else { return nil }
    } else {
      end = text.firstIndex(of: ":") ?? text.endIndex
      host = text[..<end].lowercased()
      guard !host.isEmpty else { return nil }
    }
    let digits = text[end...].drop { $0 == "]" || $0 == ":" }
    port = UInt16(digits)
    guard digits.isEmpty || port ?? 0 > 0 else { return nil }
  }

  /// As it stands in a URL: `name:443`, `[::1]:443`, `name`.
  package var description: String {
    (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
  }

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
