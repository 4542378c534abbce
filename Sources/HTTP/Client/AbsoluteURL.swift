/// An absolute http or https URL, taken apart (RFC 9110, 4.2; RFC 3986).
package struct AbsoluteURL: Equatable, Sendable {
  /// The most bytes that a URL may have.
  package static let longest = 2_048

  /// Whether it asks for TLS.
  package let isSecure: Bool
  /// `user:password`, decoded; nil where there is none.
  package let userInformation: [UInt8]?
  /// A name or a literal address, an IPv6 one without its brackets.
  package let host: String
  /// The port, also where the URL leaves it to the scheme.
  package let port: UInt16
  /// What goes on the request line.
  package let target: String

  /// Takes a URL apart; nil unless it is an http or https URL of visible ASCII that names a host.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let mark = text.firstRange(of: "://")
    else { return nil }
    switch text[..<mark.lowerBound].lowercased() {
    case "http": isSecure = false
    case "https": isSecure = true
    default: return nil
    }
    let rest = text[mark.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let tail = rest[authority.endIndex...].prefix { $0 != "#" }
    target = tail.hasPrefix("/") ? String(tail) : "/" + tail
    let at = authority.lastIndex(of: "@")
    if let at {
      guard let user = PercentCoding.decode(Array(authority[..<at].utf8), plusIsSpace: false) else {
        return nil
      }
      userInformation = Array(user.utf8)
    } else {
      userInformation = nil
    }
    let place = at.map { authority[authority.index(after: $0)...] } ?? authority
    guard let authority = Authority(place) else { return nil }
    (host, port) = (authority.host, authority.port ?? Self.usualPort(isSecure))
  }

  /// What stands in the `Host` field.
  package var authority: String {
    Authority(host: host, port: port == Self.usualPort(isSecure) ? nil : port).description
  }

  private static func usualPort(_ isSecure: Bool) -> UInt16 { isSecure ? 443 : 80 }
}
