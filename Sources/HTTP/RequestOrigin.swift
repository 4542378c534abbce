/// How a request came to us.
package enum RequestOrigin: Sendable, Equatable {
  /// Straight.
  case direct
  /// As to a proxy: for a whole URL of `http`, or to ask for a tunnel.
  case proxied
  /// As to a proxy, for a whole URL of `https`.
  case proxiedSecurely
  /// Through a tunnel that ends here, and what the client said to sign in when it asked for it.
  case tunnel(authorization: [UInt8]?)

  /// What the client said to sign in when it asked for the tunnel.
  package var authorization: String? {
    guard case .tunnel(let authorization?) = self else { return nil }
    return String(decoding: authorization, as: UTF8.self)
  }
}
