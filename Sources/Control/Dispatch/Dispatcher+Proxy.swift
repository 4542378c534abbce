import Carrier
import Domain
package import HTTP

/// What becomes of requests that were sent as to a proxy.
extension Dispatcher {
  /// Where such a request goes on; the journal says what became of it where it is not for us.
  package func proxyDecision(for request: Request) -> ProxyDecision {
    let sandbox: Sandbox
    do throws(ProxyProblem) {
      sandbox = try proxySandbox(of: request)
    } catch {
      return .denied(turnBack(request, with: error, in: sandboxes.defaultSandbox))
    }
    guard let place = Authority(request.host) else { return .local }
    switch fence.side(of: place) {
    case .inside: return .local
    case .outside where request.via == .proxiedSecurely:
      return .denied(turnBack(request, with: .needsTunnel(place), in: sandbox))
    case .outside:
      return .forward(to: Authority(host: place.host, port: place.port ?? 80)) { [self] answer in
        let why = answer?.remark ?? "it left for \(place), which --proxy-tunnel allows"
        record(request, answer, why: why, in: sandbox)
      }
    case .denied: return .denied(turnBack(request, with: .denied(place.host), in: sandbox))
    }
  }

  /// The sandbox that the proxy's user names; the default one where it names none.
  private func proxySandbox(of request: Request) throws(ProxyProblem) -> Sandbox {
    guard let authorization = request.proxyAuthorization else { return sandboxes.defaultSandbox }
    guard let user = ProxyUser(authorization) else { throw .unreadableUser }
    guard let name = user.sandbox else { return sandboxes.defaultSandbox }
    guard let sandbox = sandboxes[name] else { throw .unknownUser(name) }
    return sandbox
  }

  private func turnBack(_ request: Request, with problem: ProxyProblem, in sandbox: Sandbox) -> Response {
    let response = finish(problem.response, by: nil, sandbox)
    record(request, response, why: problem.why, in: sandbox)
    return response
  }

  /// Writes down a request that was not for us, with our answer to it, where it has one of ours.
  private func record(_ request: Request, _ answer: Response?, why: String?, in sandbox: Sandbox) {
    if let answer { metrics.count(nil, nil, status: answer.status) }
    sandbox.journal.record(
      Journal.Exchange(
        at: sandbox.clock.now, owner: "", route: nil, method: request.method.rawValue,
        target: request.proxyTarget, requestHead: request.headers.bytes, requestBody: request.body,
        status: answer?.status.code ?? 0, responseHead: answer?.headers.bytes ?? [],
        responseBody: answer?.body ?? [], why: why, unread: [], nearest: []))
  }
}

extension Request {
  /// What stood on the request line, as to a proxy: `name:443`, `http://name/path`.
  fileprivate var proxyTarget: String {
    if method == .connect { return host }
    return "\(via == .proxiedSecurely ? "https" : "http")://\(host)\(target.text)"
  }
}

/// Why the proxy lets a request go nowhere.
struct ProxyProblem: ResponseError {
  let response: Response
  let why: String?

  private init(_ status: Status, _ why: String, hint: String = "", headers: Headers = [:]) {
    var response = Response.text(status, "\(why).\n\(hint)")
    response.headers.append(headers)
    self.response = response
    self.why = why
  }

  /// A host that is not inside the fence.
  static func denied(_ host: String) -> ProxyProblem {
    ProxyProblem(
      403, "\(host) is no host of this sandbox, and nothing leaves it but to hosts that were allowed by name",
      hint: "To allow this one: ringfence serve --proxy-tunnel \(host)\n")
  }

  /// A URL of `https`, which only its host and the client may read.
  static func needsTunnel(_ place: Authority) -> ProxyProblem {
    ProxyProblem(400, "an https URL is reached through a tunnel: CONNECT \(place.host):\(place.port ?? 443)")
  }

  /// A user name that is no sandbox's.
  static func unknownUser(_ name: String) -> ProxyProblem {
    signIn("there is no sandbox \(name)")
  }

  /// Credentials that are none we know.
  static let unreadableUser = signIn("the credentials are neither")

  private static func signIn(_ why: String) -> ProxyProblem {
    ProxyProblem(
      407, "a proxy user is a sandbox's name, or a handset's number such as +12025550100; \(why)",
      headers: ["Proxy-Authenticate": "Basic realm=\"ringfence\""])
  }
}
