/// Finds the route for a request among the routes of all owners.
///
/// ```
/// path ──> remove the owner's prefix ──> tree of segments ──> route of the method ──> host-bound? check the host
///                                          │ no path           │ no method
///                                          └───────────────────┴─> error of the owner of prefix or host, or unowned
/// ```
/// The host is only read if the path leads to a host-bound route. Other requests do not pay for it.
package struct Router<Context> {
  package enum Outcome {
    case found(Route<Context>, RouteOwner<Context>, Parameters)
    /// No route matches, but the path or host belongs to this owner.
    case failed(RequestFailure, RouteOwner<Context>)
    /// No route matches, and neither path nor host belong to an owner.
    case unowned
  }

  package let owners: [RouteOwner<Context>]
  private var tree = RouteTree()
  private var prefixes: [(text: String, owner: Int)] = []
  private var hosts: [String: Int] = [:]

  package init(_ owners: [RouteOwner<Context>]) {
    self.owners = owners
    for (index, owner) in owners.enumerated() {
      prefixes += owner.prefixes.map { ("/" + $0, index) }
      for host in owner.hosts { hosts[host] = index }
      for (number, route) in owner.routes.enumerated() {
        tree.insert(route, at: (index, number))
      }
    }
  }

  /// Splits a path into an owner's prefix, which may be empty, and the rest.
  package func split(_ path: String) -> (prefix: String, path: String) {
    for prefix in prefixes where path.hasPrefix(prefix.text) {
      let rest = path.utf8.dropFirst(prefix.text.utf8.count)
      if rest.isEmpty { return (prefix.text, "/") }
      if rest.first == UInt8(ascii: "/") { return (prefix.text, String(Substring(rest))) }
    }
    return ("", path)
  }

  /// Finds the route for a method, a path without prefix, its prefix and the request's host.
  package func match(
    _ method: Method, path: String, under prefix: String = "", host: @autoclosure () -> String
  ) -> Outcome {
    let owner = prefix.isEmpty ? nil : prefixes.first { $0.text == prefix }?.owner
    var path = path
    var filter = RouteTree.Filter(
      owners: owner.map { .only($0) } ?? .any, method: method == .head ? .get : method)
    var match = path.withUTF8 { tree.find($0, filter) }
    var entry = match?.entries.first(where: filter.accepts)
    if owner == nil, entry?.isHostBound == true {
      filter.owners = .host(of: self.owner(ofHost: host()))
      match = path.withUTF8 { tree.find($0, filter) }
      entry = match?.entries.first(where: filter.accepts)
    }
    guard let match, let entry else { return failure(for: &path, owner, host: host()) }
    let route = owners[entry.index.owner].routes[entry.index.route]
    var parameters = Parameters()
    for (name, range) in zip(route.pattern.names, match.captures) {
      guard let value = path.withUTF8({ PercentCoding.decode($0[range], plusIsSpace: false) }) else {
        let expected = "a path segment in percent-encoded UTF-8"
        return .failed(.malformed(field: name, expected: expected), owners[entry.index.owner])
      }
      parameters.add(name, value)
    }
    return .found(route, owners[entry.index.owner], parameters)
  }

  /// The outcome for a method and path without a route.
  private func failure(for path: inout String, _ owner: Int?, host: String) -> Outcome {
    let hostOwner = self.owner(ofHost: host)
    let filter = RouteTree.Filter(owners: owner.map { .only($0) } ?? .host(of: hostOwner), method: nil)
    guard let match = path.withUTF8({ tree.find($0, filter) }) else {
      return (owner ?? hostOwner).map { .failed(.unknownPath, owners[$0]) } ?? .unowned
    }
    let others = match.entries.filter(filter.accepts)
    return .failed(.wrongMethod(allowed: others.map(\.method)), owners[others[0].index.owner])
  }

  private func owner(ofHost authority: String) -> Int? {
    hosts[String(authority.prefix { $0 != ":" }).lowercased()]
  }

  /// The routes most similar to an unknown path, best first, as `POST /v2/Services`. Only routes with at least half
  /// of the best score count.
  ///
  /// Without an owner, all routes are candidates, and host-bound ones have their owner's name as a prefix.
  package func nearest(to path: String, of owner: RouteOwner<Context>? = nil, limit: Int = 3) -> [String] {
    let scored = (owner.map { [$0] } ?? owners)
      .flatMap { candidate in candidate.routes.map { (owner: candidate, route: $0) } }
      .map { (owner: $0.owner, route: $0.route, score: $0.route.pattern.similarity(to: path)) }
      .sorted { $0.score > $1.score }
    let best = scored.first?.score ?? 0
    return scored.prefix(limit)
      .filter { $0.score > 0 && 2 * $0.score >= best }
      .map { found in
        let prefix = owner == nil && found.route.isHostBound ? "/\(found.owner.name)" : ""
        return "\(found.route.method.rawValue) \(prefix)\(found.route.pattern)"
      }
  }

  /// Pairs of routes that match the same request; a valid table has none. A host-bound route can only collide with
  /// routes of its owner, and with routes bound to the same host.
  package var collisions: [(String, String)] {
    let routes = owners.flatMap { owner in owner.routes.map { (owner: owner, route: $0) } }
    return routes.indices.flatMap { first in
      let (owner, route) = routes[first]
      return routes[(first + 1)...]
        .filter { $0.route.method == route.method && $0.route.pattern.collides(with: route.pattern) }
        .filter { other in
          if other.owner === owner { return true }
          guard route.isHostBound || other.route.isHostBound else { return true }
          return route.isHostBound && other.route.isHostBound
            && !Set(owner.hosts).isDisjoint(with: other.owner.hosts)
        }
        .map { ("\(owner.name).\(route.name)", "\($0.owner.name).\($0.route.name)") }
    }
  }
}
