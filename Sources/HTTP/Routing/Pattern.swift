/// A path with captures: `/v2/Services/{service}/Verifications`, `/Accounts/{account}.json`.
package struct Pattern: Sendable, Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// One segment between slashes.
  package enum Segment: Sendable, Equatable {
    /// Matches itself.
    case literal(String)
    /// Matches any text that ends in `suffix`, and keeps what stands before it.
    case capture(name: String, suffix: String)
  }

  /// The pattern as it was written.
  package let description: String
  /// Its segments in order.
  package let segments: [Segment]
  /// The captures' names in order.
  package let names: [String]

  /// Reads a pattern written in a route table.
  package init(stringLiteral text: String) {
    description = text
    let segments = text.split(separator: "/").map { part -> Segment in
      guard part.first == "{", let end = part.firstIndex(of: "}") else { return .literal(String(part)) }
      let name = part[part.index(after: part.startIndex)..<end]
      return .capture(name: String(name), suffix: String(part[part.index(after: end)...]))
    }
    self.segments = segments
    names = segments.compactMap { if case .capture(let name, _) = $0 { name } else { nil } }
  }

  /// Whether some path matches both patterns.
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

  /// How alike a path is to this pattern: segments that agree, from the front.
  package func likeness(to path: String) -> Int {
    let parts = path.split(separator: "/")
    var score = -abs(parts.count - segments.count)
    for (part, segment) in zip(parts, segments) {
      switch segment {
      case .capture: score += 1
      case .literal(let text) where text == part: score += 3
      case .literal(let text) where text.lowercased() == part.lowercased(): score += 2
      case .literal(let text): score += Self.isSlip(String(part), of: text) ? 2 : -1
      }
    }
    return score
  }

  /// Whether a word is another one with a slip in one place: all but a third of it stands before or behind.
  private static func isSlip(_ word: String, of other: String) -> Bool {
    let before = zip(word.utf8, other.utf8).prefix { $0 == $1 }.count
    let behind = zip(word.utf8.reversed(), other.utf8.reversed()).prefix { $0 == $1 }.count
    let longest = max(word.utf8.count, other.utf8.count)
    return before > 0 && 3 * min(before + behind, longest) >= 2 * longest
  }
}
