/// The patterns of all routes, as a tree of path segments.
///
/// Nodes are stored in one array and refer to each other by index. References would be retained and released
/// on every request.
struct RouteTree {
  /// The index of a route's owner, and the route's index among that owner's routes.
  typealias RouteIndex = (owner: Int, route: Int)

  /// The hosts under which a route is found.
  enum Hosts { case any, ofOwner, unowned }

  /// A route that ends at a node.
  struct Entry {
    let method: Method
    let index: RouteIndex
    let hosts: Hosts
  }

  /// The routes that a search accepts.
  struct Filter {
    enum Owners {
      /// All owners, host-bound routes included.
      case any
      /// One owner.
      case only(Int)
      /// All owners, and only what is found under a host of this owner; nil if nobody owns the host.
      case host(of: Int?)
    }

    var owners: Owners
    /// Nil for any method.
    let method: Method?

    func accepts(_ entry: Entry) -> Bool {
      guard method == nil || entry.method == method else { return false }
      return switch owners {
      case .any: true
      case .only(let owner): entry.index.owner == owner
      case .host(let owner):
        switch entry.hosts {
        case .any: true
        case .ofOwner: entry.index.owner == owner
        case .unowned: owner == nil
        }
      }
    }
  }

  /// The result of a search. `captures` are ranges of the path's UTF-8.
  struct Match {
    let entries: [Entry]
    let captures: [Range<Int>]
  }

  /// A link to the next segment. `text` is the whole literal, or the suffix of a capture.
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

  /// Host-bound routes go before others with the same path.
  mutating func insert<Context>(_ route: Route<Context>, at index: RouteIndex, under hosts: Hosts) {
    let end = route.pattern.segments.reduce(0) { node, segment in child(of: node, for: segment) }
    let entry = Entry(method: route.method, index: index, hosts: hosts)
    nodes[end].entries.insert(entry, at: hosts == .ofOwner ? 0 : nodes[end].entries.count)
  }

  /// Finds the node that has a route for the path and the filter.
  func find(_ path: UnsafeBufferPointer<UInt8>, _ filter: Filter) -> Match? {
    guard path.first == Self.slash else { return nil }
    return nodes.withUnsafeBufferPointer { nodes in
      var search = Search(nodes: nodes, path: path, filter: filter)
      guard let end = search.end(from: 0, at: 1) else { return nil }
      return Match(entries: nodes[end].entries, captures: search.captured)
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

  /// A depth-first search for one path. Literals are tried before captures.
  private struct Search {
    let nodes: UnsafeBufferPointer<Node>
    let path: UnsafeBufferPointer<UInt8>
    let filter: Filter
    var captured: [Range<Int>] = []

    mutating func end(from node: Int, at start: Int) -> Int? {
      if start >= path.count { return nodes[node].entries.contains(where: filter.accepts) ? node : nil }
      var stop = start
      while stop < path.count, path[stop] != RouteTree.slash { stop += 1 }
      // A trailing slash starts an empty segment, which nothing matches.
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
