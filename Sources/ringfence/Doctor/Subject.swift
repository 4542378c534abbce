import HTTP

/// What the doctor looks at.
struct Subject {
  /// Where the sandbox listens; a prefix says which one.
  let url: AbsoluteURL
  /// How its TLS is reached.
  let tls: Handshake.ConnectionMode
  /// The folder in which its authority should be kept.
  let authorityFolder: String

  /// The URL that paths are put behind.
  var base: String { url.target == "/" ? url.origin : url.description }

  /// Whether it listens where it usually does.
  var isUsual: Bool { url.origin == DefaultAddresses.http }

  /// Whether it should be on this machine.
  var isHere: Bool { Self.isLoopback(url.host) }

  /// Whether a URL leads to the sandbox's own port.
  func isSame(_ other: AbsoluteURL) -> Bool {
    other.port == url.port && (other.host == url.host || [other.host, url.host].allSatisfy(Self.isLoopback))
  }

  private static func isLoopback(_ host: String) -> Bool { host == "localhost" || host.hasPrefix("127.") }
}
