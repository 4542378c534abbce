extension Request {
  /// The value of a cookie; nil if the browser has none of this name.
  package func cookie(_ name: String) -> String? {
    for cookie in headers["Cookie"]?.split(separator: ";") ?? [] {
      let cookie = cookie.drop { $0 == " " }
      if cookie.hasPrefix("\(name)=") { return String(cookie.dropFirst(name.count + 1)) }
    }
    return nil
  }
}
