import ProviderKit

/// The app on a virtual handset: what its back end and the provider's client SDK send. Source: contract 4,
/// 5.3 and 6.2.
enum VirtualHandset {
  /// Gives the handset a Prove Key that is bound to its number: the first sign-in, with a code by SMS.
  static func register(_ app: HandsetApp, _ enrolment: Enrolment) throws {
    // An app with a key of its own registers by itself. Keys are bound to numbers only.
    guard app.device.privateKey != nil, let number = PhoneNumber(app.device.draft.holder) else { return }
    let own = try ProveProvider.credentialsByName(of: app.sandbox)
    let grant = AppRequest(
      .post, "/token",
      body: .form([
        .init("grant_type", "client_credentials"), .init("client_id", own["clientId"] ?? ""),
        .init("client_secret", own["clientSecret"] ?? ""),
      ]))
    let authorization = "Bearer \(try Fields(app.send(grant)).string("access_token"))"
    let order = JSONWriter.object { json in
      json.member("phoneNumber", number.description)
      json.member("possessionType", Session.PossessionType.mobile.rawValue)
    }
    let started = try Fields(
      app.send(AppRequest(.post, "/v3/unify", authorization: authorization, body: .json(order))))
    let correlationID = try started.string("correlationId")
    var sdk = ClientSDK(app, authToken: try started.string("authToken"), correlationID)
    try sdk.run()
    let question = JSONWriter.object { $0.member("correlationId", correlationID) }
    let request = AppRequest(.post, "/v3/unify-status", authorization: authorization, body: .json(question))
    let status = try app.exchange(request)
    guard status.isSuccess, try Fields(status.body).string("success") == Success.passed.rawValue else {
      throw AppRefusal(request, status)
    }
  }

  /// Runs the client SDK for a session of which the app knows, or cancels it. Source: contract 5.2.
  static func signIn(_ app: HandsetApp, _ answer: Challenge.Answer, _ challenge: Challenge) throws {
    guard let session = try Session.find(challenge.reference, in: app.sandbox) else {
      throw AppRefusal("the session \(challenge.reference) was deleted")
    }
    let backEnd = Request(.post, Target(path: "/v3/unify"), headers: ["Host": "127.0.0.1"])
    let token = AuthToken.text(of: session, for: backEnd, in: app.sandbox)
    var sdk = ClientSDK(app, authToken: token, challenge.reference)
    switch answer {
    case .approve: try sdk.run()
    case .deny: try sdk.cancel()
    }
  }

  /// Asks the person on a virtual handset: their app has asked its back end for this session.
  static func ask(about session: Session, in sandbox: Sandbox) throws {
    guard session.possession != .desktop, let number = session.mobileNumber?.number.description,
      let device = try sandbox.devices.all(of: number, provider: ProveProvider.name).last,
      device.privateKey != nil
    else { return }
    var draft = Challenge.Draft(
      provider: ProveProvider.name, reference: session.correlationID, holder: number,
      lifetime: session.expiresAt - sandbox.clock.now)
    draft.device = device
    draft.isKnownToApp = true
    _ = try sandbox.challenges.create(draft)
  }

  /// Records on the virtual handset how the session has ended.
  static func close(_ session: Session, in sandbox: Sandbox) throws {
    guard
      let asked = try sandbox.challenges.latest(
        about: session.correlationID, provider: ProveProvider.name)
    else { return }
    _ = try sandbox.challenges.answer(session.outcome == .failed ? .deny : .approve, to: asked)
  }
}

/// The provider's client SDK in an app that takes codes. Source: contract 5.2 and 6.2.
private struct ClientSDK {
  private let app: HandsetApp
  private let authToken: String
  private let correlationID: String

  /// More than any flow has.
  private static let maxSteps = 8

  init(_ app: HandsetApp, authToken: String, _ correlationID: String) {
    self.app = app
    self.authToken = authToken
    self.correlationID = correlationID
  }

  /// Goes through all steps, and keeps the key.
  mutating func run() throws {
    let key = try ProveKey.find(app.device.draft.reference, in: app.sandbox)
    var step = try authenticate(with: key)
    var count = 0
    while count < Self.maxSteps {
      count += 1
      switch Session.Step(rawValue: try step.string("step")) {
      case .otpStart where app.fault == .wrongKey, .otpFinish where app.fault == .wrongKey:
        throw AppRefusal("Prove does not accept the key, and asks for a code")
      case .otpStart: step = try send("otp/start", body: [UInt8]("{}".utf8), of: step)
      case .otpFinish: step = try enterCode(of: step)
      case .finished:
        if let deviceID = try step.optionalObject("device")?.string("deviceId") {
          try app.keep(reference: deviceID)
        }
        return
      case .created, .mobileAuth, .linkStart, .linkWait, nil:
        throw AppRefusal("the session is at \(try step.string("step")), which the app does not know")
      }
    }
    throw AppRefusal("the session does not end")
  }

  /// Presents no key, because a key alone would pass.
  func cancel() throws {
    let step = try authenticate(with: nil)
    _ = try send("cancel", body: [UInt8]("{}".utf8), of: step)
  }

  private func authenticate(with key: ProveKey?) throws -> Fields {
    let body = JSONWriter.object { json in
      json.member("platform", app.device.draft.platform.rawValue)
      if let key {
        json.member("deviceId", key.deviceID)
        json.member("key", app.fault == .wrongKey ? String(key.secret.reversed()) : key.secret)
      }
      json.array("features", [SessionDevice.Feature.otp]) { $0.value($1.rawValue) }
    }
    return try Fields(
      app.send(
        AppRequest(
          .post, "\(devicePath)/authenticate", authorization: "Bearer \(authToken)", body: .json(body))))
  }

  private func enterCode(of step: Fields) throws -> Fields {
    if let error = try step.optionalObject("error") { throw AppRefusal(try error.string("message")) }
    let code = try app.readCode(about: correlationID)
    let body = JSONWriter.object { json in
      json.member("resultType", 0)
      json.object("input") { $0.member("otp", code) }
    }
    return try send("otp/finish", body: body, of: step)
  }

  private func send(_ action: String, body: [UInt8], of step: Fields) throws -> Fields {
    try Fields(
      app.send(
        AppRequest(.post, "\(devicePath)/\(try step.string("authId"))/\(action)", body: .json(body))))
  }
}
