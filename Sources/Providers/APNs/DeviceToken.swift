import ProviderKit

/// The device token of a path. Source: contract 4
struct DeviceToken {
  /// Hex digits are in lower case. Other tokens are as they came.
  let text: String

  init(of request: Request) {
    let token = request[parameter: "token"]
    text = token.hasPrefix("sbx-") ? token : token.lowercased()
  }

  /// Its device, for a notification to this app.
  ///
  /// An unknown token registers a device without a number, unless settings forbid it.
  func device(for topic: Topic, in sandbox: Sandbox, _ settings: Settings) throws -> Device {
    guard Device.isAPNsToken(text) else {
      throw APIError(
        .badDeviceToken, because: "expected 64 to 200 hex digits, or a token that begins with sbx-")
    }
    let device = try knownDevice(in: sandbox) ?? newDevice(for: topic, in: sandbox, settings)
    let bundleID = device.draft.app.prefix { $0 != ":" }
    let state = try sandbox.devices.countPush(to: device)
    if let error = APIError(of: state, since: device.stateSince) { throw error }
    guard bundleID == topic.bundleID else {
      throw APIError(
        .deviceTokenNotForTopic, because: "the token is of the app \(bundleID), not of \(topic.bundleID)")
    }
    return device
  }

  private func knownDevice(in sandbox: Sandbox) throws -> Device? {
    switch try sandbox.devices.owner(ofAPNsToken: text) {
    case .device(let device): return device
    case .former(let end):
      var error = APIError(
        .unregistered, because: "the device has another token now, or is not registered any more")
      error.timestamp = end
      throw error
    case .nobody: return nil
    }
  }

  private func newDevice(for topic: Topic, in sandbox: Sandbox, _ settings: Settings) throws -> Device {
    if case .device(let other) = try sandbox.devices.owner(ofToken: text) {
      let right = other.draft.apnsToken.map { "its token here is \($0)" } ?? "it is no iOS device"
      throw APIError(.badDeviceToken, because: "this is a registration token of another gateway; \(right)")
    }
    if settings.tokens == .knownOnly, !text.hasPrefix("sbx-") {
      throw APIError(
        .badDeviceToken, because: "no device has this token, and the setting tokens is known-only")
    }
    var draft = Device.Draft(provider: APNsProvider.name, holder: text, app: topic.bundleID)
    (draft.pushToken, draft.apnsToken, draft.platform) = (text, text, .ios)
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
