import JSON

/// Searches texts for a value by Horspool's algorithm, which skips most bytes: texts can be as large as a
/// body.
package struct ByteSearch {
  private let value: [UInt8]
  /// For each byte, how far the search moves on when it is the last one of the window.
  private let steps: [Int]

  package init(for value: String) {
    self.value = Array(value.utf8)
    var steps = [Int](repeating: max(self.value.count, 1), count: 256)
    for (index, byte) in self.value.enumerated().dropLast() {
      steps[Int(byte)] = self.value.count - 1 - index
    }
    self.steps = steps
  }

  package func isFound(in text: [UInt8]) -> Bool { isFound(in: text) { _ in true } }

  /// True if a place with the value is right.
  fileprivate func isFound(in text: [UInt8], where isRight: (Range<Int>) -> Bool) -> Bool {
    var end = value.count
    while end <= text.count {
      let place = (end - value.count)..<end
      if text[place].elementsEqual(value), isRight(place) { return true }
      end += steps[Int(text[end - 1])]
    }
    return false
  }
}

/// Searches texts for digits that are not part of a longer number.
package struct DigitSearch {
  private let search: ByteSearch

  package init(for digits: String) { search = ByteSearch(for: digits) }

  package func isFound(in text: [UInt8]) -> Bool {
    search.isFound(in: text) { place in
      let isContinued = place.upperBound < text.count && text[place.upperBound].isDigit
      return !isContinued && (place.lowerBound == 0 || !text[place.lowerBound - 1].isDigit)
    }
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
