/// A path with captures: `/v2/Services/{service}/Verifications`, `/Accounts/{account}.json`.
package struct Pattern: Sendable, Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text between two slashes.
  package enum Segment: Sendable, Equatable {
    case literal(String)
    /// Matches any text that ends in `suffix`. Captures the part before it.
    case capture(name: String, suffix: String)
  }

  /// The pattern as written.
  package let description: String
  package let segments: [Segment]
  /// The names of the captures, in order.
  package let names: [String]

  package init(stringLiteral text: String) {
    description = text
    let segments = Array(text.utf8).split(separator: UInt8(ascii: "/")).map { part -> Segment in
      guard part.first == UInt8(ascii: "{"), let end = part.firstIndex(of: UInt8(ascii: "}")) else {
        return .literal(String(decoding: part, as: UTF8.self))
      }
      let (name, suffix) = (part[..<end].dropFirst(), part[end...].dropFirst())
      return .capture(
        name: String(decoding: name, as: UTF8.self), suffix: String(decoding: suffix, as: UTF8.self))
    }
    self.segments = segments
    names = segments.compactMap { if case .capture(let name, _) = $0 { name } else { nil } }
  }

  /// True if some path matches both patterns.
  package func collides(with other: Pattern) -> Bool {
    guard segments.count == other.segments.count else { return false }
    return zip(segments, other.segments).allSatisfy { pair in
      switch pair {
      case (.literal(let one), .literal(let two)): one == two
      case (.literal, .capture), (.capture, .literal): false
      case (.capture(_, let one), .capture(_, let two)): one.hasSuffix(two) || two.hasSuffix(one)
      }
    }
  }

  /// The number of literal segments before the first one that differs from a path's.
  func commonLiterals(with parts: [Substring]) -> Int {
    var count = 0
    for (part, segment) in zip(parts, segments) {
      switch segment {
      case .literal(let text):
        guard text == part else { return count }
        count += 1
      case .capture(_, let suffix):
        guard part.hasSuffix(suffix) else { return count }
      }
    }
    return count
  }

  /// A similarity score: the number of equal or nearly equal segments, weighted. Higher is more similar.
  package func similarity(to parts: [Substring]) -> Int {
    var score = -abs(parts.count - segments.count)
    for (part, segment) in zip(parts, segments) {
      switch segment {
      case .capture: score += 1
      case .literal(let text) where text == part: score += 3
      case .literal(let text) where part.utf8.count > 2 * text.utf8.count: score -= 1
      case .literal(let text) where text.lowercased() == part.lowercased(): score += 2
      case .literal(let text): score += Self.isTypo(String(part), of: text) ? 2 : -1
      }
    }
    return score
  }

  /// True if two thirds of the longer word are a common prefix and suffix.
  private static func isTypo(_ word: String, of other: String) -> Bool {
    let prefix = zip(word.utf8, other.utf8).prefix { $0 == $1 }.count
    let suffix = zip(word.utf8.reversed(), other.utf8.reversed()).prefix { $0 == $1 }.count
    let longest = max(word.utf8.count, other.utf8.count)
    return prefix > 0 && 3 * min(prefix + suffix, longest) >= 2 * longest
  }
}
