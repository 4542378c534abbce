import ProviderKit

/// A request of a back end about a subscriber, who may have to decide on the handset (OpenID CIBA).
/// Source: contract 3.5.
struct BackchannelRequest: StoredRecord, Equatable {
  enum State: String, CaseIterable, Sendable {
    case pending
    case approved
    case denied
    /// The tokens were fetched.
    case used
  }

  var id = ""
  var clientID = ""
  var scope = Scope()
  var number: PhoneNumber?
  var method = Authorization.Method.number
  var state = State.pending
  var expiresAt = Timestamp.earliest
  /// The least time between two polls, in seconds.
  var interval = 2
  var polledAt: Timestamp?

  private static let schema = Schema<BackchannelRequest>([
    .required("id", \.id, .string),
    .required("client", \.clientID, .string),
    .nested("scope", \.scope, Scope.schema),
    .optional("number", \.number, .phoneNumber),
    .required("method", \.method, .word),
    .required("state", \.state, .word),
    .required("expiresAt", \.expiresAt, .timestamp),
    .required("interval", \.interval, .count),
    .optional("polledAt", \.polledAt, .timestamp),
  ])

  var key: String { id }
  static let table = RecordTable("backchannel request", of: CAMARAProvider.name, schema) {
    BackchannelRequest()
  }

  /// Older ones are deleted.
  private static let limitPerClient = 1_000

  /// `ordinal`: what the id is made from.
  fileprivate mutating func create(in sandbox: Sandbox) throws {
    let ordinal = sandbox.nextOrdinal()
    id = sandbox.tokenEntropy.identifier("backchannel request", ordinal)
    try Self.table.add(
      self, as: id, group: clientID, ordinal: ordinal, keeping: Self.limitPerClient, in: sandbox)
  }
}

/// `POST /oauth2/bc-authorize`
func startBackchannel(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let context = try OAuthContext(request, in: sandbox)
  let (client, signIn) = try SignIn.client(of: context, for: .ciba)
  let isLenient = signIn.isLenient
  let parameters = try AuthorizationRequest.Parameters(context, client, isBackchannel: true)
  for name in ["login_hint_token", "id_token_hint"] where try parameters.text(name) != nil {
    throw OAuthError(.invalidRequest, "The only hint is login_hint.").because("\(name) is not supported")
  }
  var pending = BackchannelRequest()
  pending.clientID = client.id
  let wanted = [try parameters.text("scope"), isLenient ? try parameters.text("purpose") : nil].compactMap(
    \.self)
  guard !wanted.isEmpty else { throw OAuthError.missing("scope") }
  pending.scope = try Scope(
    wanted.joined(separator: " "), of: client, context.settings, isLenient: isLenient)
  if !isLenient { try pending.scope.requirePurpose() }
  try parameters.requireOpenID(pending.scope)
  guard let text = try parameters.text("login_hint") else { throw OAuthError.missing("login_hint") }
  guard let hint = isLenient ? Dialects.loginHint(text) : LoginHint(text) else {
    throw OAuthError.invalid("login_hint", expected: "tel:, ipport: or operatortoken: and a value")
  }
  guard let (number, method) = try hint.subscriber(context.settings, in: sandbox) else {
    throw OAuthError(.unknownUserID, "The login_hint matches no subscriber.")
  }
  (pending.number, pending.method) = (number, method)
  pending.expiresAt = context.now + .seconds(context.settings.cibaExpires)
  pending.interval = context.settings.cibaInterval
  let answer = try Permission.answer(of: number, to: pending.scope, in: sandbox)
  pending.state = answer.state
  try pending.create(in: sandbox)
  if answer == .unknown { try pending.ask(number, for: .seconds(context.settings.cibaExpires), in: sandbox) }
  return OAuthContext.response { [pending] json in
    json.member("auth_req_id", pending.id)
    json.member("expires_in", context.settings.cibaExpires)
    json.member("interval", pending.interval)
  }
}

extension Consent.Answer {
  fileprivate var state: BackchannelRequest.State {
    switch self {
    case .granted: .approved
    case .unknown: .pending
    case .denied: .denied
    }
  }
}

extension BackchannelRequest {
  /// Asks the person on the handset, who also gets a text about it.
  fileprivate func ask(_ number: PhoneNumber, for lifetime: Duration, in sandbox: Sandbox) throws {
    let purpose = scope.purpose.map { String($0.dropFirst(Purpose.prefix.count)) } ?? "its service"
    let draft = MessageDraft(
      provider: CAMARAProvider.name, reference: id, channel: .sms, destination: number.description,
      sender: "Operator", text: "\(clientID) asks for data about your line, for \(purpose). Do you agree?",
      code: nil)
    try sandbox.messages.submit(draft, to: sandbox.subscribers[number])
    var challenge = Challenge.Draft(
      provider: CAMARAProvider.name, reference: id, holder: number.description, lifetime: lifetime)
    challenge.isKnownToApp = true
    _ = try sandbox.challenges.create(challenge)
  }

  /// The person has answered.
  static func decide(_ challenge: Challenge, in sandbox: Sandbox) throws {
    guard var request = try find(challenge.reference, in: sandbox), request.state == .pending,
      let answer = challenge.answer
    else { return }
    request.state = answer == .approve ? .approved : .denied
    try request.save(in: sandbox)
    if answer == .approve, let number = request.number {
      try Permission.grant(by: number, to: request.scope, in: sandbox)
    }
  }

  /// `grant_type=urn:openid:params:grant-type:ciba`: a poll.
  static func poll(_ context: OAuthContext) throws -> Response {
    let (client, signIn) = try SignIn.client(of: context, for: .ciba)
    let (sandbox, now) = (context.sandbox, context.now)
    guard var request = try find(context.required("auth_req_id"), in: sandbox),
      request.clientID == client.id
    else {
      throw OAuthError(.invalidGrant, "Unknown auth_req_id.").because(
        "no such request of client \(client.id)")
    }
    switch request.state {
    case .used: throw OAuthError(.invalidGrant, "The auth_req_id was used before.")
    case _ where now >= request.expiresAt: throw OAuthError(.expiredToken, "The auth_req_id has expired.")
    case .denied: throw OAuthError(.accessDenied, "The subscriber has not consented.")
    case .pending:
      let isEarly = request.polledAt.map { now < $0 + .seconds(request.interval) } ?? false
      if isEarly { request.interval += 5 }
      request.polledAt = now
      try request.save(in: sandbox)
      throw isEarly
        ? OAuthError(.slowDown, "Wait for \(request.interval) s between polls.")
        : OAuthError(.authorizationPending, "The subscriber has not decided yet.")
    case .approved: break
    }
    request.state = .used
    try request.save(in: sandbox)
    var authorization = Authorization()
    authorization.clientID = client.id
    authorization.scope = request.scope
    (authorization.number, authorization.method) = (request.number, request.method)
    guard try authorization.hasConsent(in: sandbox) else {
      throw OAuthError(.accessDenied, "The subscriber has withdrawn the consent.")
    }
    try authorization.create(as: sandbox.nextOrdinal(), in: sandbox)
    return try TokenResponse.issue(
      for: authorization, context, isLenient: signIn.isLenient, withIDToken: authorization.scope.isOpenID)
  }
}
