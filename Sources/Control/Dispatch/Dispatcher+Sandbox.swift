import Carrier
import Domain
import HTTP

/// Which sandbox a request is for: the one that the header `X-Sandbox` names, else the prefix of its path, else the
/// user of the proxy, else the one that its credentials belong to, else the default one.
extension Dispatcher {
  /// Takes `/s/<name>` off the front of the path; the name, or nil where there is none.
  func takeSandboxName(from request: inout Request) -> String? {
    let path = request.target.path
    guard path.hasPrefix("/s/") else { return nil }
    let rest = path.dropFirst(3)
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    request.prefix = String(path[..<end])
    request.target.path = end == rest.endIndex ? "/" : String(rest[end...])
    return String(rest[..<end])
  }

  /// The sandbox that was named, else the one that the credentials belong to, else the default one.
  func choose(
    _ name: String?, for request: Request, _ owner: RouteOwner<Sandbox>?
  ) throws(UnknownSandbox) -> Sandbox {
    if let name {
      guard let sandbox = sandboxes[name] else { throw UnknownSandbox(name: name) }
      return sandbox
    }
    guard sandboxes.count > 1, let owner, let credential = owner.credential(request) else {
      return sandboxes.defaultSandbox
    }
    let holder = try? sandboxes.owner(ofCredential: credential, provider: owner.name)
    return holder ?? sandboxes.defaultSandbox
  }

  /// A request that names a sandbox which is not there.
  struct UnknownSandbox: Error {
    let name: String
  }
}

extension Router.Outcome {
  /// Who answers for the request.
  var owner: RouteOwner<Context>? {
    switch self {
    case .found(_, let owner, _), .failed(_, let owner): owner
    case .unowned: nil
    }
  }

  /// What answers the request.
  var route: Route<Context>? {
    if case .found(let route, _, _) = self { route } else { nil }
  }
}

extension Request {
  /// The sandbox that the user of the proxy names, where the request came through it.
  var proxySandboxName: String? {
    proxyAuthorization.flatMap { ProxyUser($0) }?.sandbox
  }
}
