import JSON

/// A literal IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable {
  /// 4 or 16, in network order. An IPv4 address that is mapped into IPv6 has 4 (RFC 4291, 2.5.5.2).
  package let bytes: [UInt8]

  /// Without brackets or port. Returns nil for other text.
  package init?(_ text: some StringProtocol) {
    guard let bytes = Self.ipv4(text) ?? Self.ipv6(text) else { return nil }
    self.bytes = bytes.starts(with: Self.mappedPrefix) ? Array(bytes.suffix(4)) : bytes
  }

  package static func isValid(_ text: String) -> Bool { IPAddress(text) != nil }

  /// An address as in a URL or in `X-Forwarded-For`: IPv6 may have brackets, and a port may follow.
  package init?(withPort text: some StringProtocol) {
    if let address = IPAddress(text) {
      self = address
    } else {
      guard let authority = Authority(text) else { return nil }
      self.init(authority.host)
    }
  }

  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  private static func ipv4(_ text: some StringProtocol) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { part in part.utf8.allSatisfy(\.isDigit) ? UInt8(part) : nil }
    return parts.count == 4 && bytes.count == 4 ? bytes : nil
  }

  /// Eight groups, or fewer around one `::`. The last two groups can be an IPv4 address (RFC 4291, 2.2).
  private static func ipv6(_ text: some StringProtocol) -> [UInt8]? {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    guard halves.count <= 2, let head = halves.first, let tail = halves.last,
      let first = groups(head, mayEndInIPv4: halves.count == 1)
    else { return nil }
    if halves.count == 1 { return first.count == 16 ? first : nil }
    guard let last = groups(tail, mayEndInIPv4: true), first.count + last.count <= 14 else { return nil }
    return first + [UInt8](repeating: 0, count: 16 - first.count - last.count) + last
  }

  private static func groups(_ text: some StringProtocol, mayEndInIPv4: Bool) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var end: [UInt8] = []
    if mayEndInIPv4, let last = parts.last, last.contains(".") {
      guard let address = ipv4(last) else { return nil }
      end = address
      parts.removeLast()
    }
    var bytes: [UInt8] = []
    for part in parts {
      guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(\.isHexDigit),
        let group = UInt16(part, radix: 16)
      else { return nil }
      bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
    }
    return bytes + end
  }
}

extension IPAddress: CustomStringConvertible {
  /// As in a URL: IPv6 in brackets, without abbreviation.
  package var description: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: bytes.count, by: 2).map { index -> String in
      let group = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      return String(group, radix: 16)
    }
    return "[\(groups.joined(separator: ":"))]"
  }
}

/// One address, or all with the same first bits: `10.0.0.0/8` (RFC 4632, 3.1).
package struct AddressRange: Sendable, Equatable {
  private let first: IPAddress
  private let bits: Int

  /// Returns nil for other text, and for more bits than the address has.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let start = parts.first, let address = IPAddress(start) else { return nil }
    let all = address.bytes.count * 8
    let bits = parts.count == 1 ? all : Self.number(parts[1])
    guard let bits, bits <= all else { return nil }
    (first, self.bits) = (address, bits)
  }

  package func contains(_ address: IPAddress) -> Bool {
    guard address.bytes.count == first.bytes.count else { return false }
    for (index, pair) in zip(first.bytes, address.bytes).enumerated() {
      let left = bits - index * 8
      guard left > 0 else { return true }
      guard (pair.0 ^ pair.1) >> UInt8(max(8 - left, 0)) == 0 else { return false }
    }
    return true
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    (1...3).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
  }
}
