import Crypto
package import Domain
import HTTP

/// The user of the proxy: a sandbox, a handset, or both.
/// Source: `carrier.md` 4.5, order 5.
package struct ProxyUser: Equatable {
  package let sandbox: String?
  package let handset: PhoneNumber?

  /// Reads Basic credentials (RFC 7617): a number, or a sandbox's name with a number as the password. Both may be empty.
  /// Other passwords are ignored, because some clients need one. Nil for anything else.
  package init?(_ authorization: String) {
    guard authorization.lowercased().hasPrefix("basic "),
      let decoded = Base64.decode(String(authorization.dropFirst(6))),
      let pair = String(validating: decoded, as: UTF8.self)
    else { return nil }
    let name = pair.prefix { $0 != ":" }
    let password = pair.dropFirst(name.count + 1)
    // A sandbox's name never begins with a plus.
    let isNumber = name.hasPrefix("+")
    let number = isNumber ? name : password
    handset = PhoneNumber(String(number))
    guard handset != nil || !number.hasPrefix("+") else { return nil }
    sandbox = isNumber || name.isEmpty ? nil : String(name)
  }
}
