package import JSON

/// What faults, scenarios and filters can name: a provider, its routes and its error codes.
package struct RouteNames: Sendable {
  package struct Route: Sendable {
    package let name: String
    package let method: String
    /// `/v1/things/{thing}`
    package let path: String

    package init(name: String, method: String, path: String) {
      self.name = name
      self.method = method
      self.path = path
    }
  }

  package let provider: String
  package let routes: [Route]
  package let errorCodes: [String]

  package init(provider: String, routes: [Route], errorCodes: [String]) {
    self.provider = provider
    self.routes = routes
    self.errorCodes = errorCodes
  }
}

extension [RouteNames] {
  /// Throws if no provider, route or error code has these names, since a rule or filter with them would never
  /// match. Without a provider, those of all providers count. `object` is the path of the object with the
  /// names: `$.match`.
  package func validate(
    provider: String? = nil, route: String? = nil, code: String? = nil, in object: String? = nil
  ) throws(FieldError) {
    func unknown(_ field: String, _ name: String, of known: [String]) -> FieldError {
      let hint =
        known.nearest(to: name).map { "did you mean \"\($0)\"?" }
        ?? (known.isEmpty ? "there is none" : "expected one of \(known.joined(separator: ", "))")
      return .unknownName(
        object.map { "\($0).\(field)" } ?? field, "unknown \(field) \"\(name)\"; \(hint)")
    }
    var candidates = self
    if let provider {
      candidates = filter { $0.provider == provider }
      guard !candidates.isEmpty else { throw unknown("provider", provider, of: map(\.provider)) }
    }
    if let route {
      let known = candidates.flatMap { $0.routes.map(\.name) }
      candidates = candidates.filter { $0.routes.contains { $0.name == route } }
      guard !candidates.isEmpty else { throw unknown("route", route, of: known) }
    }
    if let code, !candidates.contains(where: { $0.errorCodes.contains(code) }) {
      throw unknown("code", code, of: candidates.flatMap(\.errorCodes))
    }
  }
}
