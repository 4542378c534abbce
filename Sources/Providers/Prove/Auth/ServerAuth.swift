import ProviderKit

// `POST /v1/server/auth/start`, `/continue` and `/finish`: the older API that SDKs still have. Only the
// subject `mobile` is emulated. Source: contract 8.

func startAuth(_ context: RequestContext) throws -> Response {
  let body = try context.body
  try body.requireUUID("requestId")
  body.declare("delivery", "callbackUrl")
  let mobile = try body.mobileSubject
  let number = try mobile.claimedNumber.map { try MobileNumber($0, named: "mobileNumber", in: context) }
  let authenticators = try Authenticators(mobile)
  if let number { try TestUsers(.unify, of: context).user(of: number).rejectStart(in: context.sandbox) }
  var session = Session(
    .auth, authenticators.possession, of: context.client,
    lifetime: .seconds(context.settings.sessionSeconds), in: context.sandbox)
  session.options = authenticators.options
  session.number = number?.text
  try session.insert(in: context.sandbox)
  return .json(200) { json in
    json.member("authId", session.authID)
    json.member("authToken", AuthToken.text(of: session, for: context.request, in: context.sandbox))
  }
}

/// Binds a number to the device's key, whatever the outcome was.
func continueAuth(_ context: RequestContext) throws -> Response {
  let body = try context.body
  try body.requireUUID("requestId")
  var session = try findSession(body, context)
  guard let text = try body.mobileSubject.claimedNumber else { throw APIError.missing("mobileNumber") }
  let number = try MobileNumber(text, named: "mobileNumber", in: context)
  _ = try TestUsers(.unify, of: context).user(of: number)
  let hasDevice = session.step != .created
  if hasDevice {
    session.number = number.text
    var possession = Possession(session, context.settings, client: context.client, in: context.sandbox)
    try possession.pass(by: .bind)
  }
  return .json(200) { json in
    json.object("subjects") {
      $0.object("mobile") {
        $0.member("success", hasDevice)
        if !hasDevice { AuthFailure.deviceMissing.write(to: &$0) }
      }
    }
  }
}

func finishAuth(_ context: RequestContext) throws -> Response {
  let session = try findSession(context.body, context)
  let line = try session.mobileNumber.map {
    try context.sandbox.subscribers[$0.number]
  }
  return .json(200) { json in
    json.member("appNamespace", context.client.id.isEmpty ? "sandbox" : context.client.id)
    json.member("authId", session.authID)
    json.object("subjects") {
      $0.object("mobile") { session.writeAuthResult(to: &$0, operatorName: line?.operatorName) }
    }
  }
}

private func findSession(_ body: Body, _ context: RequestContext) throws -> Session {
  let (client, authID) = (context.client, try body.requiredText("authId"))
  guard let session = try Session.find(authID: authID, in: context.sandbox), session.kind == .auth,
    session.clientID == client.id, !session.isExpired(at: context.now)
  else {
    throw APIError(.invalidCorrelationID).because("client \(client.id) has no live session \(authID)")
  }
  var possession = Possession(session, context.settings, client: client, in: context.sandbox)
  try possession.endWait()
  return possession.session
}

/// Inside results with status 200. Source: contract 3.5 and 8.
private struct AuthFailure {
  let code: Int
  let message: String

  static let deviceMissing = AuthFailure(code: 10004, message: "device authentication missing")

  func write(to json: inout JSONWriter) {
    json.object("error") {
      $0.member("code", code)
      $0.member("message", message)
    }
  }
}

/// What the client wants to be tried. Source: contract 8.
private struct Authenticators {
  let possession: Session.PossessionType
  let options: SessionOptions

  init(_ mobile: Body) throws {
    let all = try mobile.fields.optionalObject("authenticators").map { Body($0) }
    let link = try all?.fields.optionalObject("instantlink").map { Body($0) }
    let otp = try all?.fields.optionalObject("otp").map { Body($0) }
    let passive = try all?.fields.optionalObject("passive").map { Body($0) }
    var options = SessionOptions()
    options.finalTargetURL = try link?.finalTargetURL(isRequired: true)
    options.smsMessage = try otp?.messageText ?? link?.messageText
    options.allowsOTPRetry = try otp?.flag("allowOtpRetry") ?? false
    options.rebind = try passive?.fields.optionalInt("maxAge") == -1
    options.mobileAuth = all?.fields.has("instant")
    self.options = options
    // A link alone is for browsers without a SIM.
    possession = link != nil && otp == nil && passive == nil ? .desktop : .mobile
    for authenticator in [link, otp, passive] {
      authenticator?.declare(
        "allowMobileNumberRePrompt", "sourceIp", "subscriptionCustomerId", "cacheResult", "localDomain",
        "testMode")
    }
  }
}

extension Body {
  fileprivate func requireUUID(_ name: String) throws {
    guard UUIDText.isValid(try requiredText(name)) else {
      throw APIError.malformed(name, expected: "a UUID")
    }
  }

  fileprivate var mobileSubject: Body {
    get throws {
      guard let subjects = try fields.optionalObject("subjects") else { throw APIError.missing("subjects") }
      let others = try ["device", "user", "card"].filter { try subjects.optionalObject($0) != nil }
      guard others.isEmpty, let mobile = try subjects.optionalObject("mobile") else {
        throw APIError.malformed("subjects", expected: "the subject mobile alone; others are not emulated")
      }
      return Body(mobile)
    }
  }

  fileprivate var claimedNumber: String? {
    get throws { try fields.optionalObject("claim").flatMap { try Body($0).text("mobileNumber") } }
  }

  fileprivate var messageText: String? {
    get throws {
      let name = "messageText"
      let text = try requiredText(name)
      guard MessageTemplate(text) != nil else {
        throw APIError.malformed(name, expected: "a run of 4, 5 or 6 characters #")
      }
      return text
    }
  }
}

extension Session {
  /// Writes the member `success` or `error`.
  fileprivate func writeAuthResult(to json: inout JSONWriter, operatorName: String?) {
    guard outcome == .passed else {
      let error = failure.map { AuthFailure(code: $0.rawValue, message: $0.text) } ?? .deviceMissing
      return error.write(to: &json)
    }
    json.object("success") {
      $0.member("authenticatorType", authenticatorType)
      if let number { $0.object("claim") { $0.member("mobileNumber", number) } }
      $0.member("createdAt", createdAt.unixSeconds)
      $0.object("extras") {
        if means == .instantLink { $0.member("linkClicked", true) }
        if let operatorName { $0.member("mobileOperatorName", operatorName) }
      }
    }
  }

  private var authenticatorType: String {
    switch means {
    case .key: "passive"
    case .mobileAuth: "instant"
    case .otp: "otp"
    case .instantLink: "instantlink"
    case .bind, .testUser, nil: "provided"
    }
  }
}
