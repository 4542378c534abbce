import JSON

/// `host[:port]`, as in a URL, a request target or a `Host` field (RFC 9110, 7.2).
package struct Authority: Sendable, Hashable, CustomStringConvertible {
  /// A lower-case name or a literal address. IPv6 has no brackets.
  package let host: String
  package let port: UInt16?

  package init(host: String, port: UInt16?) {
    self.host = host
    self.port = port
  }

  /// Returns nil without a host, and for port 0.
  package init?(_ text: some StringProtocol) {
    // Bytes, because to search through characters takes fifty times as long.
    let bytes = text.utf8
    guard Array(bytes).withUnsafeBytes({ Self.isValid($0) }), !bytes.contains(UInt8(ascii: "%")) else {
      return nil
    }
    let end: String.Index
    if bytes.first == UInt8(ascii: "[") {
      end = bytes.firstIndex(of: UInt8(ascii: "]")) ?? text.endIndex
      host = text[..<end].dropFirst().lowercased()
      guard host.utf8.contains(UInt8(ascii: ":")) else { return nil }
    } else {
      end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
      host = text[..<end].lowercased()
      guard !host.isEmpty else { return nil }
    }
    let digits = text[end...].drop { $0 == "]" || $0 == ":" }
    port = UInt16(digits)
    guard digits.isEmpty || port ?? 0 > 0 else { return nil }
  }

  /// `name:443`, `[::1]:443` or `name`.
  package var description: String {
    (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
  }

  /// True for `localhost`, names that end in `.localhost`, 127.0.0.0/8 and ::1.
  package var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || host.hasPrefix("127.") && isAddress
  }

  /// True for a literal IPv6 address.
  package var isIPv6: Bool { host.contains(":") }

  /// True for an IPv4 or IPv6 address, false for a name.
  package var isAddress: Bool {
    isIPv6 || host.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
  }

  /// True for a name, an IPv4 address or a bracketed IPv6 address, with or without a port, and for empty
  /// bytes.
  ///
  /// Stricter than the RFC: no user information, no `sub-delims`.
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
    while index < bytes.count, bytes[index].isDigit { index += 1 }
    return index == bytes.count
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    if byte.isAlphanumeric { return true }
    return switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"): true
    default: false
    }
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    byte.hexValue != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }
}

/// Hosts that the operator allows by name.
package struct HostList: Sendable, Equatable {
  private let entries: [String]

  /// Entries are names, literal addresses, `*.domain`, or `*` for every host.
  package init(_ entries: [String] = []) {
    self.entries = entries.map { $0.lowercased().filter { $0 != "[" && $0 != "]" } }
  }

  package func contains(_ host: String) -> Bool {
    let host = host.lowercased()
    return entries.contains { entry in
      entry == "*" || entry == host || entry.hasPrefix("*.") && host.hasSuffix(entry.dropFirst())
    }
  }

  /// True if an entry is this host itself.
  package func names(_ host: String) -> Bool { entries.contains(host.lowercased()) }
}
