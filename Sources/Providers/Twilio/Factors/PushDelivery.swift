import ProviderKit

// How a challenge reaches the phone, by the sandbox's devices and pushes. Source: contract 11.9.

extension Factor {
  /// The factors of each device, by its ordinal: apps that share a push token share the device.
  private static let links = RecordTable(texts: "factorDevice", of: TwilioProvider.name, member: "factor")

  /// Connects the factor with the device that has its push token: one that is registered already, or a new
  /// one that is known only by this token. Call this when the app names its token or its platform.
  mutating func linkDevice(in sandbox: Sandbox) throws {
    guard let push else { return }
    let linked = try linkedDevice(in: sandbox)
    if let token = push.token, linked?.has(token) == true { return }
    let device = try push.token.map { try deviceWithToken($0, from: linked, in: sandbox) }
    if device?.ordinal != linked?.ordinal { try leaveDevice(in: sandbox) }
    self.push?.device = device?.ordinal
    if let device { try Self.links.save(sid, as: sid, group: String(device.ordinal), in: sandbox) }
  }

  /// The device that has a token. A device that only this factor uses gets the new token; one that others use
  /// keeps theirs.
  private func deviceWithToken(_ token: String, from linked: Device?, in sandbox: Sandbox) throws -> Device {
    if let owner = try owner(of: token, in: sandbox) { return owner }
    if let linked, try Self.links.list(group: String(linked.ordinal), limit: 2, in: sandbox).count < 2 {
      let isApple = push?.platform == .apn
      return try sandbox.devices.rotate(linked, to: token, apnsToken: isApple ? token : nil)
    }
    return try register(token, in: sandbox)
  }

  private func register(_ token: String, in sandbox: Sandbox) throws -> Device {
    var draft = Device.Draft(provider: TwilioProvider.name, holder: token, app: push?.app ?? "")
    let isApple = push?.platform == .apn
    draft.reference = sid
    draft.pushToken = token
    draft.platform = isApple ? .ios : .android
    draft.apnsToken = isApple ? token : nil
    draft.publicKey = push?.publicKey
    let device = try sandbox.devices.register(draft)
    try sandbox.checkLimits()
    return device
  }

  /// Ends the link. A device that a factor has registered goes with its last factor.
  func leaveDevice(in sandbox: Sandbox) throws {
    let linked = try linkedDevice(in: sandbox)
    try Self.links.delete(sid, in: sandbox)
    guard let linked, linked.draft.reference == sid else { return }
    if let next = try Self.links.list(group: String(linked.ordinal), limit: 1, in: sandbox).first {
      _ = try sandbox.devices.change(linked, reference: next.record)
    } else {
      try sandbox.devices.remove(linked)
    }
  }

  /// The device that gets the factor's pushes, while it is registered: the linked one, or, if that one is
  /// gone or has another token, the one that has the factor's token now.
  func device(in sandbox: Sandbox) throws -> Device? {
    guard let token = push?.token else { return nil }
    let linked = try linkedDevice(in: sandbox)
    if let linked, linked.has(token) { return linked }
    return try owner(of: token, in: sandbox) ?? linked
  }

  private func linkedDevice(in sandbox: Sandbox) throws -> Device? {
    let device = try push?.device.flatMap { try sandbox.devices.find(ordinal: $0) }
    return device?.end == nil ? device : nil
  }

  private func owner(of token: String, in sandbox: Sandbox) throws -> Device? {
    let device = try sandbox.devices.find(anyToken: token)
    return device?.end == nil ? device : nil
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
