/// The patterns of all routes as a tree of segments.
///
/// Its nodes stand in one array and know each other by their places there: following references would count
/// each of them up and down on every request.
struct RouteTree {
  /// Where a route stands: its owner's index, and its own among that owner's routes.
  typealias Place = (owner: Int, route: Int)

  /// A route that ends at a node.
  struct Entry {
    let method: Method
    let place: Place
    let isHostBound: Bool
  }

  /// Which routes are looked for; a nil method is any.
  struct Sought {
    /// Whose routes.
    enum Owners {
      /// Everybody's, those that are bound to hosts included.
      case any
      /// One owner's.
      case only(Int)
      /// Everybody's, but of those that are bound to hosts only this owner's; nil: nobody's.
      case under(host: Int?)
    }

    var owners: Owners
    let method: Method?

    func admits(_ entry: Entry) -> Bool {
      guard method == nil || entry.method == method else { return false }
      return switch owners {
      case .any: true
      case .only(let owner): entry.place.owner == owner
      case .under(let owner): !entry.isHostBound || entry.place.owner == owner
      }
    }
  }

  /// A path's end in the tree, with where its captured segments stand in the path's UTF-8.
  struct End {
    let entries: [Entry]
    let captures: [Range<Int>]
  }

  /// A segment that a path may go on with: text that a literal is, or that a capture ends in.
  private struct Edge {
    let text: [UInt8]
    let node: Int
  }

  private struct Node {
    var literals: [Edge] = []
    var captures: [Edge] = []
    var entries: [Entry] = []
  }

  private var nodes = [Node()]

  /// Routes that are bound to hosts go before others of the same path.
  mutating func insert<Context>(_ route: Route<Context>, at place: Place) {
    let end = route.pattern.segments.reduce(0) { node, segment in child(of: node, for: segment) }
    let entry = Entry(method: route.method, place: place, isHostBound: route.isHostBound)
    nodes[end].entries.insert(entry, at: route.isHostBound ? 0 : nodes[end].entries.count)
  }

  /// Follows a path to a node that has a route of those looked for.
  func find(_ path: UnsafeBufferPointer<UInt8>, _ sought: Sought) -> End? {
    guard path.first == Self.slash else { return nil }
    return nodes.withUnsafeBufferPointer { nodes in
      var search = Search(nodes: nodes, path: path, sought: sought)
      guard let end = search.end(from: 0, at: 1) else { return nil }
      return End(entries: nodes[end].entries, captures: search.captured)
    }
  }

  private mutating func child(of node: Int, for segment: Pattern.Segment) -> Int {
    switch segment {
    case .literal(let text): child(of: node, \.literals, Array(text.utf8))
    case .capture(_, let suffix): child(of: node, \.captures, Array(suffix.utf8))
    }
  }

  private mutating func child(of node: Int, _ edges: WritableKeyPath<Node, [Edge]>, _ text: [UInt8]) -> Int {
    if let known = nodes[node][keyPath: edges].first(where: { $0.text == text }) { return known.node }
    nodes.append(Node())
    nodes[node][keyPath: edges].append(Edge(text: text, node: nodes.count - 1))
    nodes[node][keyPath: edges].sort { $0.text.count > $1.text.count }
    return nodes.count - 1
  }

  /// The way of one path through the tree; literals go before captures, and a way that ends nowhere is left again.
  private struct Search {
    let nodes: UnsafeBufferPointer<Node>
    let path: UnsafeBufferPointer<UInt8>
    let sought: Sought
    var captured: [Range<Int>] = []

    mutating func end(from node: Int, at start: Int) -> Int? {
      if start >= path.count { return nodes[node].entries.contains(where: sought.admits) ? node : nil }
      var stop = start
      while stop < path.count, path[stop] != RouteTree.slash { stop += 1 }
      // A slash at the very end is a segment too: an empty one, which nothing matches.
      guard stop > start, stop + 1 != path.count || path[stop] != RouteTree.slash else { return nil }
      for index in nodes[node].literals.indices where isText(of: nodes[node].literals[index], start..<stop) {
        if let found = end(from: nodes[node].literals[index].node, at: stop + 1) { return found }
      }
      for index in nodes[node].captures.indices {
        let kept = stop - nodes[node].captures[index].text.count
        guard kept > start, isText(of: nodes[node].captures[index], kept..<stop) else { continue }
        captured.append(start..<kept)
        if let found = end(from: nodes[node].captures[index].node, at: stop + 1) { return found }
        captured.removeLast()
      }
      return nil
    }

    private func isText(of edge: Edge, _ range: Range<Int>) -> Bool {
      guard edge.text.count == range.count else { return false }
      return edge.text.withUnsafeBufferPointer { text in
        for offset in 0..<text.count where text[offset] != path[range.lowerBound + offset] { return false }
        return true
      }
    }
  }

  private static let slash = UInt8(ascii: "/")
}
