import JSON

/// Searches texts for digits that are not part of a longer number.
package struct DigitSearch {
  private let search: ByteSearch

  package init(for digits: String) { search = ByteSearch(for: digits) }

  package func isFound(in text: [UInt8]) -> Bool {
    var offset = 0
    while let place = search.place(in: text, from: offset) {
      let isContinued = place.upperBound < text.count && text[place.upperBound].isDigit
      if !isContinued, place.lowerBound == 0 || !text[place.lowerBound - 1].isDigit { return true }
      offset = place.lowerBound + 1
    }
    return false
  }
}

/// The texts of a request in which injected faults look for numbers and other values.
package struct SearchableText {
  private let texts: [[UInt8]]
  /// The texts without what people write between the digits of a number.
  private let digits: [[UInt8]]

  package init(_ texts: [[UInt8]]) {
    self.texts = texts
    digits = texts.map(Self.digits)
  }

  /// True for a number in E.164 with or without its plus sign, or with `00` instead, and with spaces between
  /// its digits: `00 1 (202) 555-0150`. False within a longer number. Other values, such as email addresses,
  /// are found as they are.
  package func names(_ number: String) -> Bool {
    guard number.hasPrefix("+") else { return contains(number) }
    let bare = number.dropFirst()
    let (plain, dialled) = (DigitSearch(for: String(bare)), DigitSearch(for: "00\(bare)"))
    return texts.contains(where: plain.isFound)
      || digits.contains { plain.isFound(in: $0) || dialled.isFound(in: $0) }
  }

  /// The digits of a text. Up to three separators between two digits are left out; anything else is a zero
  /// byte. A plus sign separates in forms, where it is a space, but begins a number after a space.
  private static func digits(of text: [UInt8]) -> [UInt8] {
    var digits: [UInt8] = []
    var separators = 0
    var previous: UInt8 = 0
    for byte in text {
      let isAfterSpace = previous == UInt8(ascii: " ")
      previous = byte
      if byte.isDigit {
        separators = 0
        digits.append(byte)
      } else if separators < 3, isSeparator(byte), byte != UInt8(ascii: "+") || !isAfterSpace {
        separators += 1
      } else if digits.last != 0 {
        separators = 0
        digits.append(0)
      }
    }
    return digits
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "+"):
      true
    default: false
    }
  }

  package func contains(_ value: String) -> Bool {
    let search = ByteSearch(for: value)
    return texts.contains { search.isFound(in: $0) }
  }
}
