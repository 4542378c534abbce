/// An absolute URL of a chain, taken apart as a client needs it.
package struct WebURL: Equatable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  package let scheme: String
  /// The host, in brackets where it is an address of IPv6.
  package let host: String
  /// The port, where the URL names one.
  package let port: UInt16?
  /// Path and query, from the first `/`.
  package let target: String

  /// Reads `http://host[:port]/path?query`; a fragment is left out. Nil for anything else.
  package init?(_ text: String) {
    guard let colon = text.range(of: "://") else { return nil }
    scheme = text[..<colon.lowerBound].lowercased()
    let rest = text[colon.upperBound...].prefix { $0 != "#" }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard scheme == "http" || scheme == "https", text.utf8.count <= Self.limit,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let parts = Self.split(rest[..<end])
    else { return nil }
    (host, port) = parts
    target = rest[end...].first == "/" ? String(rest[end...]) : "/" + rest[end...]
  }

  /// The URL as text.
  package var description: String { origin + target }

  /// Scheme and authority.
  package var origin: String { "\(scheme)://\(authority)" }

  /// Host and port as they stand in the URL.
  package var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// The port that a connection goes to.
  package var effectivePort: UInt16 { port ?? (scheme == "https" ? 443 : 80) }

  /// What a reference means on this page: absolute, or beginning with `//`, `/` or `?`, or relative (RFC 3986, 5.2;
  /// segments of dots are left as they are).
  package func resolving(_ reference: String) -> WebURL? {
    if let url = WebURL(reference) { return url }
    if reference.hasPrefix("//") { return WebURL("\(scheme):\(reference)") }
    if reference.hasPrefix("/") { return WebURL(origin + reference) }
    let path = target.prefix { $0 != "?" }
    if reference.hasPrefix("?") { return WebURL(origin + path + reference) }
    let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    return WebURL(origin + folder + reference)
  }

  private static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
    guard !authority.contains("@") else { return nil }
    let isBracketed = authority.first == "["
    let hostEnd =
      isBracketed
      ? authority.firstIndex(of: "]").map { authority.index(after: $0) }
      : authority.firstIndex(of: ":") ?? authority.endIndex
    guard let hostEnd, hostEnd > authority.startIndex else { return nil }
    let host = String(authority[..<hostEnd])
    let rest = authority[hostEnd...]
    guard !rest.isEmpty else { return (host, nil) }
    guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
    return (host, port)
  }

  /// The longest URL that is taken.
  private static let limit = 8_192
}

extension String {
  /// Where a text first stands in this one.
  fileprivate func range(of text: StaticString) -> Range<Index>? {
    let wanted = "\(text)"
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(wanted) { return start..<index(start, offsetBy: wanted.count) }
      start = index(after: start)
    }
    return nil
  }
}
