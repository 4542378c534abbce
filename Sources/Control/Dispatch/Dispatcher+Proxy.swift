import Carrier

/// Requests to the proxy: absolute URLs and `CONNECT`.
extension Dispatcher {
  /// Decides where a proxy request goes. Requests that do not end here are written to the journal.
  package func proxyDecision(for request: Request) -> ProxyDecision {
    let sandbox: Sandbox
    do throws(ProxyProblem) {
      sandbox = try proxySandbox(of: request)
    } catch {
      return .denied(reject(request, error, in: sandboxes.defaultSandbox))
    }
    guard let place = Authority(request.host) else { return .local }
    switch proxyPolicy.access(to: place) {
    case .local: return .local
    case .allowed where request.via == .proxiedSecurely:
      return .denied(reject(request, .needsTunnel(place), in: sandbox))
    case .allowed:
      return .forward(to: Authority(host: place.host, port: place.port ?? 80)) { [self] answer in
        let why = answer?.why ?? "\(forwarded) \(place); allowed by --proxy-tunnel"
        record(request, answer, why: why, in: sandbox)
      }
    case .denied: return .denied(reject(request, .denied(place), in: sandbox))
    }
  }

  /// The sandbox of the proxy's user; the default one without a user.
  private func proxySandbox(of request: Request) throws(ProxyProblem) -> Sandbox {
    guard let authorization = request.proxyAuthorization else { return sandboxes.defaultSandbox }
    guard let user = ProxyUser(authorization) else { throw .invalidUser }
    guard let name = user.sandbox else { return sandboxes.defaultSandbox }
    guard let sandbox = sandboxes[name] else { throw .unknownUser(name) }
    return sandbox
  }

  private func reject(_ request: Request, _ problem: ProxyProblem, in sandbox: Sandbox) -> Response {
    let response = addCommonHeaders(problem.response, of: nil, to: request, sandbox)
    record(request, response, why: problem.why, in: sandbox)
    return response
  }

  /// `answer` is nil where another host answers.
  private func record(_ request: Request, _ answer: Response?, why: String?, in sandbox: Sandbox) {
    if let answer { metrics.count(nil, nil, status: answer.status, of: sandbox) }
    record(
      Journal.Exchange(
        at: sandbox.clock.now, owner: "", route: nil, method: request.method.rawValue,
        target: request.proxyTarget, requestHead: request.headers.bytes, requestBody: request.body,
        status: answer?.status.code ?? 0, responseHead: answer?.headers.bytes ?? [],
        responseBody: answer?.body ?? [], why: why, unread: [], nearest: []), in: sandbox)
  }

  /// The alerts of clients that do not trust a certificate (RFC 8446, 6.2), as OpenSSL names them.
  private static let distrust = ["unknown ca", "bad certificate", "certificate unknown"]
  /// Some clients close the connection instead.
  private static let doubt = "closed the connection"

  /// Writes a failed TLS handshake to the journal; its only target is the server name.
  package func recordTLSFailure(serverName: String?, from origin: RequestOrigin, why: String) {
    let user = origin.authorization.flatMap { ProxyUser($0) }?.sandbox
    let sandbox = user.flatMap { sandboxes[$0] } ?? sandboxes.defaultSandbox
    let mood = Self.distrust.contains(where: why.contains) ? "does" : why.contains(Self.doubt) ? "may" : nil
    let advice = mood.map {
      "; it \($0) not trust the sandbox. For the fix of its system or language: ringfence ca --trust"
    }
    let why = why + (serverName == nil ? "; no server name" : "") + (advice ?? "")
    record(
      Journal.Exchange(
        at: sandbox.clock.now, owner: "", route: nil, method: "TLS", target: serverName ?? "",
        requestHead: [], requestBody: [], status: 0, responseHead: [], responseBody: [], why: why, unread: [],
        nearest: []), in: sandbox)
  }
}

extension Request {
  /// The sandbox of the proxy's user, for a request through the proxy.
  var proxySandboxName: String? { proxyAuthorization.flatMap { ProxyUser($0) }?.sandbox }

  /// The target of the request line: `name:443`, `http://name/path`.
  fileprivate var proxyTarget: String {
    if method == .connect { return host }
    return "\(via == .proxiedSecurely ? "https" : "http")://\(host)\(target.text)"
  }
}

/// The hosts that the proxy reaches: those of the sandbox, and outside hosts that are allowed by name.
package struct ProxyPolicy: Sendable {
  enum Access {
    /// A host of the sandbox.
    case local
    /// An outside host that is allowed.
    case allowed
    case denied
  }

  private let providers: HostNames
  private let own: Set<Authority>
  private let ownPorts: Set<UInt16>
  private let portsOfIPv6: Set<UInt16>
  private let publicHost: String?
  private let outside: HostList

  /// `own` are the addresses of the listeners, `outside` the outside hosts that are allowed.
  package init(
    providers: HostNames = HostNames(), listening own: [Authority] = [], publicHost: String? = nil,
    outside: HostList = HostList()
  ) {
    self.providers = providers
    self.own = Set(own)
    ownPorts = Set(own.compactMap(\.port))
    portsOfIPv6 = Set(own.filter(\.isIPv6).compactMap(\.port))
    self.publicHost = publicHost
    self.outside = outside
  }

  /// A provider's host is local, whatever the port.
  func access(to place: Authority) -> Access {
    if providers.contains(place.host) || isOwn(place) { return .local }
    return outside.contains(place.host) ? .allowed : .denied
  }

  private func isOwn(_ place: Authority) -> Bool {
    if place.host == publicHost || own.contains(place) { return true }
    // The app's own server may have the same port on the other kind of loopback address.
    return place.isLoopback && (place.isIPv6 ? portsOfIPv6 : ownPorts).contains(place.port ?? 80)
  }
}

/// Why the proxy rejects a request.
struct ProxyProblem: ResponseError {
  let response: Response
  let why: String?

  private init(_ status: Status, _ why: String, headers: Headers = [:]) {
    var response = Response.text(status, "\(why).\n")
    response.headers.append(headers)
    self.response = response
    self.why = why
  }

  static func denied(_ place: Authority) -> ProxyProblem {
    let host = Authority(host: place.host, port: nil)
    return ProxyProblem(
      403,
      "\(host): not a sandbox host, and blocked; allow it by --proxy-tunnel \(host), or download dependencies "
        + "before the run")
  }

  static func needsTunnel(_ place: Authority) -> ProxyProblem {
    ProxyProblem(400, "an https URL needs a tunnel; send CONNECT \(place.host):\(place.port ?? 443)")
  }

  static func unknownUser(_ name: String) -> ProxyProblem { invalidUser("there is no sandbox \(name)") }

  static let invalidUser = invalidUser("found neither")

  private static func invalidUser(_ why: String) -> ProxyProblem {
    ProxyProblem(
      407, "proxy user: expected a sandbox's name, or a handset's number such as +12025550100; \(why)",
      headers: ["Proxy-Authenticate": "Basic realm=\"ringfence\""])
  }
}
