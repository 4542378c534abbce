/// A parsed absolute http or https URL (RFC 9110, 4.2; RFC 3986).
package struct AbsoluteURL: Equatable, Sendable {
  /// The maximum length in bytes, unless the reader allows more.
  package static let sizeLimit = 2_048

  /// True for https.
  package let isSecure: Bool
  /// `user:password`, decoded; nil if absent.
  package let userInformation: [UInt8]?
  /// A name or a literal address. IPv6 has no brackets.
  package let host: String
  /// The port, or the scheme's default.
  package let port: UInt16
  /// Path and query, as sent on the request line.
  package let target: String

  /// Returns nil unless the text is an http or https URL of visible ASCII with a host.
  package init?(_ text: String, atMost limit: Int = sizeLimit) {
    // Bytes, because to search through characters takes fifty times as long.
    guard text.utf8.count <= limit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8[colon...].starts(with: "://".utf8)
    else { return nil }
    switch text[..<colon].lowercased() {
    case "http": isSecure = false
    case "https": isSecure = true
    default: return nil
    }
    let rest = text.utf8[colon...].dropFirst(3)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    let tail = Substring(rest[authority.endIndex...].prefix { $0 != UInt8(ascii: "#") })
    target = tail.utf8.first == UInt8(ascii: "/") ? String(tail) : "/" + tail
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    if let at {
      guard let user = PercentCoding.decode(Array(authority[..<at]), plusIsSpace: false) else { return nil }
      userInformation = Array(user.utf8)
    } else {
      userInformation = nil
    }
    let hostAndPort = Substring(at.map { authority[$0...].dropFirst() } ?? authority)
    guard let authority = Authority(hostAndPort) else { return nil }
    (host, port) = (authority.host, authority.port ?? Self.defaultPort(isSecure))
  }

  /// The value for the `Host` field.
  package var authority: String {
    Authority(host: host, port: port == Self.defaultPort(isSecure) ? nil : port).description
  }

  private static func defaultPort(_ isSecure: Bool) -> UInt16 { isSecure ? 443 : 80 }
}

extension AbsoluteURL: CustomStringConvertible {
  /// `scheme://host[:port]`.
  package var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// The URL without user information and fragment.
  package var description: String { origin + target }

  /// Resolves a reference on this page: absolute, relative, or starting with `//`, `/` or `?` (RFC 3986,
  /// 5.2). Dot segments are not removed.
  package func resolving(_ reference: String) -> AbsoluteURL? {
    if let url = AbsoluteURL(reference) { return url }
    if reference.hasPrefix("//") { return AbsoluteURL("\(isSecure ? "https" : "http"):\(reference)") }
    if reference.hasPrefix("/") { return AbsoluteURL(origin + reference) }
    let path = target.prefix { $0 != "?" }
    if reference.hasPrefix("?") { return AbsoluteURL(origin + path + reference) }
    return AbsoluteURL(origin + path[...(path.lastIndex(of: "/") ?? path.startIndex)] + reference)
  }
}
