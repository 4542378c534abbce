/// The `host[:port]` of a `Host` field or an absolute request target (RFC 9110, 7.2).
enum Authority {
  /// Whether the bytes are empty, a name, an IPv4 address or a bracketed IPv6 address, with or without a port.
  ///
  /// Stricter than the RFC's registered names: no user information, no `sub-delims`.
  static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = bytes[...]
    if rest.first == UInt8(ascii: "[") {
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = rest[rest.index(after: rest.startIndex)..<end]
      guard !address.isEmpty, address.allSatisfy(isAddressByte) else { return false }
      rest = rest[rest.index(after: end)...]
    } else {
      rest = rest.drop(while: isNameByte)
    }
    guard let colon = rest.first else { return true }
    let port = rest.dropFirst()
    return colon == UInt8(ascii: ":") && port.count <= 5 && port.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte.lowered) }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "%")
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x66).contains(byte.lowered) || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: ".")
  }
}
