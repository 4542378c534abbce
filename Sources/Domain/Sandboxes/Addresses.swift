/// The addresses of this process that responses mention.
///
/// A class because all sandboxes share one, and it is filled in when the process listens.
package final class Addresses {
  /// Scheme and authority from `--public-url`.
  package var publicURL: String?
  /// The HTTPS listener; nil if off.
  package var httpsPort: UInt16?
  /// Nil if the gateway has no listener of its own.
  package var gatewayPort: UInt16?

  /// The `scheme://host:port` of a URL.
  package static func origin(of url: String) -> Substring {
    guard let colon = url.firstIndex(of: ":") else { return url[...] }
    let authority = url[colon...].dropFirst().drop { $0 == "/" }
    return url[..<(authority.firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex)]
  }

  /// The host of `scheme://host:port`; IPv6 addresses keep their brackets.
  package static func host(of origin: some StringProtocol) -> Substring {
    let authority = Substring(origin).drop { $0 != "/" }.drop { $0 == "/" }
    if authority.first == "[", let end = authority.firstIndex(of: "]") { return authority[...end] }
    return authority.prefix { $0 != ":" }
  }
}

extension Sandbox {
  /// The base URL of this sandbox for links without credentials: the public URL if set, else `origin`, and
  /// the sandbox's path.
  package func baseURL(requestOrigin origin: String) -> String {
    sharedURL(requestOrigin: origin) + (name == Sandboxes.defaultName ? "" : "/s/\(name)")
  }

  /// The same without the sandbox's path, for clients whose credentials select the sandbox.
  package func sharedURL(requestOrigin origin: String) -> String { shared.addresses.publicURL ?? origin }
}
