import ProviderKit

enum RegisteredDevice {
  /// The device of a registration token. Fails for tokens that are malformed, or that no device has now.
  ///
  /// An unknown token registers a device without a number, unless settings forbid it. `app` is the app of
  /// that device.
  static func find(
    of token: String, app: String? = nil, _ settings: Settings, in sandbox: Sandbox
  ) throws -> Device {
    guard isValidToken(token) else {
      throw APIError.invalidToken(settings).because("expected 1 to 4096 bytes without white space")
    }
    switch try sandbox.devices.owner(ofToken: token) {
    case .device(let device): return device
    case .former:
      throw APIError.unregistered(settings).because(
        "the device has another token now, or is not registered any more")
    case .nobody:
      if case .device = try sandbox.devices.owner(ofAPNsToken: token) {
        throw APIError.invalidToken(settings)
          .because("this is the app's token at Apple's gateway; its registration token is another one")
      }
      if settings.tokens == .knownOnly, !token.hasPrefix("sbx-") {
        throw APIError.invalidToken(settings)
          .because("no device has this token, and the setting tokens is known-only")
      }
      var draft = Device.Draft(
        provider: FCMProvider.name, holder: token, app: app ?? "com.example.app:1.0.0")
      draft.pushToken = token
      return try sandbox.devices.register(draft)
    }
  }

  private static func isValidToken(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count) && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }
}

extension APIError {
  /// The error of a push to a device; nil if the push is accepted. `state` is that of its token before the
  /// push. Source: contract 4
  init?(of state: TokenState, on platform: Device.Platform, _ settings: Settings) {
    switch state {
    case .ok: return nil
    case .unregistered, .expired:
      self = platform == .ios ? .unregisteredIOS(settings) : .unregistered(settings)
    case .mismatch: self = .senderIDMismatch
    case .quota: self = .deviceQuotaExceeded
    case .thirdParty: self = .thirdPartyAuthError(settings)
    case .flaky: self = .unavailable
    }
    why = "the token's state is \(state.text)"
  }
}
