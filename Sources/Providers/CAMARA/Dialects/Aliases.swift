import ProviderKit

/// Paths by which the clients of aggregators call the same operations. Source: contract 15.
enum Aliases {
  /// The bases of APIs, and the standard ones that they stand for.
  private static let bases: [(alias: String, standard: String)] =
    [
      // Vonage
      ("/sim-swap/v040", "/sim-swap/v2"), ("/number-verification/v031", "/number-verification/v2"),
      // Telefónica
      ("/sim-swap/v0", "/sim-swap/v2"), ("/number-verification/v0", "/number-verification/v2"),
      // Glide
      ("/sim-swap", "/sim-swap/v2"), ("/number-verification", "/number-verification/v2"),
      ("/kyc-match", "/kyc-match/v0.4"),
    ] + nokia

  private static let nokia: [(alias: String, standard: String)] =
    [
      ("sim-swap", "v0", "v2"), ("device-swap", "v1", "v1"), ("number-verification", "v0", "v2"),
      ("number-verification", "v2", "v2"), ("number-recycling", "v0.2", "v0.2"),
      ("kyc-tenure", "v0.1", "v0.2"), ("kyc-age-verification", "v0.1", "v0.2"), ("kyc-match", "v0.3", "v0.3"),
      ("call-forwarding-signal", "v0.3", "v0.4"), ("consent-info", "v0.1", "v0.2"),
    ].map { api, alias, standard in
      ("/passthrough/camara/v1/\(api)/\(api)/\(alias)", "/\(api)/\(standard)")
    }
    + [
      ("device-roaming-status", "v1", "v1"), ("device-reachability-status", "v1", "v1"),
      ("device-roaming-status-subscriptions", "v0.8", "v0.8"),
      ("device-roaming-status-subscriptions", "v0.7", "v0.7"),
      ("device-reachability-status-subscriptions", "v0.8", "v0.8"),
      ("device-reachability-status-subscriptions", "v0.7", "v0.7"),
    ].map { api, alias, standard in ("/device-status/\(api)/\(alias)", "/\(api)/\(standard)") }

  /// Other paths of the authorization server.
  private static let endpoints: [(alias: String, standard: Endpoint)] = [
    ("/oauth2/auth", .authorize), ("/oauth2/backchannel-authentication", .backchannel),
    ("/bc-authorize", .backchannel), ("/token", .token),
    ("/.well-known/oauth-authorization-server", .configuration),
    ("/oauth2/v1/apps/{app}/.well-known/jwks.json", .keys),
  ]

  /// The endpoint of the authorization server with this other path; nil for all other paths.
  static func endpoint(at path: String) -> Endpoint? { endpoints.first { $0.alias == path }?.standard }

  /// The routes again under their other paths, with the same names.
  static func routes(of standard: [Route<Sandbox>]) -> [Route<Sandbox>] {
    let apis = bases.flatMap { standard.again(under: $0.alias, insteadOf: $0.standard) }
    let server = endpoints.flatMap { endpoint in
      standard.filter { $0.pattern.description == endpoint.standard.rawValue }
        .compactMap { $0.again(at: endpoint.alias) }
    }
    // Only under the provider's hosts and prefixes, because the paths are short.
    return (apis + server).map(\.hostBound)
  }
}

extension [Route<Sandbox>] {
  /// The operations of a base path, under another one.
  func again(under other: String, insteadOf base: String) -> [Route<Sandbox>] {
    compactMap { route in
      let path = route.pattern.description
      guard path.hasPrefix("\(base)/") else { return nil }
      return route.again(at: other + path.dropFirst(base.count))
    }
  }
}

extension Route<Sandbox> {
  fileprivate func again(at path: String) -> Route<Sandbox>? {
    handler.map { .deferred(method, Pattern(stringLiteral: path), as: name, $0) }
  }
}
