import JSON

/// What faults, scenarios and filters can name: a provider, its routes and its error codes.
package struct RouteNames: Sendable {
  package let provider: String
  package let routes: [String]
  package let errorCodes: [String]

  package init(provider: String, routes: [String], errorCodes: [String]) {
    self.provider = provider
    self.routes = routes
    self.errorCodes = errorCodes
  }
}

/// A name that nothing has, so that a rule or filter with it would never match.
package struct UnknownName: Error {
  /// The field with the name.
  package let field: String
  package let name: String
  /// The names that the field can have.
  package let known: [String]

  /// `unknown route "createVerificatoin"; did you mean "createVerification"?`
  package var text: String {
    let hint =
      known.nearest(to: name).map { "did you mean \"\($0)\"?" }
      ?? (known.isEmpty ? "there is none" : "expected one of \(known.joined(separator: ", "))")
    return "unknown \(field) \"\(name)\"; \(hint)"
  }
}

extension [RouteNames] {
  /// Throws if no provider, route or error code has these names. Without a provider, those of all providers count.
  package func validate(
    provider: String? = nil, route: String? = nil, code: String? = nil
  ) throws(UnknownName) {
    var candidates = self
    if let provider {
      candidates = filter { $0.provider == provider }
      guard !candidates.isEmpty else {
        throw UnknownName(field: "provider", name: provider, known: map(\.provider))
      }
    }
    if let route {
      let known = candidates.flatMap(\.routes)
      candidates = candidates.filter { $0.routes.contains(route) }
      guard !candidates.isEmpty else { throw UnknownName(field: "route", name: route, known: known) }
    }
    if let code, !candidates.contains(where: { $0.errorCodes.contains(code) }) {
      throw UnknownName(field: "code", name: code, known: candidates.flatMap(\.errorCodes))
    }
  }
}
