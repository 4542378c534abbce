import ProviderKit

/// What a request says about the person's device: the members `signals` and `dispatch_id`. Source: contract
/// 3.3.
struct DeviceSignals {
  enum Platform: String, CaseIterable {
    case android, ios, ipados, tvos, web
  }

  let platform: Platform?
  let isTrustedUser: Bool?
  /// The dispatch that the device has sent, see `SignalsDispatch`.
  let dispatchID: String?
  /// False if the request has neither signals nor a dispatch.
  let isPresent: Bool
  private var texts: [(name: String, value: String)] = []

  init(_ fields: Fields) throws {
    dispatchID = try fields.optionalString("dispatch_id")
    if let dispatchID, dispatchID.unicodeScalars.count != 36 {
      throw APIError.invalid("dispatch_id", expected: "exactly 36 characters")
    }
    let signals = try fields.optionalObject("signals")
    isPresent = signals != nil || dispatchID != nil
    platform = try signals.flatMap(Self.platform)
    isTrustedUser = try signals.flatMap(Self.isTrustedUser)
    guard let signals else { return }
    _ = try signals.optionalBool("existing_user")
    for (name, code) in Self.textMembers {
      if let text = try Self.text(name, code, signals) { texts.append((name, text)) }
    }
    if let ip = texts.first(where: { $0.name == "ip" })?.value, !IPAddress.isValid(ip) {
      throw APIError(.invalidIP, "ip has to be an address of IPv4 or IPv6", param: "signals.ip")
    }
  }

  /// The dispatch that the request names; nil if it has not arrived.
  func dispatch(in sandbox: Sandbox) throws -> SignalsDispatch? {
    try dispatchID.flatMap { try SignalsDispatch.find($0, in: sandbox) }
  }

  /// The signals of the request, and those of the dispatch that the request lacks.
  func members(completedBy dispatch: SignalsDispatch?) -> [JSON.Member] {
    let own = members
    guard let dispatch else { return own }
    return own + dispatch.signals.filter { signal in !own.contains { $0.name == signal.name } }
  }

  private var members: [JSON.Member] {
    var members = texts.map { JSON.Member(name: $0.name, value: .string($0.value)) }
    if let platform { members.append(.init(name: "device_platform", value: .string(platform.rawValue))) }
    if let isTrustedUser { members.append(.init(name: "is_trusted_user", value: .bool(isTrustedUser))) }
    return members
  }

  /// Each with the code of its errors.
  private static let textMembers: [(String, ErrorCode)] = [
    ("app_version", .invalidAppVersion), ("device_id", .invalidDeviceID),
    ("device_model", .invalidDeviceModel), ("ip", .invalidIP), ("ja4_fingerprint", .invalidFingerprint),
    ("os_version", .invalidOSVersion), ("user_agent", .invalidUserAgent),
  ]

  /// Enough for user agents.
  private static let maxBytes = 1024

  private static func text(_ name: String, _ code: ErrorCode, _ signals: Fields) throws -> String? {
    let param = "signals.\(name)"
    let text: String?
    do {
      text = try signals.optionalString(name)
    } catch {
      throw APIError(code, "\(name) has to be a string", param: param)
    }
    if let text, text.utf8.count > maxBytes {
      throw APIError(code, "\(name) has to be \(maxBytes) bytes at most", param: param)
    }
    return text
  }

  private static func platform(_ signals: Fields) throws -> Platform? {
    guard let word = try text("device_platform", .invalidDevicePlatform, signals) else { return nil }
    guard let platform = Platform(rawValue: word) else {
      throw APIError(
        .invalidDevicePlatform, "device_platform has to be one of \(Platform.words)",
        param: "signals.device_platform")
    }
    return platform
  }

  /// Some old clients send the value as a string. Source: contract 3.3.
  private static func isTrustedUser(_ signals: Fields) throws -> Bool? {
    switch try? signals.optionalString("is_trusted_user") {
    case "true": true
    case "false": false
    default: try signals.optionalBool("is_trusted_user")
    }
  }
}
