/// A cookie that scripts cannot read and that browsers do not send with requests that other sites cause.
package enum BrowserCookie {
  /// The field that makes a browser keep a value, or forget it.
  package static func field(_ name: String, keeping value: String?, for request: Request) -> Headers {
    let age = value == nil ? "; Max-Age=0" : ""
    let secure = request.origin.hasPrefix("https:") ? "; Secure" : ""
    let value = value.map { String($0.unicodeScalars.filter(isAllowed).map(Character.init)) } ?? ""
    return ["Set-Cookie": "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict\(secure)\(age)"]
  }

  /// RFC 6265, 4.1.1: visible characters without those that end a value.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    0x21...0x7E ~= scalar.value && !"\",;\\".unicodeScalars.contains(scalar)
  }
}
