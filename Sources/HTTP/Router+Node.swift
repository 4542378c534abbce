extension Router {
  /// Where a route stands: its owner's index, and its own among that owner's routes.
  typealias Place = (owner: Int, route: Int)

  /// One segment's place in the tree of patterns.
  ///
  /// A class because the tree is built in place once and then only read.
  final class Node {
    /// A route that ends here.
    struct Entry {
      let method: Method
      let names: [String]
      let place: Place
    }

    /// A path's end in the tree, with the captured segments still encoded.
    struct End {
      let node: Node
      let captures: [[UInt8]]
    }

    private var literals: [(bytes: [UInt8], node: Node)] = []
    private var captures: [(suffix: [UInt8], node: Node)] = []
    private(set) var entries: [Entry] = []

    func insert(_ route: Route<Context>, at place: Place) {
      let node = route.pattern.segments.reduce(self) { node, segment in node.child(for: segment) }
      node.entries.append(Entry(method: route.method, names: route.pattern.names, place: place))
    }

    /// Follows a path to a node that has routes; `owner` restricts it to routes of that owner.
    func find(_ path: String, for owner: Int?) -> End? {
      var path = path
      return path.withUTF8 { bytes in
        guard bytes.first == slash else { return nil }
        return find(bytes, from: 1, captured: [], for: owner)
      }
    }

    private func child(for segment: Pattern.Segment) -> Node {
      switch segment {
      case .literal(let text):
        if let known = literals.first(where: { $0.bytes.elementsEqual(text.utf8) }) { return known.node }
        literals.append((Array(text.utf8), Node()))
        return literals[literals.count - 1].node
      case .capture(_, let suffix):
        if let known = captures.first(where: { $0.suffix.elementsEqual(suffix.utf8) }) { return known.node }
        let node = Node()
        captures.append((Array(suffix.utf8), node))
        captures.sort { $0.suffix.count > $1.suffix.count }
        return node
      }
    }

    private func find(
      _ path: UnsafeBufferPointer<UInt8>, from start: Int, captured: [[UInt8]], for owner: Int?
    ) -> End? {
      if start >= path.count {
        let isHere = entries.contains { owner == nil || $0.place.owner == owner }
        return isHere ? End(node: self, captures: captured) : nil
      }
      var end = start
      while end < path.count, path[end] != slash { end += 1 }
      let segment = UnsafeBufferPointer(rebasing: path[start..<end])
      // A slash at the very end is a segment too: an empty one, which nothing matches.
      let next = end < path.count && end + 1 == path.count ? nil : end + 1
      guard let next, !segment.isEmpty else { return nil }
      for literal in literals where literal.bytes.elementsEqual(segment) {
        if let found = literal.node.find(path, from: next, captured: captured, for: owner) { return found }
      }
      for capture in captures where segment.count > capture.suffix.count {
        let kept = segment.count - capture.suffix.count
        guard segment[kept...].elementsEqual(capture.suffix) else { continue }
        let value = Array(segment[..<kept])
        if let found = capture.node.find(path, from: next, captured: captured + [value], for: owner) {
          return found
        }
      }
      return nil
    }

    private var slash: UInt8 { UInt8(ascii: "/") }
  }
}
