import Domain
import ProviderKit

// Registration tokens and the devices behind them. Source: contract 4

extension RequestContext {
  /// The device of a token. Fails for tokens that are malformed, or that no device has any more.
  ///
  /// An unknown token registers a device without a number, unless settings forbid it. `app` is the app of that device;
  /// `field` names the token in errors.
  func device(of token: String, app: String? = nil, field: String) throws -> Device {
    guard isValidToken(token) else {
      throw APIError.invalidToken(field).because("expected 1 to 4096 bytes without white space")
    }
    switch try sandbox.devices.owner(ofToken: token) {
    case .device(let device): return device
    case .former:
      throw APIError.unregistered.because("the device has another token now, or is not registered any more")
    case .nobody:
      if settings.tokens == .knownOnly, !token.hasPrefix("sbx-") {
        throw APIError.invalidToken(field)
          .because("no device has this token, and the setting tokens is known-only")
      }
      var draft = Device.Draft(
        provider: FCMProvider.name, holder: token, app: app ?? "com.example.app:1.0.0")
      draft.pushToken = token
      return try sandbox.devices.register(draft)
    }
  }
}

private func isValidToken(_ text: String) -> Bool {
  (1...4096).contains(text.utf8.count) && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
}

extension APIError {
  /// The error of a push to a token in this state; nil if the push is accepted. Source: contract 4
  init?(of state: TokenState) {
    switch state {
    case .ok: return nil
    case .unregistered: self = .unregistered
    case .mismatch: self.init(.senderIDMismatch, "SenderId mismatch")
    case .quota:
      self.init(.quotaExceeded, "Quota exceeded for quota metric 'Messages per device'.")
      retryAfter = 1
    case .thirdParty: self.init(.thirdPartyAuthError, "Auth error from APNS or Web Push Service")
    case .flaky: self.init(.unavailable, "The service is currently unavailable.")
    }
    why = "the token's state is \(state.text)"
  }
}
