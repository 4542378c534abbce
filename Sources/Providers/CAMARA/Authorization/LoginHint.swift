import ProviderKit

/// Whom a back end means: `login_hint`, or `sub` of an assertion. Source: contract 3.5.
enum LoginHint: Equatable {
  case number(PhoneNumber)
  /// A public address, and maybe a port, of a data session.
  case address(IPAddress, port: Int?)
  /// A token of a SIM card.
  case simToken(String)

  /// Nil for a text of another form.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "tel":
      guard let number = PhoneNumber(rest) else { return nil }
      self = .number(number)
    case "ipport":
      guard let (address, port) = Self.address(in: rest) else { return nil }
      self = .address(address, port: port)
    case "operatortoken":
      guard !rest.isEmpty else { return nil }
      self = .simToken(rest)
    default: return nil
    }
  }

  /// The number of a hint in the front end, which may have no `tel:`; nil for other hints.
  static func number(in text: String) -> PhoneNumber? {
    if case .number(let number) = LoginHint(text) { return number }
    return PhoneNumber(text)
  }

  /// `80.90.34.2:16790`, `80.90.34.2`, `[2001:db8::1]:8080`, `[2001:db8::1]`
  private static func address(in text: String) -> (IPAddress, Int?)? {
    let end = text.first == "[" ? text.firstIndex(of: "]") : text.firstIndex(of: ":")
    let host = text[..<(end ?? text.endIndex)].drop { $0 == "[" }
    guard let address = IPAddress(host), address.bytes.count == (text.first == "[" ? 16 : 4) else {
      return nil
    }
    var rest = text[(end ?? text.endIndex)...]
    if rest.first == "]" { rest = rest.dropFirst() }
    if rest.isEmpty { return text.first != "[" || end != nil ? (address, nil) : nil }
    guard rest.first == ":", let port = Int(rest.dropFirst()), (0...65_535).contains(port) else { return nil }
    return (address, port)
  }

  /// The subscriber, and how they were recognised; nil if there is none, or if several may be meant. A token
  /// can be used once.
  func subscriber(
    _ settings: Settings, in sandbox: Sandbox
  ) throws -> (number: PhoneNumber, method: Authorization.Method)? {
    switch self {
    case .number(let number):
      guard try Self.isSubscriber(number, settings, in: sandbox) else { return nil }
      return (number, .number)
    case .address(let address, let port):
      let holders = try Device.holders(of: address, port: port, in: sandbox)
      guard holders.count == 1, let number = holders.first?.number else { return nil }
      return (number, .number)
    case .simToken(let token):
      guard let number = try sandbox.simTokens.redeem(token) else { return nil }
      return (number, .sim)
    }
  }

  private static func isSubscriber(
    _ number: PhoneNumber, _ settings: Settings, in sandbox: Sandbox
  ) throws -> Bool {
    guard try sandbox.numbers.validity(of: number) == .valid else { return false }
    if settings.unknownNumbers == .notFound, try !sandbox.subscribers.contains(number) { return false }
    return try !sandbox.subscribers[number].isDeactivated(at: sandbox.clock.now)
  }
}
