import Crypto
import ProviderKit

/// The messages to the devices, in the format of FCM. Source: contract 3.
struct TwoFactorPush {
  enum Kind: String {
    /// A visible notification for the destination.
    case request = "2fa-request"
    /// A background push for the source.
    case statusChange = "2fa-status-change"
  }

  static let typeName = "hyphen:type"
  private static let statusLifetime = Duration.seconds(300)

  let kind: Kind
  let request: TwoFactorAuth
  let now: Timestamp

  private var token: String {
    kind == .request ? request.destination.pushToken : request.source.pushToken
  }

  private var expiresAt: Timestamp {
    kind == .request ? request.expiresAt : now + Self.statusLifetime
  }

  /// Sends the push; nil if the gateway refuses it.
  func send(in sandbox: Sandbox) throws -> Message? {
    guard !token.isEmpty else { return nil }
    return try sandbox.sendPush(message, project: request.app.id)
  }

  private var message: JSON {
    var members = [JSON.Member("token", token)]
    if kind == .request { members.append(.init(name: "notification", value: alert)) }
    members += [
      .init("data", [.init(Self.typeName, kind.rawValue), .init("hyphen:data", content)]),
      .init("android", [.init("priority", "HIGH"), .init("ttl", "\((expiresAt - now).wholeSeconds)s")]),
      .init("apns", [.init("headers", apnsHeaders), .init("payload", [.init("aps", aps)])]),
    ]
    return .object(members)
  }

  private var apnsHeaders: [JSON.Member] {
    [
      .init("apns-priority", kind == .request ? "10" : "5"),
      .init("apns-push-type", kind == .request ? "alert" : "background"),
      .init("apns-expiration", String(expiresAt.unixSeconds)),
    ]
  }

  private var aps: [JSON.Member] {
    let shown: [JSON.Member] =
      kind == .request
      ? [.init(name: "alert", value: alert), .init("sound", "default"), .init("mutable-content", 1)] : []
    return shown + [.init("content-available", 1)]
  }

  /// JSON as a text, with the request as the REST API returns it.
  private var content: String {
    return JSONWriter.text { json in
      json.object("twoFactorAuth") { request.write(to: &$0, at: now) }
    }
  }

  /// The texts are the sandbox's own.
  private var alert: JSON {
    .object([
      .init("title", "Sign-in request"),
      .init("body", "\(request.app.name): \(request.email) from \(request.location)"),
    ])
  }
}

extension TwoFactorAuth {
  /// Asks the person at the destination: a challenge of the sandbox with the same id, and a push.
  func ask(in sandbox: Sandbox) throws {
    let device = try destination.device(in: sandbox)
    let holder = device.flatMap { PhoneNumber($0.draft.holder)?.description } ?? email
    var draft = Challenge.Draft(
      provider: HyphenProvider.name, reference: id, holder: holder, lifetime: expiresAt - sandbox.clock.now)
    draft.device = device
    let push = TwoFactorPush(kind: .request, request: self, now: sandbox.clock.now)
    _ = try sandbox.challenges.create(draft) { _ in try push.send(in: sandbox) }
  }

  /// Ends the question on the handset, because nobody needs its answer any more.
  func withdrawQuestion(in sandbox: Sandbox) throws {
    if let question = try sandbox.challenges.latest(about: id, provider: HyphenProvider.name) {
      try sandbox.challenges.withdraw(question)
    }
  }

  /// Tells the source device of the answer.
  func announce(in sandbox: Sandbox) throws {
    _ = try TwoFactorPush(kind: .statusChange, request: self, now: sandbox.clock.now).send(in: sandbox)
  }
}

extension UserDevice {
  /// The app on a handset of the sandbox that gets the device's pushes.
  func device(in sandbox: Sandbox) throws -> Device? {
    guard !pushToken.isEmpty, case .device(let device) = try sandbox.devices.owner(ofToken: pushToken) else {
      return nil
    }
    return device
  }

  /// Makes the push token known to the sandbox's gateway, with the platform of the device: to call when a
  /// device has a new token. One that a device has already stays as it is.
  func linkPushToken(of app: App, replacing old: UserDevice? = nil, in sandbox: Sandbox) throws {
    guard try !pushToken.isEmpty && device(in: sandbox) == nil else { return }
    if let old = try old?.device(in: sandbox), old.draft.reference == publicKey {
      _ = try sandbox.devices.rotate(old, to: pushToken)
      return
    }
    var draft = Device.Draft(provider: HyphenProvider.name, holder: pushToken, app: app.id)
    draft.reference = publicKey
    draft.pushToken = pushToken
    draft.platform = platform
    draft.publicKey = P256PublicKey(hex: publicKey).map { Base64.encode($0.der) } ?? publicKey
    _ = try sandbox.devices.register(draft)
    try sandbox.checkLimits()
  }
}
