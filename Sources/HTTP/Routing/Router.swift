/// Finds the route for a request among those of all owners.
///
/// ```
/// path ──> prefix of an owner? strip it ──> tree of segments ──> route of the method ── bound to hosts?
///                                              │ no path               │ no method       look at the host
///                                              └── owner of prefix or host refuses; nobody's: unowned
/// ```
/// The host is looked at only where a path leads to a route that is bound to hosts: other requests do not pay for it.
package struct Router<Context> {
  /// What was found for a request.
  package enum Outcome {
    /// A route with what its pattern captured.
    case found(Route<Context>, Owner<Context>, Parameters)
    /// No route, but somebody who refuses in their own words.
    case refused(RequestFailure, Owner<Context>)
    /// No route, and nobody to whom the path belongs.
    case unowned
  }

  /// Everybody who has routes, in the order given.
  package let owners: [Owner<Context>]
  private var tree = RouteTree()
  private var prefixes: [(text: String, owner: Int)] = []
  private var hosts: [String: Int] = [:]

  /// A router over the routes of these owners.
  package init(_ owners: [Owner<Context>]) {
    self.owners = owners
    for (index, owner) in owners.enumerated() {
      prefixes += owner.prefixes.map { ("/" + $0, index) }
      for host in owner.hosts { hosts[host] = index }
      for (number, route) in owner.routes.enumerated() {
        tree.insert(route, at: (index, number))
      }
    }
  }

  /// Parts a path into an owner's prefix, empty where there is none, and the rest.
  package func split(_ path: String) -> (prefix: String, path: String) {
    for prefix in prefixes where path.hasPrefix(prefix.text) {
      let rest = path.utf8.dropFirst(prefix.text.utf8.count)
      if rest.isEmpty { return (prefix.text, "/") }
      if rest.first == UInt8(ascii: "/") { return (prefix.text, String(Substring(rest))) }
    }
    return ("", path)
  }

  /// Finds the route for a method and a path that was split from its prefix, asked for under a host name.
  package func match(
    _ method: Method, path: String, under prefix: String = "", host: @autoclosure () -> String
  ) -> Outcome {
    let owner = prefix.isEmpty ? nil : prefixes.first { $0.text == prefix }?.owner
    var path = path
    var sought = RouteTree.Sought(
      owners: owner.map { .only($0) } ?? .any, method: method == .head ? .get : method)
    var end = path.withUTF8 { tree.find($0, sought) }
    var entry = end?.entries.first(where: sought.admits)
    if owner == nil, entry?.isHostBound == true {
      sought.owners = .under(host: self.owner(of: host()))
      end = path.withUTF8 { tree.find($0, sought) }
      entry = end?.entries.first(where: sought.admits)
    }
    guard let end, let entry else { return refusal(of: &path, for: owner, host: host()) }
    let route = owners[entry.place.owner].routes[entry.place.route]
    var parameters = Parameters()
    for (name, range) in zip(route.pattern.names, end.captures) {
      guard let value = path.withUTF8({ PercentCoding.decode($0[range], plusIsSpace: false) }) else {
        let expected = "a path segment in percent-encoded UTF-8"
        return .refused(.malformed(field: name, expected: expected), owners[entry.place.owner])
      }
      parameters.add(name, value)
    }
    return .found(route, owners[entry.place.owner], parameters)
  }

  /// What there is to say to a method and path that have no route: another method's, or nobody's path.
  private func refusal(of path: inout String, for owner: Int?, host: String) -> Outcome {
    let hostOwner = self.owner(of: host)
    let sought = RouteTree.Sought(owners: owner.map { .only($0) } ?? .under(host: hostOwner), method: nil)
    guard let end = path.withUTF8({ tree.find($0, sought) }) else {
      return (owner ?? hostOwner).map { .refused(.unknownPath, owners[$0]) } ?? .unowned
    }
    let here = end.entries.filter(sought.admits)
    return .refused(.wrongMethod(allowed: here.map(\.method)), owners[here[0].place.owner])
  }

  /// Whose host an authority names.
  private func owner(of authority: String) -> Int? {
    hosts[String(authority.prefix { $0 != ":" }).lowercased()]
  }

  /// The routes most like a path that matched none, best first, as `POST /v2/Services`: those of whoever
  /// the path belongs to, or anybody's; none that is less than half as like as the best. Where the path is nobody's, a
  /// route that is bound to hosts stands under its owner's name.
  package func nearest(to path: String, of owner: Owner<Context>? = nil, limit: Int = 3) -> [String] {
    let scored = (owner.map { [$0] } ?? owners)
      .flatMap { candidate in candidate.routes.map { (owner: candidate, route: $0) } }
      .map { (owner: $0.owner, route: $0.route, score: $0.route.pattern.likeness(to: path)) }
      .sorted { $0.score > $1.score }
    let best = scored.first?.score ?? 0
    return scored.prefix(limit)
      .filter { $0.score > 0 && 2 * $0.score >= best }
      .map { found in
        let prefix = owner == nil && found.route.isHostBound ? "/\(found.owner.name)" : ""
        return "\(found.route.method.rawValue) \(prefix)\(found.route.pattern)"
      }
  }

  /// Pairs of routes that some request would match both; a sound table has none. A route that is bound to hosts
  /// meets those of its owner, and others that are bound to one of its hosts: from the rest the host parts it.
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
