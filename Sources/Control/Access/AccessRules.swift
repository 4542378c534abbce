/// What a request to the control API may use.
struct Admission {
  /// Nil for the default sandbox.
  let sandbox: String?
  /// Returns false after the request's token was revoked. Nil for a request without a token that can be.
  var isValid: (() -> Bool)?

  init(sandbox: String?, isValid: (() -> Bool)? = nil) {
    self.sandbox = sandbox
    self.isValid = isValid
  }
}

/// Who may call the control API.
///
/// ```
/// no token required: Host is a name of this server? ──> no web page of another origin? ──┐
/// token required:    the token opens this operation, in this sandbox? ───────────────────┴─> the body is JSON?
/// ```
/// Requests to providers do not come here: providers have their own rules.
package struct AccessRules {
  /// The name of a route whose protocol wants `Origin` to be checked beside a token. Source: MCP 2025-06-18,
  /// basic/transports.
  package static let routeForAgents = "sendMessages"

  private let names: ServerNames
  /// Nil if no token is required.
  private var tokens: TokenCheck?
  /// The last `Host` that was allowed: most clients send the same one, and checking a name takes a while.
  private var knownHost: String?

  /// Rules for programs on this machine, which need no token.
  package init(names: ServerNames = ServerNames()) {
    self.names = names
  }

  /// Rules for a server that requires a token. `now` is the machine's clock.
  package init(names: ServerNames = ServerNames(), tokens: AccessTokens, now: @escaping WallClock) {
    self.names = names
    self.tokens = TokenCheck(tokens: tokens, now: now)
  }

  /// Throws if the request may not call the control API.
  ///
  /// `name` is the sandbox that the request names.
  mutating func admit(
    _ request: Request, to route: Route<Sandbox>?, of name: String?, in sandboxes: Sandboxes
  ) throws(ControlProblem) -> Admission {
    var admission = Admission(sandbox: name)
    if let route, route.access == .open {
      // Forms that change which token the browser has.
      if route.method != .get { try requireOwnOrigin(request) }
      return admission
    }
    if tokens == nil {
      try requireKnownHost(request)
      try requireOwnOrigin(request)
    } else {
      admission = try tokens?.admit(request, to: route, of: name, in: sandboxes) ?? admission
      // A browser sends its cookie with what pages of the same site cause too.
      if request.headers["Authorization"] == nil || route?.name == Self.routeForAgents {
        try requireOwnOrigin(request)
      }
    }
    try requireType(request, route?.name == Self.routeForFiles ? "text/html" : "application/json")
    return admission
  }

  /// The sandbox that the request's token is right for; nil for the admin token, a wrong one and none.
  func holder(of request: Request, in sandboxes: Sandboxes) -> String? {
    guard let tokens, let token = TokenCheck.token(of: request),
      case .sandbox(let name)? = tokens.tokens.holder(of: token, in: sandboxes)
    else { return nil }
    return name
  }

  /// A name that somebody else controls can lead a web page here: DNS rebinding.
  private mutating func requireKnownHost(_ request: Request) throws(ControlProblem) {
    if request.host == knownHost { return }
    let host = Authority(request.host)
    if let host, names.contains(host) {
      knownHost = request.host
      return
    }
    throw ControlProblem(
      403, at: "Host",
      "expected localhost, a loopback address or another name of this server; found \(request.host). "
        + "To allow this name: ringfence serve --allow-host \(host?.host ?? "NAME")")
  }

  /// Browsers send `Origin` or `Sec-Fetch-Site`, other programs neither.
  private func requireOwnOrigin(_ request: Request) throws(ControlProblem) {
    if let origin = request.headers["Origin"], !isOwn(origin, request) {
      throw ControlProblem(
        403, at: "Origin",
        "web pages of other origins may not use the control API; expected \(request.origin); "
          + "found \(origin). Call it from a program. If this is the server's own public address: "
          + "ringfence serve --public-url URL")
    }
    if let site = request.foreignSite {
      throw ControlProblem(
        403, at: "Sec-Fetch-Site",
        "web pages of other origins may not use the control API; expected same-origin "
          + "or none; found \(site). Call it from a program, or type its URL into the browser")
    }
  }

  /// True if the origin is the request's own host and port, or the public URL.
  private func isOwn(_ origin: String, _ request: Request) -> Bool {
    guard let page = AbsoluteURL(origin) else { return false }
    if page.origin == names.publicURL?.origin { return true }
    guard let host = Authority(request.host) else { return false }
    return page.host == host.host && page.port == host.port ?? (page.isSecure ? 443 : 80)
  }

  /// The operation whose body is a page.
  private static let routeForFiles = "openSharedFile"

  /// Browsers send a page's JSON or HTML to another origin only if that origin agrees. They send forms and
  /// plain text anyway.
  private func requireType(_ request: Request, _ expected: String) throws(ControlProblem) {
    guard !request.body.isEmpty else { return }
    let type = request.headers["Content-Type"]
    let media = type?.prefix { $0 != ";" && $0 != " " }
    guard media?.lowercased() != expected else { return }
    throw ControlProblem(
      415, at: "Content-Type",
      "expected \(expected); found \(type ?? "none"). With curl, add: -H 'Content-Type: \(expected)'")
  }
}

/// The names by which clients may address a server that requires no token.
package struct ServerNames: Sendable {
  let publicURL: AbsoluteURL?
  private let listening: Set<String>
  private let allowed: HostList

  /// `listening` are the addresses of the listeners, `allowed` the names from `--allow-host`.
  package init(
    listening: [Authority] = [], publicURL: AbsoluteURL? = nil, allowed: HostList = HostList()
  ) {
    self.listening = Set(listening.map(\.host))
    self.publicURL = publicURL
    self.allowed = allowed
  }

  /// The port does not matter: it may be another one outside a container.
  func contains(_ place: Authority) -> Bool {
    place.isLoopback || listening.contains(place.host) || place.host == publicURL?.host
      || allowed.contains(place.host) || listensEverywhere && place.isAddress
  }

  private var listensEverywhere: Bool { listening.contains("0.0.0.0") || listening.contains("::") }
}

extension Request {
  /// The value of `Sec-Fetch-Site` if a page of another site sent the request; nil for pages of this server,
  /// typed addresses and programs.
  fileprivate var foreignSite: String? {
    guard let site = headers["Sec-Fetch-Site"], site != "same-origin", site != "none" else { return nil }
    return site
  }
}
