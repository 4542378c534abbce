import Domain
import JSON
import ProviderKit

/// What a request says of the person's device, and which dispatch says more. Source: contract 3.3.
struct SignalsForm {
  /// What devices run. Source: contract 3.3.
  enum Platform: String, CaseIterable {
    case android, ios, ipados, tvos, web
  }

  /// The members that history shows, by their names.
  private(set) var texts: [(name: String, value: String)] = []
  /// The device's platform.
  let platform: Platform?
  /// Whether the app trusts the person.
  let isTrustedUser: Bool?
  /// The dispatch that the device made.
  let dispatchID: String?
  /// Whether the request says anything of the device.
  let isPresent: Bool

  /// Reads the members `signals` and `dispatch_id` of a body.
  init(_ fields: Fields) throws {
    dispatchID = try fields.optionalString("dispatch_id")
    if let dispatchID, dispatchID.unicodeScalars.count != 36 {
      throw Problem.invalid("dispatch_id", expected: "exactly 36 characters")
    }
    let signals = try fields.optionalObject("signals")
    isPresent = signals != nil || dispatchID != nil
    platform = try signals.flatMap(Self.platform)
    isTrustedUser = try signals.flatMap(Self.trust)
    guard let signals else { return }
    _ = try signals.optionalBool("existing_user")
    for (name, code) in Self.members {
      if let text = try Self.text(name, code, signals) { texts.append((name, text)) }
    }
    if let ip = value(of: "ip"), !IPAddress.isValid(ip) {
      throw Problem(.invalidIP, "ip has to be an address of IPv4 or IPv6", param: "signals.ip")
    }
  }

  /// The dispatch that the request names, where it has arrived.
  func dispatch(in sandbox: Sandbox) throws -> Dispatch? {
    try dispatchID.flatMap { try Dispatch.find($0, in: sandbox) }
  }

  /// All that is known of the device: what the request says and, of the rest, what the dispatch does.
  func members(filledFrom dispatch: Dispatch?) -> [JSON.Member] {
    let said = members
    return said + (dispatch?.signals ?? []).filter { signal in !said.contains { $0.name == signal.name } }
  }

  private var members: [JSON.Member] {
    var members = texts.map { JSON.Member(name: $0.name, value: .string($0.value)) }
    if let platform { members.append(.init(name: "device_platform", value: .string(platform.rawValue))) }
    if let isTrustedUser { members.append(.init(name: "is_trusted_user", value: .bool(isTrustedUser))) }
    return members
  }

  /// What the request says under a name.
  func value(of name: String) -> String? { texts.first { $0.name == name }?.value }

  /// Names of text members, with the code that refuses one of another type or too long.
  private static let members: [(String, Code)] = [
    ("app_version", .invalidAppVersion), ("device_id", .invalidDeviceID),
    ("device_model", .invalidDeviceModel), ("ip", .invalidIP), ("ja4_fingerprint", .invalidFingerprint),
    ("os_version", .invalidOSVersion), ("user_agent", .invalidUserAgent),
  ]

  /// Longer ones are refused; user agents are the longest that there are.
  private static let longest = 1024

  private static func text(_ name: String, _ code: Code, _ signals: Fields) throws -> String? {
    let param = "signals.\(name)"
    let text: String?
    do {
      text = try signals.optionalString(name)
    } catch {
      throw Problem(code, "\(name) has to be a string", param: param)
    }
    if let text, text.utf8.count > longest {
      throw Problem(code, "\(name) has to be \(longest) bytes at most", param: param)
    }
    return text
  }

  private static func platform(_ signals: Fields) throws -> Platform? {
    guard let word = try text("device_platform", .invalidDevicePlatform, signals) else { return nil }
    guard let platform = Platform(rawValue: word) else {
      let words = Platform.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(
        .invalidDevicePlatform, "device_platform has to be one of \(words)",
        param: "signals.device_platform")
    }
    return platform
  }

  /// Some old clients send the word as a string. Source: contract 3.3.
  private static func trust(_ signals: Fields) throws -> Bool? {
    switch try? signals.optionalString("is_trusted_user") {
    case "true": true
    case "false": false
    default: try signals.optionalBool("is_trusted_user")
    }
  }
}
