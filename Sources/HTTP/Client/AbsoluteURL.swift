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
    guard let (host, port) = Self.split(place) else { return nil }
    guard let number = port.isEmpty ? (isSecure ? 443 : 80) : UInt16(port), number > 0 else { return nil }
    (self.host, self.port) = (host, number)
  }

  /// What stands in the `Host` field.
  package var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// Host and port of `host[:port]`; nil where it is none, or names no host.
  private static func split(_ place: Substring) -> (host: String, port: Substring)? {
    guard Array(place.utf8).withUnsafeBytes({ Authority.isValid($0) }), !place.contains("%") else {
      return nil
    }
    if place.hasPrefix("["), let end = place.firstIndex(of: "]") {
      let literal = place[place.index(after: place.startIndex)..<end]
      return literal.contains(":") ? (String(literal), place[end...].dropFirst(2)) : nil
    }
    let host = place.prefix { $0 != ":" }
    return host.isEmpty ? nil : (host.lowercased(), place.dropFirst(host.count + 1))
  }
}
