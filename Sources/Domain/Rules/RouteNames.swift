package import JSON

/// What faults, scenarios and filters can name: a provider, its routes, error codes and webhooks.
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
  /// The statuses that it shows for messages and calls.
  package var statuses: [ProviderStatus] { readStatuses() }
  /// A function, because few ask for them.
  package var readStatuses: @Sendable () -> [ProviderStatus] = { [] }
  /// Its errors with examples. A function, because few ask for them.
  package var documentedErrors: @Sendable () throws -> [DocumentedError] = { [] }
  /// What an app sees of each failure, as JSON. A function, because few ask for it.
  package var failureRecord: @Sendable () -> [UInt8] = { [] }
  /// The kinds of its webhooks.
  package var webhookKinds: [String] = []
  /// Those whose timestamp can be set back.
  package var timestampedKinds: [String] = []

  /// The scopes for which subscribers can have an answer of their own.
  package var consentScopes: [String] = []

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
    var candidates = try named(provider, in: object)
    if let route {
      let known = candidates.flatMap { $0.routes.map(\.name) }
      candidates = candidates.filter { $0.routes.contains { $0.name == route } }
      guard !candidates.isEmpty else { throw Self.unknown("route", route, of: known, in: object) }
    }
    if let code, !candidates.contains(where: { $0.errorCodes.contains(code) }) {
      throw Self.unknown("code", code, of: candidates.flatMap(\.errorCodes), in: object)
    }
  }

  /// Throws if no provider sends such webhooks, since a webhook fault would never match. `haveTimestamps`:
  /// only webhooks whose timestamp can be set back count.
  package func validate(
    webhooksOf provider: String?, kind: String? = nil, haveTimestamps: Bool = false, in object: String? = nil
  ) throws(FieldError) {
    let kinds = { (names: RouteNames) in haveTimestamps ? names.timestampedKinds : names.webhookKinds }
    let known = try named(provider, in: object).flatMap(kinds)
    if known.isEmpty, let provider {
      let what = haveTimestamps ? "has no webhooks with a timestamp" : "sends no webhooks"
      let others = filter { !kinds($0).isEmpty }.map(\.provider).joined(separator: ", ")
      throw .unknownName(
        object.map { "\($0).provider" } ?? "provider", "\(provider) \(what); expected one of \(others)")
    }
    if let kind, !known.contains(kind) { throw Self.unknown("kind", kind, of: known, in: object) }
  }

  /// Throws if a scenario, the object `path`, names a provider or a status that does not exist, since it
  /// would never act.
  package func validate(_ scenario: Scenario, in path: String) throws(FieldError) {
    try validate(provider: scenario.provider, in: "\(path).match")
    let object = "\(path).providerStatus"
    for (provider, status) in scenario.providerStatus.all {
      let providers = filter { !$0.statuses.isEmpty }
      guard let names = providers.first(where: { $0.provider == provider }) else {
        throw Self.unknown("provider", provider, of: providers.map(\.provider), in: object)
      }
      let possible = names.statuses.filter { status in
        scenario.channel.map { status.channels.contains($0) } ?? true
      }
      guard possible.contains(where: { $0.name == status }) else {
        throw Self.unknown(
          "status", status, of: possible.map(\.name), in: object, field: provider, owner: " of \(provider)")
      }
    }
  }

  /// Throws if no provider asks for a scope that a record names, since its answer would never count.
  func validate(consent: Fields) throws(FieldError) {
    let known = flatMap(\.consentScopes)
    for key in consent.names {
      guard let scope = Consent.scope(in: key), !known.contains(scope) else { continue }
      throw Self.unknown("scope", scope, of: known, in: consent.path, field: key)
    }
  }

  /// Validates the list of rules of an object, the object `path`.
  package func validate<Content: Rule>(_ rules: [Content], in path: String) throws(FieldError) {
    for (place, rule) in rules.enumerated() {
      try rule.validate(against: self, at: "\(path).\(Content.listName)[\(place)]")
    }
  }

  /// Those of a provider, or all. Throws for an unknown provider.
  private func named(_ provider: String?, in object: String?) throws(FieldError) -> [RouteNames] {
    guard let provider else { return self }
    let found = filter { $0.provider == provider }
    guard !found.isEmpty else {
      throw Self.unknown("provider", provider, of: map(\.provider), in: object)
    }
    return found
  }

  /// `field` is the member with the name, if it is not called as the `kind`. `owner` follows the name.
  private static func unknown(
    _ kind: String, _ name: String, of known: [String], in object: String?, field: String? = nil,
    owner: String = ""
  ) -> FieldError {
    let field = field ?? kind
    // Several providers may have routes of one name.
    var seen: Set<String> = []
    let names = known.filter { seen.insert($0).inserted }
    let hint =
      names.nearest(to: name).map { "did you mean \"\($0)\"?" }
      ?? (names.isEmpty ? "there is none" : "expected one of \(names.joined(separator: ", "))")
    return .unknownName(
      object.map { "\($0).\(field)" } ?? field, "unknown \(kind) \"\(name)\"\(owner); \(hint)")
  }
}
