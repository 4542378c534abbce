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
  /// Invisible characters as `<U+202A>`; line breaks stay if they are in `kept`.
  package func showingInvisible(except kept: String = "") -> String {
    guard unicodeScalars.contains(where: { $0.isInvisible }) else { return self }
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isInvisible, !kept.unicodeScalars.contains(scalar) {
        shown.append(contentsOf: "<\(scalar.codePoint)>".unicodeScalars)
      } else {
        shown.append(scalar)
      }
    }
    return String(shown)
  }
}
