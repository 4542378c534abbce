extension Unicode.Scalar {
  /// True for what people cannot see, or cannot tell from a blank: controls, format characters, fillers, and
  /// all blanks but the usual one.
  package var isInvisible: Bool {
    switch value {
    case 0x20...0x7E: false
    case 0...0xA0: true
    default:
      switch properties.generalCategory {
      case .spaceSeparator, .lineSeparator, .paragraphSeparator, .format, .control: true
      default: properties.isDefaultIgnorableCodePoint
      }
    }
  }

  /// `U+202A`
  package var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(4 - digits.utf8.count, 0)) + digits
  }

  /// Unicode has no names for them.
  private static let controls: [UInt32: String] = [
    0: "null", 9: "tab", 10: "line feed", 13: "carriage return", 27: "escape",
  ]

  /// `U+202A (left-to-right embedding)`
  package var codePointWithName: String {
    let name = Self.controls[value] ?? properties.name?.lowercased()
    return codePoint + (name.map { " (\($0))" } ?? "")
  }
}

extension String {
  /// For reasons: in quotes and on one line, with what is invisible in it; of long texts the beginning.
  package var quoted: String { "\"\(prefix(bytes: 4_096).showingInvisible())\"" }

  /// Invisible characters as `<U+202A>`; line breaks stay if they are in `kept`.
  package func showingInvisible(except kept: String = "") -> String {
    replacingScalars(where: { $0.isInvisible && !kept.unicodeScalars.contains($0) }) { "<\($0.codePoint)>" }
  }

  /// With other texts in the place of some characters.
  package func replacingScalars(
    where isReplaced: (Unicode.Scalar) -> Bool, with replacement: (Unicode.Scalar) -> String
  ) -> String {
    guard unicodeScalars.contains(where: isReplaced) else { return self }
    // Unicode scalars would be copied each time that a text is appended.
    var shown: [UInt8] = []
    for scalar in unicodeScalars {
      if isReplaced(scalar) {
        shown += replacement(scalar).utf8
      } else {
        shown.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }
}
