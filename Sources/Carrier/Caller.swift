import Domain
import HTTP

/// Which handset a request comes from, and over what. Source: `carrier.md` 4.5, "first that applies".
struct Caller: Equatable {
  /// The handset's number; nil: nothing was said.
  private(set) var number: PhoneNumber?
  /// What carries the request.
  private(set) var bearer: Bearer
  /// What a handset that says nothing is taken for, where the request asks for a mode of its own.
  let mode: Gateway.Settings.Mode?
  /// For the journal: what was said and not believed.
  let warning: String?

  /// Reads what a request says of its handset; what is no number, and no bearer, is refused.
  init(_ request: Request, in sandbox: Sandbox) throws {
    let query = try request.query
    let asked = query["sbx_handset"]
    let word = request.headers["X-Sandbox-Bearer"] ?? query["sbx_bearer"]
    bearer = try word.map { try Self.bearer($0) } ?? .cellular
    mode = Self.playFields.contains { request.headers.bytes(of: $0) != nil } ? .magic : nil
    warning = Self.warning(about: request)
    if let text = request.headers["X-Sandbox-Handset"] {
      number = try Self.number(text, in: "X-Sandbox-Handset")
    } else if let text = asked {
      number = try Self.number(text, in: "sbx_handset")
    } else if let text = Cookies(request.headers)[HandsetCookie.name], !text.isEmpty {
      number = try Self.number(text, in: "cookie \(HandsetCookie.name)")
    } else {
      number = try Self.bound(request, in: sandbox) ?? Self.behindProxy(request)
    }
  }

  /// The holder of the packet session with the client's address.
  private static func bound(_ request: Request, in sandbox: Sandbox) throws -> PhoneNumber? {
    let address = request.peer.prefix { $0 != ":" }
    return try sandbox.subscribers.holder(ofAddress: String(address))?.number
  }

  /// The proxy stands for the handset's own modem: its user names the number, and it tells the operator so on
  /// plain HTTP only, where the operator could see it, and never through a tunnel.
  private static func behindProxy(_ request: Request) -> PhoneNumber? {
    guard request.via == .proxied, request.scheme == "http" else { return nil }
    return request.proxyAuthorization.flatMap { ProxyUser($0) }?.handset
  }

  private static func number(_ text: String, in place: String) throws(FormError) -> PhoneNumber {
    // A `+` that was not escaped in a query has become a blank.
    guard let number = PhoneNumber(text.first == " " ? "+" + text.dropFirst() : text) else {
      throw FormError(field: place, expected: "a phone number such as +12025550100")
    }
    return number
  }

  private static func bearer(_ word: String) throws(FormError) -> Bearer {
    guard let bearer = Bearer(rawValue: word.lowercased()) else {
      let words = Bearer.allCases.map(\.rawValue).joined(separator: ", ")
      throw FormError(field: "X-Sandbox-Bearer", expected: "one of \(words)")
    }
    return bearer
  }

  /// Real gateways strip what a handset says in the operator's name.
  private static func warning(about request: Request) -> String? {
    let spoofed = operatorFields.filter { request.headers.bytes(of: $0) != nil }
    guard !spoofed.isEmpty else { return nil }
    return "warning: the client sent \(spoofed.map { "\($0)" }.joined(separator: ", ")), "
      + "which only an operator may; it was ignored"
  }

  /// Fields in which operators tell a number.
  private static let operatorFields: [StaticString] = [
    "X-MSISDN", "MSISDN", "X-UP-Calling-Line-ID", "X-Nokia-MSISDN", "X-WAP-Network-Client-MSISDN",
  ]

  /// Fields by which mobile clients say that they only play. Source: `carrier.md` 2.4.
  private static let playFields: [StaticString] = ["X-Tru-Mode", "X-SilentAuth-Mode"]
}

/// The cookie in which a browser keeps the handset it stands for.
enum HandsetCookie {
  /// Its name.
  static let name = "sbx_handset"
}

/// The cookies of a request (RFC 6265, 4.2).
struct Cookies {
  private let pairs: [(name: Substring, value: Substring)]

  /// Reads the `Cookie` fields; what is no `name=value` is left out.
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
