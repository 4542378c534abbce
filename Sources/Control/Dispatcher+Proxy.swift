import Carrier
import Domain
package import HTTP

/// What becomes of requests that were sent as to a proxy.
extension Dispatcher {
  /// Where such a request goes on: to us, or nowhere, and then the journal says why.
  package func passage(for request: Request) -> Passage {
    let sandbox: Sandbox
    do throws(ProxyProblem) {
      sandbox = try proxySandbox(of: request)
    } catch {
      return .refused(turnBack(request, with: error, in: sandboxes.standard))
    }
    let place = Authority(request.host)
    if let place, fence.side(of: place) == .inside { return .here }
    return .refused(turnBack(request, with: .barred(place?.host ?? request.host), in: sandbox))
  }

  /// The sandbox that the proxy's user names; the default one where it names none.
  private func proxySandbox(of request: Request) throws(ProxyProblem) -> Sandbox {
    guard let authorization = request.proxyAuthorization else { return sandboxes.standard }
    guard let user = ProxyUser(authorization) else { throw .unreadableUser }
    guard let name = user.sandbox else { return sandboxes.standard }
    guard let sandbox = sandboxes[name] else { throw .unknownUser(name) }
    return sandbox
  }

  private func turnBack(_ request: Request, with problem: ProxyProblem, in sandbox: Sandbox) -> Response {
    let response = finish(problem.response, by: nil, sandbox)
    metrics.count(nil, nil, status: response.status)
    sandbox.journal.record(
      Journal.Exchange(
        at: sandbox.clock.now, owner: "", route: nil, method: request.method.rawValue,
        target: request.proxyTarget, requestHead: request.headers.bytes, requestBody: request.body,
        status: response.status.code, responseHead: response.headers.bytes, responseBody: response.body,
        why: problem.why, unread: [], nearest: []))
    return response
  }
}

extension Request {
  /// What stood on the request line, as to a proxy: `name:443`, `http://name/path`.
  fileprivate var proxyTarget: String {
    if method == .connect { return host }
    return "\(way == .proxiedSecurely ? "https" : "http")://\(host)\(target.text)"
  }
}

/// Why the proxy lets a request go nowhere.
struct ProxyProblem: Refusal {
  let response: Response
  let why: String?

  private init(_ status: Status, _ why: String, hint: String = "", headers: Headers = [:]) {
    var response = Response.text(status, "\(why).\n\(hint)")
    response.headers.append(headers)
    self.response = response
    self.why = why
  }

  /// A host that is not inside the fence.
  static func barred(_ host: String) -> ProxyProblem {
    ProxyProblem(
      403, "\(host) is no host of this sandbox, and nothing leaves it but to hosts that were allowed by name",
      hint: "To allow this one: ringfence serve --proxy-tunnel \(host)\n")
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
