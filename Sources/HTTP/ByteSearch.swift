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

  package init(_ texts: [[UInt8]]) { self.texts = texts }

  /// True for a number in E.164 with or without its plus sign, but not within a longer number. Other values,
  /// such as email addresses, are found as they are.
  package func names(_ number: String) -> Bool {
    guard number.hasPrefix("+") else { return contains(number) }
    let search = DigitSearch(for: String(number.dropFirst()))
    return texts.contains { search.isFound(in: $0) }
  }

  package func contains(_ value: String) -> Bool {
    let search = ByteSearch(for: value)
    return texts.contains { search.isFound(in: $0) }
  }
}
