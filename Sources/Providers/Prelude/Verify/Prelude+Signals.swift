import Domain
import JSON

extension Prelude {
  /// What a request says of the person's device, and which dispatch says more. Source: contract 3.3.
  struct SignalsForm {
    /// The members that history shows, by their names.
    private(set) var texts: [(name: String, value: String)] = []
    /// The device's platform.
    let platform: String?
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
      platform = try signals.flatMap { try Self.text("device_platform", .invalidDevicePlatform, $0) }
      if let platform, !Self.platforms.contains(platform) {
        throw Problem(
          .invalidDevicePlatform,
          "device_platform has to be one of \(Self.platforms.joined(separator: ", "))",
          param: "signals.device_platform")
      }
      isTrustedUser = try signals.flatMap(Self.trust)
      guard let signals else { return }
      _ = try signals.optionalBool("existing_user")
      for (name, code) in Self.members {
        if let text = try Self.text(name, code, signals) { texts.append((name, text)) }
      }
      if let ip = value(of: "ip"), !IPAddress.isOne(ip) {
        throw Problem(.invalidIP, "ip has to be an address of IPv4 or IPv6", param: "signals.ip")
      }
    }

    /// All that history shows of them.
    var members: [JSON.Member] {
      var members = texts.map { JSON.Member(name: $0.name, value: .string($0.value)) }
      if let platform { members.append(.init(name: "device_platform", value: .string(platform))) }
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

    private static let platforms = ["android", "ios", "ipados", "tvos", "web"]
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

    /// Some old clients send the word as a string. Source: contract 3.3.
    private static func trust(_ signals: Fields) throws -> Bool? {
      switch try? signals.optionalString("is_trusted_user") {
      case "true": true
      case "false": false
      default: try signals.optionalBool("is_trusted_user")
      }
    }
  }
}
