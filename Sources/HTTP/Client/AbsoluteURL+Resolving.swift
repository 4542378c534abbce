/// A URL as the place that references on its page start from.
extension AbsoluteURL: CustomStringConvertible {
  /// Scheme and authority.
  package var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// The URL as text, without user information and fragment.
  package var description: String { origin + target }

  /// What a reference means on this page: absolute, or beginning with `//`, `/` or `?`, or relative (RFC 3986, 5.2;
  /// segments of dots are left as they are).
  package func resolving(_ reference: String) -> AbsoluteURL? {
    if let url = AbsoluteURL(reference) { return url }
    if reference.hasPrefix("//") { return AbsoluteURL("\(isSecure ? "https" : "http"):\(reference)") }
    if reference.hasPrefix("/") { return AbsoluteURL(origin + reference) }
    let path = target.prefix { $0 != "?" }
    if reference.hasPrefix("?") { return AbsoluteURL(origin + path + reference) }
    return AbsoluteURL(origin + path[...(path.lastIndex(of: "/") ?? path.startIndex)] + reference)
  }
}
