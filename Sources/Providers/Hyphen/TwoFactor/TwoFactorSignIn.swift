import ProviderKit

// The source device: it asks for approval, may ask another device, and finishes. Source: contract 5.1, 5.2
// and 6.

/// `POST /auth/v1/signin/2fa`
func createTwoFactorAuth(_ context: RequestContext) throws -> Response {
  let (body, sandbox) = (try context.body, context.sandbox)
  let identity = try body.object("request")
  let user = try FirebaseIdentity(identity, in: sandbox)
  let chain = try Chain.named(in: identity, of: context)
  let userKey = try UserKey("userKey", in: body)
  guard let source = userKey.device, userKey.kind == .device else {
    throw APIError.invalid("userKey.type", expected: UserKey.Kind.device.rawValue)
  }
  let account = try Account.require(user, in: sandbox)
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
  request.address = host(of: context.request.peer)
  request.location = try Location.text(of: request.address, in: sandbox)
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
  return .json(200) { json in
    json.object("twoFactorAuth") { request.write(to: &$0, at: context.now) }
    json.member("ephemeralAccessToken", token)
  }
}

/// `PUT /device/v1/2fa/:id`
func retryTwoFactorAuth(_ context: RequestContext, _ caller: Caller) throws -> Response {
  var request = try findRequest(context.request[parameter: "id"], ofSource: caller, in: context)
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
  return request.response(to: context)
}

/// `POST /auth/v1/signin/2fa/finish`
func finishTwoFactorAuth(_ context: RequestContext, _ caller: Caller) throws -> Response {
  let id = try context.body.value("twoFactorAuthRequestId", .string(1...255))
  var request = try findRequest(id, ofSource: caller, in: context)
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
  return try SignIn(Session(account: account, key: key), transaction).response(to: context)
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
}

/// The request for approval with an id, if its source calls.
private func findRequest(
  _ id: String, ofSource caller: Caller, in context: RequestContext
) throws -> TwoFactorAuth {
  let request = try TwoFactorAuth.find(id, for: caller, of: context.app, in: context.sandbox)
  if case .device(let session) = caller,
    session.key.publicKey.lowercased() != request.source.publicKey.lowercased()
  {
    throw APIError(.notSourceDevice).because("signed in as another device than the source of \(request.id)")
  }
  return request
}

/// The host of a client's address, which has a port.
private func host(of peer: String) -> String {
  guard let colon = peer.utf8.lastIndex(of: UInt8(ascii: ":")) else {
    return peer.isEmpty ? "127.0.0.1" : peer
  }
  return String(decoding: peer.utf8[..<colon].filter { !"[]".utf8.contains($0) }, as: UTF8.self)
}
