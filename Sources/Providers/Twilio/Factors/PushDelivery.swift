import Domain
import HTTP
import JSON
import ProviderKit

// How a challenge reaches the phone, by the sandbox's devices and pushes. Source: contract 11.9.

extension Factor {
  /// Connects the factor with the device that has its push token: one that is registered already, or a new one that is
  /// known only by this token. To call after the token or the platform has changed.
  mutating func linkDevice(in sandbox: Sandbox) throws {
    guard let push else { return }
    guard let token = push.token else { return try removeDevice(in: sandbox) }
    let isApple = push.platform == .apn
    if let known = try device(in: sandbox), known.has(token) { return }
    let owner = try sandbox.devices.find(anyToken: token)
    if let owner, owner.end == nil {
      try removeDevice(in: sandbox)
      self.push?.device = owner.ordinal
    } else if let known = try device(in: sandbox) {
      let rotated = try sandbox.devices.rotate(known, to: token, apnsToken: isApple ? token : nil)
      self.push?.device = rotated.ordinal
    } else {
      var draft = Device.Draft(provider: TwilioProvider.name, holder: token, app: push.app)
      draft.reference = sid
      draft.pushToken = token
      draft.platform = isApple ? .ios : .android
      draft.apnsToken = isApple ? token : nil
      draft.publicKey = push.publicKey
      self.push?.device = try sandbox.devices.register(draft).ordinal
      try sandbox.checkLimits()
    }
  }

  /// The device that gets the factor's pushes, while it is registered.
  func device(in sandbox: Sandbox) throws -> Device? {
    guard let ordinal = push?.device, let device = try sandbox.devices.find(ordinal: ordinal),
      device.end == nil
    else { return nil }
    return device
  }

  /// Removes the device if the factor has registered it.
  func removeDevice(in sandbox: Sandbox) throws {
    if let device = try device(in: sandbox), device.draft.reference == sid {
      try sandbox.devices.remove(device)
    }
  }
}

extension FactorChallenge {
  /// Asks the person: a challenge of the sandbox with the same SID, and a push if the factor gets some.
  func askOnDevice(of factor: Factor, in sandbox: Sandbox) throws {
    let device = try factor.device(in: sandbox)
    let holder = device.flatMap { PhoneNumber($0.draft.holder)?.description } ?? identity
    var draft = Challenge.Draft(
      provider: TwilioProvider.name, reference: sid, holder: holder, lifetime: expiresAt - createdAt)
    draft.device = device
    if let device, factor.push?.token != nil, try sandbox.devices.countPush(to: device) == .ok {
      draft.push = (
        message(to: device),
        payload(to: device, factor, lifetime: Self.pushLifetime, at: sandbox.clock.now)
      )
      draft.pushToken = factor.push?.token
    }
    _ = try sandbox.challenges.create(draft)
  }

  /// Sends the push again. Delivery is attempted for `lifetime` seconds; 0: at once or never.
  func remind(_ factor: Factor, lifetime: Int, in sandbox: Sandbox) throws {
    guard let device = try factor.device(in: sandbox), try sandbox.devices.countPush(to: device) == .ok else {
      return
    }
    try sandbox.pushes.send(
      message(to: device), to: device,
      payload: payload(to: device, factor, lifetime: lifetime, at: sandbox.clock.now),
      addressing: factor.push?.token, until: sandbox.clock.now + .seconds(lifetime))
  }

  /// Records the answer on the handset.
  func closeOnDevice(as answer: Answer, in sandbox: Sandbox) throws {
    guard let asked = try sandbox.challenges.latest(about: sid, provider: TwilioProvider.name) else { return }
    _ = try sandbox.challenges.answer(answer == .approved ? .approve : .deny, to: asked)
  }

  static let pushLifetime = 300

  private var message: String {
    if case .string(let text)? = details?["message"] { text } else { "" }
  }

  private func message(to device: Device) -> MessageDraft {
    MessageDraft(
      provider: TwilioProvider.name, reference: sid, channel: .push, destination: device.draft.holder,
      sender: device.draft.app, text: message, code: nil)
  }

  /// The entry of the sandbox's push list. Source: contract 11.9 and `push-gateway.md` 5.
  private func payload(to device: Device, _ factor: Factor, lifetime: Int, at now: Timestamp) -> String {
    let data = [
      ("type", Self.pushType), ("challenge_sid", sid), ("factor_sid", self.factor), ("message", message),
    ]
    var push = AppPush(
      of: TwilioProvider.name, to: device, token: factor.push?.token ?? "",
      data: Texts(data.map { (name: $0, text: $1) }))
    push.gateway = factor.push?.platform == .apn ? "apns" : "fcm-v1"
    (push.text, push.category, push.lifetime) = (message, Self.pushType, lifetime)
    return push.payload(at: now)
  }

  private static let pushType = "verify_push_challenge"
}
