import Domain
import HTTP
import JSON
import ProviderKit

// The source device: it asks for approval, may ask another device, and finishes. Source: contract 5.1, 5.2
// and 6.

/// `POST /auth/v1/signin/2fa`
func createTwoFactorAuth(_ context: RequestContext) throws -> Response {
  let (body, sandbox) = (try context.body, context.sandbox)
  let identity = try body.object("request")
  let user = try FirebaseIdentity(identity, in: sandbox)
  let chain = try context.chain(identity)
  let userKey = try UserKey("userKey", in: body)
  guard let source = userKey.device, userKey.kind == .device else {
    throw APIError.invalid("userKey.type", expected: UserKey.Kind.device.rawValue)
  }
  let account = try context.account(of: user)
  try account.requireDeployed(on: chain)
  guard let destination = try account.destination(for: source, in: sandbox) else {
    throw APIError(.noDestinationDevice).because("no device of \(user.email) but the source has a push token")
  }
  try TwoFactorAuth.newest(of: source, account: account.id, in: sandbox)?.replace(in: sandbox)

  var request = TwoFactorAuth()
  request.account = account.id
  request.app = AppName(context.app)
  request.chain = chain
  request.email = user.email
  request.address = context.address
  request.location = try Location.text(of: context.address, in: sandbox)
  request.message = AddKeyMessage.text(for: source.publicKey, context.settings.messageForm)
  request.sourceKey = userKey
  request.sourceKey.device = try source.withID(in: account, sandbox)
  request.destination = destination
  request.requestedAt = context.now
  request.expiresAt = context.now + TwoFactorAuth.lifetime
  try request.insert(in: sandbox)
  try request.source.linkPushToken(of: context.app, in: sandbox)
  try request.ask(in: sandbox)
  let token = Token(
    .ephemeral, of: account.id, subject: request.id, app: context.app,
    until: request.tokenExpiresAt, in: sandbox
  ).text(in: sandbox)
  return context.response { json in
    json.object("twoFactorAuth") { request.write(to: &$0, at: context.now) }
    json.member("ephemeralAccessToken", token)
  }
}

/// `PUT /device/v1/2fa/:id`
func retryTwoFactorAuth(_ context: RequestContext, _ caller: Caller) throws -> Response {
  var request = try context.twoFactorAuth(ofSource: caller)
  let sandbox = context.sandbox
  let id = try context.body.value("destDeviceId", .string(1...255))
  try request.requirePending(at: context.now)
  let devices = try Account.find(request.account, in: sandbox)?.devices(in: sandbox) ?? []
  guard let device = devices.first(where: { $0.device?.id == id })?.device,
    device.publicKey.lowercased() != request.source.publicKey.lowercased()
  else {
    throw APIError(.deviceNotFound).because("destDeviceId: no other device of \(request.email) has this id")
  }
  guard device.id != request.destination.id else {
    throw APIError.invalid("destDeviceId", expected: "another device than the present destination")
  }
  request.destination = device
  if context.settings.retryExtends { request.expiresAt = context.now + TwoFactorAuth.lifetime }
  try request.save(in: sandbox)
  try request.withdrawQuestion(in: sandbox)
  try request.ask(in: sandbox)
  return context.response(request)
}

/// `POST /auth/v1/signin/2fa/finish`
func finishTwoFactorAuth(_ context: RequestContext, _ caller: Caller) throws -> Response {
  let id = try context.body.value("twoFactorAuthRequestId", .string(1...255))
  var request = try context.twoFactorAuth(id, ofSource: caller)
  switch request.state(at: context.now) {
  case .approved: break
  case .pending: throw APIError(.twoFactorAuthPending).because("\(id) has no answer yet")
  case .denied: throw APIError(.twoFactorAuthDenied).because("\(id) was denied")
  case .expired: throw request.expiredError
  case .finished: throw APIError(.twoFactorAuthAlreadyFinished).because("\(id) was finished before")
  }
  guard let account = try Account.find(request.account, in: context.sandbox),
    let key = try Key.find(request.source.publicKey, of: account.id, in: context.sandbox)
  else { throw APIError(.keyNotFound).because("the new key was revoked") }
  request.isFinished = true
  try request.save(in: context.sandbox)
  let transaction = request.transaction.map { Transaction(id: $0, chain: request.chain) }
  return try context.signedIn(Session(account: account, key: key), transaction)
}

extension Account {
  /// The device that is asked: a preferred one, else the one whose key was used last. It has a push token and
  /// is not the source. Source: contract 6.
  fileprivate func destination(for source: UserDevice, in sandbox: Sandbox) throws -> UserDevice? {
    let candidates = try devices(in: sandbox).filter { key in
      key.publicKey.lowercased() != source.publicKey.lowercased() && key.device?.pushToken.isEmpty == false
    }
    let preferred = candidates.filter(\.isPreferred)
    return (preferred.isEmpty ? candidates : preferred)
      .max { ($0.lastUsedAt, $0.index) < ($1.lastUsedAt, $1.index) }?.device
  }
}

extension TwoFactorAuth {
  /// Ends a pending request, because its source device asks again. Source: contract 6.
  fileprivate func replace(in sandbox: Sandbox) throws {
    guard state(at: sandbox.clock.now) == .pending else { return }
    var ended = self
    ended.expiresAt = sandbox.clock.now
    try ended.save(in: sandbox)
    try withdrawQuestion(in: sandbox)
  }

  var expiredError: APIError {
    APIError(.twoFactorAuthExpired).because("\(id) expired at \(expiresAt.iso8601Milliseconds)")
  }

  /// Fails with 409 for an answered request, 400 for an expired one.
  func requirePending(at now: Timestamp) throws(APIError) {
    switch state(at: now) {
    case .pending: return
    case .expired: throw expiredError
    case .approved, .denied, .finished:
      throw APIError(.twoFactorAuthAlreadyResolved).because("\(id) is \(state(at: now).rawValue)")
    }
  }
}

extension RequestContext {
  /// A success with a request for approval.
  func response(_ request: TwoFactorAuth) -> Response {
    response { json in
      json.object("twoFactorAuth") { request.write(to: &$0, at: now, showsExpired: platform == nil) }
    }
  }

  /// The request for approval with an id, the one of the path by default, if its source calls.
  fileprivate func twoFactorAuth(_ id: String? = nil, ofSource caller: Caller) throws -> TwoFactorAuth {
    let request = try twoFactorAuth(id ?? self.request[parameter: "id"], for: caller)
    if case .device(let session) = caller,
      session.key.publicKey.lowercased() != request.source.publicKey.lowercased()
    {
      throw APIError(.notSourceDevice).because("signed in as another device than the source of \(request.id)")
    }
    return request
  }

  /// The request for approval with an id, if the caller is its source or a device of its account.
  ///
  /// One SDK sends the ephemeral token with one request only, so a request without a token comes from the
  /// source if the token was seen before. Source: contract 1.
  func twoFactorAuth(_ id: String, for caller: Caller) throws -> TwoFactorAuth {
    func unknown(_ why: String) -> APIError { APIError(.twoFactorAuthNotFound).because(why) }
    guard var found = try TwoFactorAuth.find(id, in: sandbox) else { throw unknown("no request \(id)") }
    switch caller {
    case .device(let session):
      guard found.account == session.account.id else {
        throw unknown("\(id) belongs to another account than \(session.account.email)'s")
      }
    case .source(let reference):
      guard reference.id == id else { throw unknown("the ephemeral token belongs to \(reference.id)") }
      guard now < found.tokenExpiresAt else {
        throw APIError(.tokenExpired).because("it expired at \(found.tokenExpiresAt.iso8601)")
      }
      if !found.isTokenSeen {
        found.isTokenSeen = true
        try found.save(in: sandbox)
      }
    case .nobody:
      guard found.isTokenSeen, found.app.id == app.id else {
        throw APIError(.invalidToken).because("no bearer token, and none came before for \(id)")
      }
    }
    return found
  }
}
