import JSON

/// Percent-encoding (RFC 3986), and the variant for forms, where `+` is a space.
package enum PercentCoding {
  /// Returns nil if an escape is broken or the result is not UTF-8. Use `plusIsSpace` for forms and queries
  /// only.
  package static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
    bytes.inMemory { decode($0, plusIsSpace) }
  }

  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ plusIsSpace: Bool) -> String? {
    guard bytes.contains(where: { $0 == percent || $0 >= 0x80 || plusIsSpace && $0 == plus }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      if byte == percent {
        guard let high = iterator.next()?.hexValue, let low = iterator.next()?.hexValue else { return nil }
        decoded.append(high << 4 | low)
      } else {
        decoded.append(plusIsSpace && byte == plus ? space : byte)
      }
    }
    return String(utf8: decoded[...])
  }

  /// Encodes a path segment or a query value. Keeps the unreserved characters of RFC 3986 and those in
  /// `kept`.
  package static func encode(_ text: String, keeping kept: String = "") -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if byte.isUnreserved || kept.utf8.contains(byte) {
        encoded.append(byte)
      } else {
        encoded.append(percent)
        encoded.append(Hex.digit(byte >> 4, uppercase: true))
        encoded.append(Hex.digit(byte & 0xF, uppercase: true))
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static let percent = UInt8(ascii: "%")
  private static let plus = UInt8(ascii: "+")
  private static let space = UInt8(ascii: " ")
}

extension UInt8 {
  fileprivate var isUnreserved: Bool {
    if isAlphanumeric { return true }
    return switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}

extension String {
  /// Concatenates texts with a single allocation.
  package init(joining parts: String...) {
    // Three times as fast as appending each part.
    self.init(unsafeUninitializedCapacity: parts.reduce(0) { $0 + $1.utf8.count }) { memory in
      var end = memory.startIndex
      for var part in parts {
        end = part.withUTF8 { memory[end...].update(fromContentsOf: $0) }
      }
      return end
    }
  }

  /// Returns nil for invalid UTF-8. Checks for ASCII first, which is five times as fast as full validation.
  package init?(utf8 bytes: ArraySlice<UInt8>) {
    if bytes.allSatisfy({ $0 < 0x80 }) {
      self.init(decoding: bytes, as: UTF8.self)
    } else {
      self.init(validating: bytes, as: UTF8.self)
    }
  }
}
