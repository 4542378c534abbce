/// The patterns of all routes as a tree of segments.
///
/// A class because the tree is built in place once and then only read.
final class RouteTree {
  /// Where a route stands: its owner's index, and its own among that owner's routes.
  typealias Place = (owner: Int, route: Int)

  /// A route that ends at a node.
  struct Entry {
    let method: Method
    let place: Place
  }

  /// Which routes are looked for: nil is anybody's, or any method's.
  struct Sought {
    let owner: Int?
    let method: Method?

    func admits(_ entry: Entry) -> Bool {
      (method == nil || entry.method == method) && (owner == nil || entry.place.owner == owner)
    }
  }

  /// A path's end in the tree, with where its captured segments stand in the path's UTF-8.
  struct End {
    let entries: [Entry]
    let captures: [Range<Int>]
  }

  private var literals: [(bytes: [UInt8], node: RouteTree)] = []
  private var captures: [(suffix: [UInt8], node: RouteTree)] = []
  private var entries: [Entry] = []

  func insert(_ pattern: Pattern, _ method: Method, at place: Place) {
    let node = pattern.segments.reduce(self) { node, segment in node.child(for: segment) }
    node.entries.append(Entry(method: method, place: place))
  }

  /// Follows a path to a node that has a route of those looked for.
  func find(_ path: UnsafeBufferPointer<UInt8>, _ sought: Sought) -> End? {
    guard path.first == Self.slash else { return nil }
    var captured: [Range<Int>] = []
    return find(path, from: 1, &captured, sought).map { End(entries: $0, captures: captured) }
  }

  private func child(for segment: Pattern.Segment) -> RouteTree {
    switch segment {
    case .literal(let text):
      let bytes = Array(text.utf8)
      if let known = literals.first(where: { $0.bytes == bytes }) { return known.node }
      let node = RouteTree()
      literals.append((bytes, node))
      return node
    case .capture(_, let suffix):
      let bytes = Array(suffix.utf8)
      if let known = captures.first(where: { $0.suffix == bytes }) { return known.node }
      let node = RouteTree()
      captures.append((bytes, node))
      captures.sort { $0.suffix.count > $1.suffix.count }
      return node
    }
  }

  /// The routes at the end of the path; literals go before captures, and a way that ends nowhere is left again.
  private func find(
    _ path: UnsafeBufferPointer<UInt8>, from start: Int, _ captured: inout [Range<Int>], _ sought: Sought
  ) -> [Entry]? {
    if start >= path.count { return entries.contains(where: sought.admits) ? entries : nil }
    var end = start
    while end < path.count, path[end] != Self.slash { end += 1 }
    // A slash at the very end is a segment too: an empty one, which nothing matches.
    guard end > start, end + 1 != path.count || path[end] != Self.slash else { return nil }
    for literal in literals where Self.matches(literal.bytes, path, start..<end) {
      if let found = literal.node.find(path, from: end + 1, &captured, sought) { return found }
    }
    for capture in captures where end - start > capture.suffix.count {
      let kept = end - capture.suffix.count
      guard Self.matches(capture.suffix, path, kept..<end) else { continue }
      captured.append(start..<kept)
      if let found = capture.node.find(path, from: end + 1, &captured, sought) { return found }
      captured.removeLast()
    }
    return nil
  }

  private static func matches(
    _ bytes: [UInt8], _ path: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Bool {
    guard bytes.count == range.count else { return false }
    for offset in 0..<bytes.count where bytes[offset] != path[range.lowerBound + offset] { return false }
    return true
  }

  private static let slash = UInt8(ascii: "/")
}
