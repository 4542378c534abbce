import JSON

/// Outside texts can have control characters, which a terminal would obey: whatever is printed goes through
/// here.
extension String {
  /// With `\x1B` instead of an escape, and likewise for all control characters but tabs and line breaks.
  var printable: String { replacing("\r\n", with: "\n").replacingControls(with: \.hexEscape) }

  /// The same, with spaces instead of tabs and line breaks.
  var onOneLine: String { String(printable.map { $0 == "\n" || $0 == "\t" ? " " : $0 }) }

  fileprivate func replacingControls(with escape: (Unicode.Scalar) -> String) -> String {
    // Few texts have any. In UTF-8, those above 0x7F begin with 0xC2.
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return self }
    return replacingScalars(
      where: { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" }, with: escape)
  }
}

extension [UInt8] {
  /// A document of JSON with `\u009B` instead of the control characters that JSON allows in texts.
  var printableJSON: [UInt8] {
    Array(String(decoding: self, as: UTF8.self).replacingControls { "\\u00\($0.hexDigits)" }.utf8)
  }
}

extension Unicode.Scalar {
  /// `\x1B`, for values of at most a byte.
  var hexEscape: String { "\\x\(hexDigits)" }

  /// Of a value of at most a byte.
  fileprivate var hexDigits: String {
    "\(value < 0x10 ? "0" : "")\(String(value, radix: 16, uppercase: true))"
  }
}
