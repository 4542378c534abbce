/// Finds the route for a request among the routes of all owners.
///
/// ```
/// path ──> remove the owner's prefix ──> tree of segments ──> route of the method ──> some hosts only? check the host
///                                          │ no path           │ no method
///                                          └───────────────────┴─> error of the owner of prefix or host, or unowned
/// ```
/// The host is only read if the path leads to a route that needs it. Other requests do not pay for it.
///
/// ```swift
/// let fetch = Route<Sandbox>.get("/v1/codes/{id}", as: "fetchCode") { request, sandbox in
///   .text(200, "\(request[parameter: "id"]) of \(sandbox)")
/// }
/// let acme = RouteOwner(name: "acme", routes: [fetch]) { failure, _, _ in .text(404, "\(failure)") }
/// let outcome = Router([acme]).find(.get, "/v1/codes/7", host: "api.acme.example").outcome
/// ```
package struct Router<Context> {
  package enum Outcome {
    case found(Route<Context>, RouteOwner<Context>, Parameters)
    /// No route matches, but the path or host belongs to this owner.
    case failed(RequestFailure, RouteOwner<Context>)
    /// No route matches, and neither path nor host belong to an owner.
    case unowned

    /// Nil for a path that no owner has.
    package var owner: RouteOwner<Context>? {
      switch self {
      case .found(_, let owner, _), .failed(_, let owner): owner
      case .unowned: nil
      }
    }

    package var route: Route<Context>? {
      if case .found(let route, _, _) = self { route } else { nil }
    }
  }

  package let owners: [RouteOwner<Context>]
  private var tree = RouteTree()
  private var prefixes: [(text: String, owner: Int)] = []
  /// The lengths of `prefixes`. Few have the length of a request's first segment, and only these are
  /// compared.
  private var prefixLengths: [Int] = []
  private var hosts: [String: Int] = [:]
  private var hostPatterns: [(pattern: HostPattern, owner: Int)] = []

  package init(_ owners: [RouteOwner<Context>]) {
    self.owners = owners
    for (index, owner) in owners.enumerated() {
      prefixes += owner.prefixes.map { ("/" + $0, index) }
      prefixLengths += owner.prefixes.map { $0.utf8.count + 1 }
      for host in owner.hosts.names { hosts[host] = index }
      hostPatterns += owner.hosts.patterns.map { ($0, index) }
      for (number, route) in owner.routes.enumerated() {
        let hosts: RouteTree.Hosts =
          if route.isHostBound { .ofOwner } else if owner.avoidsOwnedHosts { .unowned } else { .any }
        tree.insert(route, at: (index, number), under: hosts)
      }
    }
  }

  /// Splits a path into an owner's prefix, which may be empty, and the rest. On the hosts of another owner, a
  /// path of that owner has no prefix.
  package func split(
    _ path: String, host: @autoclosure () -> String
  ) -> (prefix: String, path: String) {
    var path = path
    let length = path.withUTF8 { bytes in
      var end = 1
      while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
      return end
    }
    for index in prefixLengths.indices
    where prefixLengths[index] == length && path.hasPrefix(prefixes[index].text) {
      if let other = owner(ofHost: host()), other != prefixes[index].owner, hasRoute(path, of: other) {
        return ("", path)
      }
      let rest = path.utf8.dropFirst(length)
      return (prefixes[index].text, rest.isEmpty ? "/" : String(Substring(rest)))
    }
    return ("", path)
  }

  private func hasRoute(_ path: String, of owner: Int) -> Bool {
    var path = path
    return path.withUTF8 { tree.find($0, RouteTree.Filter(owners: .only(owner), method: nil)) } != nil
  }

  /// A path split by its route: `path` is without the owner's prefix and without extra slashes.
  package struct Match {
    package let outcome: Outcome
    package let prefix: String
    package let path: String
    /// True if the path had extra slashes.
    package let hasExtraSlashes: Bool
  }

  /// Finds the route for a method and a path.
  ///
  /// Paths of providers may have extra slashes: several at the start, since base URLs may end in one, and one
  /// at the end, which some clients send. Only paths without a route are looked up again.
  package func find(_ method: Method, _ path: String, host: @autoclosure () -> String) -> Match {
    let (prefix, rest) = split(path, host: host())
    let outcome = match(method, path: rest, under: prefix, host: host())
    let exact = Match(outcome: outcome, prefix: prefix, path: rest, hasExtraSlashes: false)
    if case .found = outcome { return exact }
    let cleaned = Self.withoutTrailingSlash(Self.withOneLeadingSlash(path))
    let (otherPrefix, untrimmed) = split(cleaned, host: host())
    let trimmed = Self.withOneLeadingSlash(untrimmed)
    guard trimmed != rest else { return exact }
    let other = match(method, path: trimmed, under: otherPrefix, host: host())
    switch (other, outcome) {
    case (.found(_, let owner, _), _) where !owner.isOwn,
      (.failed(.wrongMethod, let owner), .failed(.unknownPath, _)) where !owner.isOwn,
      (.failed(.wrongMethod, let owner), .unowned) where !owner.isOwn:
      return Match(outcome: other, prefix: otherPrefix, path: trimmed, hasExtraSlashes: true)
    default: return exact
    }
  }

  private static func withOneLeadingSlash(_ path: String) -> String {
    path.utf8.starts(with: [slash, slash]) ? "/" + path.drop { $0 == "/" } : path
  }

  private static func withoutTrailingSlash(_ path: String) -> String {
    path.utf8.count > 1 && path.utf8.last == slash ? String(path.dropLast()) : path
  }

  private static var slash: UInt8 { UInt8(ascii: "/") }

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
    if owner == nil, let hosts = entry?.hosts, hosts != .any {
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
      let owner = owner ?? hostOwner ?? likelyOwner(of: path)
      return owner.map { .failed(.unknownPath, owners[$0]) } ?? .unowned
    }
    let others = match.entries.filter(filter.accepts)
    let (methods, owner) = (others.map(\.method), owners[others[0].index.owner])
    // A pattern that only answers a browser's preflights does not make a path known.
    return .failed(methods == [.options] ? .unknownPath : .wrongMethod(allowed: methods), owner)
  }

  /// The only owner with routes that begin like an unknown path: with two literal segments or more.
  private func likelyOwner(of path: String) -> Int? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    let depths = owners.map { owner in
      owner.routes.lazy.filter { !$0.isHostBound }.map { $0.pattern.commonLiterals(with: parts) }.max() ?? 0
    }
    guard let best = depths.max(), best >= 2, depths.count(where: { $0 == best }) == 1 else { return nil }
    return depths.firstIndex(of: best)
  }

  private func owner(ofHost authority: String) -> Int? {
    let host = String(authority.prefix { $0 != ":" }).lowercased()
    return hosts[host] ?? hostPatterns.first { $0.pattern.matches(host) }?.owner
  }

  /// The routes most similar to an unknown path, best first, as `POST /v2/Services`. Only routes with at
  /// least half of the best score count.
  ///
  /// Without an owner, all routes are candidates, and host-bound ones have their owner's name as a prefix.
  package func nearest(to path: String, of owner: RouteOwner<Context>? = nil, limit: Int = 3) -> [String] {
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    let scored = (owner.map { [$0] } ?? owners)
      .flatMap { candidate in candidate.routes.map { (owner: candidate, route: $0) } }
      .map { (owner: $0.owner, route: $0.route, score: $0.route.pattern.similarity(to: parts)) }
      .sorted { $0.score > $1.score }
    let best = scored.first?.score ?? 0
    return scored.prefix(limit)
      .filter { $0.score > 0 && 2 * $0.score >= best }
      .map { found in
        let prefix = owner == nil && found.route.isHostBound ? "/\(found.owner.name)" : ""
        return "\(found.route.method.rawValue) \(prefix)\(found.route.pattern)"
      }
  }

  /// Pairs of routes that match the same request; a valid table has none. A host-bound route can only collide
  /// with routes of its owner, and with routes bound to the same host.
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
            && !Set(owner.hosts.names).isDisjoint(with: other.owner.hosts.names)
        }
        .map { ("\(owner.name).\(route.name)", "\($0.owner.name).\($0.route.name)") }
    }
  }
}
