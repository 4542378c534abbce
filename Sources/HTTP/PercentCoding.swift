/// Percent-encoding of RFC 3986, and its form variant in which `+` is a space.
package enum PercentCoding {
  /// The text behind percent-encoded bytes, or nil where an escape is broken or the result is not UTF-8.
  ///
  /// `plusIsSpace` is for forms and queries only: in a path `+` stays `+`.
  package static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
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

  /// Text for a path segment or a query value: unreserved characters of RFC 3986 stay, all else is escaped.
  package static func encode(_ text: String, keeping kept: String = "") -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if byte.isUnreserved || kept.utf8.contains(byte) {
        encoded.append(byte)
      } else {
        encoded.append(percent)
        encoded.append(hexDigits[Int(byte >> 4)])
        encoded.append(hexDigits[Int(byte & 15)])
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static let percent = UInt8(ascii: "%")
  private static let plus = UInt8(ascii: "+")
  private static let space = UInt8(ascii: " ")
  private static let hexDigits = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
  /// The value of a hexadecimal digit.
  fileprivate var hexValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x37
    case 0x61...0x66: self - 0x57
    default: nil
    }
  }

  fileprivate var isUnreserved: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}
