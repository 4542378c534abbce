import JSON

/// Names between two marks in a text, such as `{{code}}`, and the values for them.
///
/// The text is read once: a value is not searched for names, so it cannot multiply itself. Compares bytes,
/// because `replacing` and `contains` compare characters, which takes 20,000 instructions for one line.
package struct Placeholders: Sendable {
  /// `{{name}}`
  package static let doubleBraces = Placeholders("{{", "}}")
  /// `{name}`
  package static let braces = Placeholders("{", "}")
  /// `${name}`
  package static let dollarBraces = Placeholders("${", "}")
  /// `$$NAME$$`
  package static let dollars = Placeholders("$$", "$$")

  /// Of a filled text, in bytes; the rest is cut off. No message is that long.
  package static let limit = 65_536
  /// Of a name, in bytes. What is longer is text.
  private static let nameLimit = 1_024

  private let opening: [UInt8]
  private let closing: [UInt8]

  private init(_ opening: StaticString, _ closing: StaticString) {
    self.opening = Array("\(opening)".utf8)
    self.closing = Array("\(closing)".utf8)
  }

  /// The text with the values of its names; a name without one stays, with its marks.
  package func fill<Failure>(
    _ text: String, _ value: (_ name: String) throws(Failure) -> String?
  ) throws(Failure) -> String {
    let source = Array(text.utf8)
    var filled: [UInt8] = []
    var (end, next) = (0, 0)
    while next < source.count, filled.count <= Self.limit {
      guard let name = name(in: source, at: next),
        let value = try value(String(decoding: source[name], as: UTF8.self))
      else {
        next += 1
        continue
      }
      filled += source[end..<next]
      filled += value.utf8.prefix(Self.limit + 1)
      end = name.upperBound + closing.count
      next = end
    }
    filled += source[end...]
    return String(decoding: filled, as: UTF8.self).prefix(bytes: Self.limit)
  }

  /// The text with one value for a name.
  package func fill(_ text: String, _ name: String, with value: String) -> String {
    fill(text) { $0 == name ? value : nil }
  }

  package func contains(_ name: String, in text: String) -> Bool {
    var isFound = false
    _ = fill(text) { found in
      isFound = isFound || found == name
      return nil
    }
    return isFound
  }

  /// Where the name is whose opening mark begins at a place; nil if none does.
  private func name(in source: [UInt8], at place: Int) -> Range<Int>? {
    guard source[place] == opening[0], source[place...].starts(with: opening) else { return nil }
    let start = place + opening.count
    var end = start
    while end < source.count, end - start <= Self.nameLimit {
      if source[end] == closing[0], source[end...].starts(with: closing) {
        return start < end ? start..<end : nil
      }
      // An opening mark begins another name.
      guard source[end] != opening[0] else { return nil }
      end += 1
    }
    return nil
  }
}
