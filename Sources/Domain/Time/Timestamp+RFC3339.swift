extension Timestamp {
  /// Reads RFC 3339 with any offset from UTC: `2026-01-05T10:20:30.5+02:00`; nil for anything else.
  ///
  /// Small `t` and `z` and a space between date and time are allowed, as the RFC has them.
  package init?(rfc3339 text: String) {
    var bytes = Array(text.utf8)
    guard bytes.count >= 20 else { return nil }
    switch bytes[10] {
    case UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " "): bytes[10] = UInt8(ascii: "T")
    default: return nil
    }
    var offset: Int64 = 0
    if bytes.last == UInt8(ascii: "Z") || bytes.last == UInt8(ascii: "z") {
      bytes[bytes.count - 1] = UInt8(ascii: "Z")
    } else {
      guard bytes.count >= 25, let minutes = Self.offset(bytes.suffix(6)) else { return nil }
      offset = minutes
      bytes.replaceSubrange((bytes.count - 6)..., with: [UInt8(ascii: "Z")])
    }
    guard let local = Timestamp(iso8601: String(decoding: bytes, as: UTF8.self)) else { return nil }
    self.init(milliseconds: local.milliseconds - offset * 60_000)
  }

  /// The minutes of `+02:00`.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let text = Array(bytes)
    let isNegative = text[0] == UInt8(ascii: "-")
    let digits = [text[1], text[2], text[4], text[5]].map { Int64($0) - 0x30 }
    guard isNegative || text[0] == UInt8(ascii: "+"), text[3] == UInt8(ascii: ":"),
      digits.allSatisfy({ (0...9).contains($0) })
    else { return nil }
    let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    guard hours < 24, minutes < 60 else { return nil }
    return (hours * 60 + minutes) * (isNegative ? -1 : 1)
  }
}
