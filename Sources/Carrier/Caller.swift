import Basics
import Crypto
import Domain
import HTTP
package import Numbers
import Silent

/// The handset and the bearer of a request. Source: `carrier.md` 4.5, "first that applies".
struct Caller: Equatable {
  /// Nil: the request names no handset.
  private(set) var number: PhoneNumber?
  private(set) var bearer: Bearer
  /// The gateway mode that the request asks for.
  let mode: Gateway.Settings.Mode?
  /// For the journal: header fields that were ignored.
  let warning: String?

  /// Throws for an invalid number or bearer.
  init(_ request: Request, in sandbox: Sandbox) throws {
    let query = try request.query
    let asked = query["sbx_handset"]
    let word = request.headers["X-Sandbox-Bearer"] ?? query["sbx_bearer"]
    bearer = try word.map { try Self.bearer($0) } ?? .cellular
    mode = Self.testModeFields.contains { request.headers.bytes(of: $0) != nil } ? .magic : nil
    warning = Self.warning(about: request)
    if let text = request.headers["X-Sandbox-Handset"] {
      number = try Self.number(text, in: "X-Sandbox-Handset")
    } else if let text = asked {
      number = try Self.number(text, in: "sbx_handset")
    } else if let text = Cookies(request.headers)[HandsetCookie.name], !text.isEmpty {
      number = try Self.number(text, in: "cookie \(HandsetCookie.name)")
    } else {
      number = try Self.number(byAddressOf: request, in: sandbox) ?? Self.number(ofProxyUser: request)
    }
  }

  /// The number whose data session has the client's address.
  private static func number(byAddressOf request: Request, in sandbox: Sandbox) throws -> PhoneNumber? {
    let address = request.peer.prefix { $0 != ":" }
    return try sandbox.subscribers.holder(ofAddress: String(address))?.number
  }

  /// The number of the proxy's user. It counts on plain HTTP only, because a real operator sees no other
  /// requests.
  private static func number(ofProxyUser request: Request) -> PhoneNumber? {
    guard request.via == .proxied, request.scheme == "http" else { return nil }
    return request.proxyAuthorization.flatMap { ProxyUser($0) }?.handset
  }

  private static func number(_ text: String, in place: String) throws(FormError) -> PhoneNumber {
    // A `+` that was not escaped in a query is decoded as a space.
    guard let number = PhoneNumber(text.first == " " ? "+" + text.dropFirst() : text) else {
      throw FormError(field: place, expected: "a phone number such as +12025550100")
    }
    return number
  }

  private static func bearer(_ word: String) throws(FormError) -> Bearer {
    guard let bearer = Bearer(rawValue: word.lowercased()) else {
      throw FormError(field: "X-Sandbox-Bearer", expected: "one of \(Bearer.words)")
    }
    return bearer
  }

  /// Real gateways remove an operator's header fields from a handset's requests.
  private static func warning(about request: Request) -> String? {
    let spoofed = operatorFields.filter { request.headers.bytes(of: $0) != nil }
    guard !spoofed.isEmpty else { return nil }
    return "warning: the client sent \(spoofed.map { "\($0)" }.joined(separator: ", ")), "
      + "which only an operator may send; ignored"
  }

  /// Header fields in which operators send a number.
  private static let operatorFields: [StaticString] = [
    "X-MSISDN", "MSISDN", "X-UP-Calling-Line-ID", "X-Nokia-MSISDN", "X-WAP-Network-Client-MSISDN",
  ]

  /// Header fields with which mobile clients ask for test mode. Source: `carrier.md` 2.4.
  private static let testModeFields: [StaticString] = ["X-Tru-Mode", "X-SilentAuth-Mode"]
}

/// The cookie with a browser's handset.
enum HandsetCookie {
  static let name = "sbx_handset"
}

/// The cookies of a request (RFC 6265, 4.2).
struct Cookies {
  private let pairs: [(name: Substring, value: Substring)]

  /// Reads the `Cookie` fields; skips parts without `=`.
  init(_ headers: Headers) {
    pairs = headers.values("Cookie").flatMap { $0.split(separator: ";").map(Array.init) }
      .compactMap { part in
        let text = Substring(String(part)).drop { $0 == " " }
        guard let equals = text.firstIndex(of: "=") else { return nil }
        return (text[..<equals], text[text.index(after: equals)...])
      }
  }

  /// The decoded value of the first cookie of this name.
  subscript(name: String) -> String? {
    pairs.first { $0.name == name }
      .flatMap { PercentCoding.decode(Array($0.value.utf8), plusIsSpace: false) }
  }
}

/// The user of the proxy: a sandbox, a handset, or both.
/// Source: `carrier.md` 4.5, order 5.
package struct ProxyUser: Equatable {
  package let sandbox: String?
  package let handset: PhoneNumber?

  /// Reads Basic credentials (RFC 7617): a number, or a sandbox's name with a number as the password. Both
  /// may be empty. Other passwords are ignored, because some clients need one. Nil for anything else.
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
