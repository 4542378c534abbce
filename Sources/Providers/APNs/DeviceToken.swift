import Domain
import HTTP
import ProviderKit

// Device tokens and the devices behind them. Source: contract 4

enum DeviceToken {
  /// Hex digits in lower case. Other tokens stay as they are.
  static func normalized(_ text: String) -> String { text.hasPrefix("sbx-") ? text : text.lowercased() }
}

extension RequestContext {
  /// The device of the path's token, for a notification to this app.
  ///
  /// An unknown token registers a device without a number, unless settings forbid it.
  func device(for topic: Topic) throws -> Device {
    guard Device.isAPNsToken(token) else {
      throw APIError(
        .badDeviceToken, because: "expected 64 to 200 hex digits, or a token that begins with sbx-")
    }
    let device = try knownDevice ?? newDevice(for: topic)
    let bundleID = device.draft.app.prefix { $0 != ":" }
    let state = try sandbox.devices.countPush(to: device)
    if let error = APIError(of: state, since: device.stateSince) { throw error }
    guard bundleID == topic.bundleID else {
      throw APIError(
        .deviceTokenNotForTopic, because: "the token is of the app \(bundleID), not of \(topic.bundleID)")
    }
    return device
  }

  private var knownDevice: Device? {
    get throws {
      switch try sandbox.devices.owner(ofAPNsToken: token) {
      case .device(let device): return device
      case .former(let end):
        var error = APIError(
          .unregistered, because: "the device has another token now, or is not registered any more")
        error.timestamp = end
        throw error
      case .nobody: return nil
      }
    }
  }

  private func newDevice(for topic: Topic) throws -> Device {
    if case .device(let other) = try sandbox.devices.owner(ofToken: token) {
      let right = other.draft.apnsToken.map { "its token here is \($0)" } ?? "it is no iOS device"
      throw APIError(.badDeviceToken, because: "this is a registration token of another gateway; \(right)")
    }
    if settings.tokens == .knownOnly, !token.hasPrefix("sbx-") {
      throw APIError(
        .badDeviceToken, because: "no device has this token, and the setting tokens is known-only")
    }
    var draft = Device.Draft(provider: APNsProvider.name, holder: token, app: topic.bundleID)
    (draft.pushToken, draft.apnsToken, draft.platform) = (token, token, .ios)
    return try sandbox.devices.register(draft)
  }
}

extension APIError {
  /// The error of a push to a device; nil if the push is accepted. `state` is that of its tokens before the
  /// push. Source: contract 4
  init?(of state: TokenState, since time: Timestamp) {
    switch state {
    case .ok: return nil
    case .unregistered: self.init(.unregistered)
    case .expired: self.init(.expiredToken)
    case .mismatch: self.init(.deviceTokenNotForTopic)
    case .quota: self.init(.tooManyRequests)
    case .thirdParty: self.init(.invalidProviderToken)
    case .flaky: self.init(.serviceUnavailable)
    }
    why = "the token's state is \(state.text)"
    if status == 410 { timestamp = time }
  }
}
