package import Basics
import Numbers

/// The devices of a sandbox: apps that are registered on handsets.
package struct Devices {
  let sandbox: Sandbox

  /// Registers an app. It replaces the same app of the same holder, unless the holder is a token that the
  /// other one no longer has. But if the app has the key of one on a virtual handset that is not registered
  /// with the provider yet, then it is that one.
  package func register(_ draft: Device.Draft) throws -> Device {
    let now = sandbox.clock.now
    for earlier in try all(of: draft.holder, provider: draft.provider)
    where earlier.draft.app == draft.app && (earlier.has(draft.holder) || !draft.has(draft.holder)) {
      if earlier.draft.reference.isEmpty, earlier.privateKey != nil, draft.publicKey == earlier.publicKey {
        return try change(earlier, reference: draft.reference)
      }
      try end(earlier, as: .replaced, at: now)
    }
    let ordinal = sandbox.nextOrdinal()
    var (draft, privateKey) = (draft, String?.none)
    if draft.handset == HandsetState(), PhoneNumber(draft.holder) != nil,
      let other = try all(of: draft.holder).last(where: { $0.draft.handset.condition != .appDeleted })
    {
      draft.handset = other.draft.handset
      draft.isOnline = draft.isOnline && other.draft.isOnline
    }
    if draft.publicKey == nil {
      let pair = sandbox.makeKey("device \(ordinal)")
      (draft.publicKey, privateKey) = (pair.publicBase64, pair.privatePEM)
    }
    draft.tokenState = draft.tokenState ?? draft.pushToken.map(TokenState.init(ofToken:)) ?? .ok
    if draft.platform == .ios, draft.apnsToken == nil {
      draft.apnsToken = sandbox.tokenEntropy.secret("APNs token \(ordinal)", length: 64, of: .hex)
    }
    let device = Device(
      ordinal: ordinal, draft: draft, privateKey: privateKey, registeredAt: now, stateSince: now)
    try insert(device)
    try append(.deviceRegistered, device, at: now)
    return device
  }

  /// Changes the provider's id of the registration.
  package func change(_ device: Device, reference: String) throws -> Device {
    var changed = device
    changed.draft.reference = reference
    try update(changed)
    return changed
  }

  /// Removes an app from its handset.
  package func remove(_ device: Device) throws {
    guard device.ending == nil else { return }
    try end(device, as: .removed, at: sandbox.clock.now)
  }

  /// Changes the token's state, the connection or the state of the handset. A device that pushes reach again
  /// gets those that were held for it, and a person who could not answer does so now.
  package func change(
    _ device: Device, tokenState: TokenState? = nil, isOnline: Bool? = nil, handset: HandsetState? = nil
  ) throws -> Device {
    var changed = device
    if let tokenState, tokenState != device.draft.tokenState {
      changed.draft.tokenState = tokenState
      changed.stateSince = sandbox.clock.now
    }
    changed.draft.isOnline = isOnline ?? device.draft.isOnline
    changed.draft.handset = handset ?? device.draft.handset
    if changed.draft.handset.condition == .appDeleted, device.draft.handset.condition != .appDeleted {
      changed.stateSince = sandbox.clock.now
    }
    guard changed != device else { return device }
    try update(changed)
    if changed.draft.handset != device.draft.handset || changed.draft.isOnline != device.draft.isOnline {
      try sandbox.challenges.resume(on: changed)
    }
    if changed.receivesPushes, !device.receivesPushes { try sandbox.pushes.release(to: changed) }
    return changed
  }

  /// Gives a device new tokens and retires the old ones; nil keeps one.
  package func rotate(
    _ device: Device, to token: String? = nil, apnsToken: String? = nil
  ) throws -> Device {
    let now = sandbox.clock.now
    var changed = device
    changed.draft.pushToken = token ?? device.draft.pushToken
    changed.draft.apnsToken = apnsToken ?? device.draft.apnsToken
    for old in [device.draft.pushToken, device.draft.apnsToken] {
      if let old, old != changed.draft.pushToken, old != changed.draft.apnsToken { try retire(old, at: now) }
    }
    changed.draft.tokenState = (token ?? apnsToken).map(TokenState.init(ofToken:)) ?? device.tokenState
    changed.stateSince = now
    try update(changed)
    return changed
  }

  package func freshToken() -> String { "sbx-push-\(sandbox.requestToken("push-token"))" }

  /// 64 hex digits, as Apple's gateway has them.
  package func freshAPNsToken() -> String {
    (0..<2).map { _ in sandbox.requestToken("apns-token") }.joined()
  }

  package enum TokenOwner: Equatable {
    /// A registered device.
    case device(Device)
    /// A device that has another token since this time, or is no longer registered.
    case former(since: Timestamp)
    case nobody
  }

  /// The device that registered a token of either kind last, still registered or not.
  package func find(anyToken token: String) throws -> Device? {
    try find(apnsToken: token) ?? find(token: token)
  }

  /// The owner of a push token.
  package func owner(ofToken token: String) throws -> TokenOwner {
    try owner(find(token: token), of: token)
  }

  /// The owner of a token of Apple's gateway.
  package func owner(ofAPNsToken token: String) throws -> TokenOwner {
    try owner(find(apnsToken: token), of: token)
  }

  private func owner(_ device: Device?, of token: String) throws -> TokenOwner {
    guard let device else { return try retirement(of: token).map { .former(since: $0) } ?? .nobody }
    return device.end.map { .former(since: $0.at) } ?? .device(device)
  }

  /// Counts a push to a device, for tokens that fail a limited number of times; returns the state for this
  /// push.
  package func countPush(to device: Device) throws -> TokenState {
    let state = device.tokenState
    if device.draft.handset.condition != .appDeleted, state.afterOneRequest != state {
      _ = try change(device, tokenState: state.afterOneRequest)
    }
    return state
  }

  /// The id of a device: a UUID.
  package func identifier(of device: Device) -> String {
    sandbox.entropy.uuid(Self.label, device.ordinal, at: device.registeredAt)
  }

  /// The device of an id, still registered or not.
  package func find(_ identifier: String) throws -> Device? {
    guard let ordinal = sandbox.entropy.ordinal(ofUUID: identifier, under: Self.label),
      let device = try find(ordinal: ordinal), self.identifier(of: device) == identifier
    else { return nil }
    return device
  }

  private func end(_ device: Device, as ending: Device.Ending, at time: Timestamp) throws {
    try update(device, ending, at: time)
    try append(ending == .replaced ? .deviceReplaced : .deviceRemoved, device, at: time)
  }

  private func append(_ kind: Event.Kind, _ device: Device, at time: Timestamp) throws {
    try sandbox.events.append(
      kind, provider: device.draft.provider, subject: device.ordinal, destination: device.draft.holder,
      at: time)
  }

  private static let label: StaticString = "device"
}

extension SigningKey {
  /// The public key without its PEM header and footer.
  fileprivate var publicBase64: String {
    publicPEM.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
  }
}
