import ProviderKit

// The front end: the network recognises the handset. Source: contract 3.4.
//
//   authorize ── 302 ──> the operator's gateway ── 302 ──> callback ── 302 ──> the client's URL
//                                                             └─> consent page ──┘

/// How long a handset may be on its way, and a person on the page.
private let sessionLifetime = Duration.seconds(600)

/// `GET /oauth2/authorize`, or POST with the same parameters as a form.
func authorize(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let context = try OAuthContext(request, in: sandbox)
  let client: Client
  let redirectURI: String
  do {
    (client, redirectURI) = try redirectTarget(context)
  } catch let error as OAuthError {
    return OperatorPage.problem(error)
  }
  do {
    // One aggregator's clients come here. They send neither PKCE nor a nonce.
    let isLenient = request.target.path != Endpoint.authorize.rawValue
    let wanted = try AuthorizationRequest(context, client, redirectURI: redirectURI, isLenient: isLenient)
    var draft = SilentSession.Draft(
      provider: CAMARAProvider.name, lifetime: sessionLifetime, singleUse: false,
      returnURL: context.pageURL("\(Endpoint.callback.rawValue)/{token}"))
    draft.number = wanted.hint
    draft.details = String(decoding: AuthorizationRequest.schema.encode(wanted), as: UTF8.self)
    var session = try sandbox.silentSessions.create(draft)
    try sandbox.silentSessions.open(&session)
    let url = try sandbox.gateway.url(of: session, query: request.sandboxQuery)
    return Response(302, headers: ["Location": url, "Cache-Control": "no-store"])
  } catch let error as OAuthError {
    let state = context.form["state"].map { [("state", $0)] } ?? []
    var response = AuthorizationRequest.redirect(
      to: redirectURI, [("error", error.error), ("error_description", error.description)] + state)
    response.why = error.why
    return response
  }
}

/// The client and one of its URLs. Without both, nobody may be redirected.
private func redirectTarget(_ context: OAuthContext) throws -> (Client, String) {
  let id = try context.required("client_id")
  guard let client = try Client.known(id, in: context.sandbox) else {
    throw OAuthError(.invalidRequest, "Unknown client.").because("no client \(id)")
  }
  let uri = try context.required("redirect_uri")
  guard client.redirectURIs.contains(where: { isRedirect(uri, to: $0) }) else {
    throw OAuthError(.invalidRequest, "The redirect_uri is not registered.")
      .because("client \(id) has the redirectUris \(client.redirectURIs.joined(separator: ", "))")
  }
  return (client, uri)
}

/// A native app listens on any port of the loopback address (RFC 8252, 7.3).
private func isRedirect(_ uri: String, to registered: String) -> Bool {
  if uri == registered { return true }
  guard let one = AbsoluteURL(uri), let other = AbsoluteURL(registered) else { return false }
  return one.host == "127.0.0.1" && other.host == one.host && !one.isSecure && !other.isSecure
    && one.userInformation == nil && one.target == other.target && !uri.contains("#")
}

/// `GET /oauth2/callback/{token}`: the handset returns from the gateway. A repetition has the same answer.
func finishAuthorization(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let query = try request.query
  query.declare(Request.sandboxFields + ["state", "error"])
  guard let (found, wanted) = try authorizationSession(of: request, in: sandbox) else {
    return OperatorPage.unknownSession
  }
  var session = found
  let verdict = try sandbox.silentSessions.finish(&session, grant: query["grant"])
  switch verdict {
  case .matched, .mismatched: break
  case .denied:
    return wanted.redirect(wanted.isSilent ? .consentRequired : .denied(by: "the subscriber"))
  case .carrierError: return wanted.redirect(.unavailable)
  case .notMobile, .noCoverage, .expired, .used, .unknown:
    return wanted.redirect(
      OAuthError(.accessDenied, "The network did not recognise the subscriber.").because("\(verdict)"))
  }
  guard let number = session.provenNumber(verdict) else {
    return wanted.redirect(OAuthError(.accessDenied, "The network did not recognise the subscriber."))
  }
  var answer = try Permission.answer(of: number, to: wanted.scope, in: sandbox)
  if wanted.asksAgain {
    let isDecided = try Authorization.find(Authorization.id(session.ordinal, in: sandbox), in: sandbox) != nil
    answer = isDecided ? .granted : .unknown
  }
  switch answer {
  case .granted: return try grant(wanted, session, number, in: sandbox)
  case .unknown where !wanted.isSilent:
    let context = try OAuthContext(request, in: sandbox)
    return Response(
      302, headers: ["Location": context.pageURL("\(Endpoint.consent.rawValue)/\(session.token)")])
  case .denied where !wanted.isSilent: return wanted.redirect(.denied(by: "the subscriber"))
  case .unknown, .denied: return wanted.redirect(.consentRequired)
  }
}

/// The session of the path, and what its client asked for.
private func authorizationSession(
  of request: Request, in sandbox: Sandbox
) throws -> (SilentSession, AuthorizationRequest)? {
  guard let session = try sandbox.silentSessions.find(request[parameter: "token"]),
    session.draft.provider == CAMARAProvider.name
  else { return nil }
  return (session, try AuthorizationRequest(stored: session.draft.details))
}

/// Redirects with the code of the session: always the same one.
private func grant(
  _ wanted: AuthorizationRequest, _ session: SilentSession, _ number: PhoneNumber, in sandbox: Sandbox
) throws -> Response {
  let id = Authorization.id(session.ordinal, in: sandbox)
  if try Authorization.find(id, in: sandbox) == nil {
    let lifetime = try Settings.current(in: sandbox).codeLifetime
    var authorization = Authorization()
    authorization.clientID = wanted.clientID
    authorization.scope = wanted.scope
    authorization.number = number
    authorization.method = .network
    authorization.nonce = wanted.nonce
    authorization.code = Authorization.Code(
      redirectURI: wanted.redirectURI, challenge: wanted.challenge,
      expiresAt: sandbox.clock.now + .seconds(lifetime), isLenient: wanted.isLenient)
    try authorization.create(as: session.ordinal, in: sandbox)
  }
  return wanted.redirect([("code", id)])
}

extension SilentSession {
  /// The number that the network tells. The scenario `mismatch` tells another one: by default the handset's
  /// with the last digit changed. Source: contract 3.4.
  fileprivate func provenNumber(_ verdict: SilentVerdict) -> PhoneNumber? {
    guard let handset = finding?.handset else { return nil }
    guard verdict == .mismatched, handset == draft.number ?? handset else { return handset }
    let (start, last) = (handset.description.dropLast(), handset.description.utf8.last ?? 0x30)
    return PhoneNumber("\(start)\((last - 0x30 + 1) % 10)")
  }
}

// MARK: The page of the operator

/// `GET /oauth2/consent/{token}`
func showConsent(_ request: Request, in sandbox: Sandbox) throws -> Response {
  guard let (session, wanted) = try authorizationSession(of: request, in: sandbox),
    session.isDecidable(at: sandbox)
  else { return OperatorPage.unknownSession }
  return OperatorPage.consent(
    of: wanted.clientID, to: wanted.scope.names, for: wanted.scope.purpose,
    path: request.prefix + request.target.path)
}

/// `POST /oauth2/consent/{token}`: the person has pressed a button.
func decideConsent(_ request: Request, in sandbox: Sandbox) throws -> Response {
  guard let (session, wanted) = try authorizationSession(of: request, in: sandbox),
    session.isDecidable(at: sandbox),
    let verdict = session.verdict, let number = session.provenNumber(verdict)
  else { return OperatorPage.unknownSession }
  switch try OAuthContext(request, in: sandbox).required("decision") {
  case "allow":
    try Permission.grant(by: number, to: wanted.scope, in: sandbox)
    return try grant(wanted, session, number, in: sandbox)
  case "deny": return wanted.redirect(.denied(by: "the subscriber"))
  default: throw OAuthError.invalid("decision", expected: "allow or deny")
  }
}

extension SilentSession {
  /// True if the handset has come back, and the session goes on.
  fileprivate func isDecidable(at sandbox: Sandbox) -> Bool {
    guard verdict == .matched || verdict == .mismatched else { return false }
    return status(at: sandbox.clock.now) == .live
  }
}

extension OAuthError {
  fileprivate static let consentRequired = OAuthError(
    .consentRequired, "The subscriber has not consented, and no page may be shown.")
  fileprivate static let unavailable = OAuthError(
    .temporarilyUnavailable, "The operator's network is out of order.")

  fileprivate static func denied(by whom: String) -> OAuthError {
    OAuthError(.accessDenied, "The request was denied.").because("denied by \(whom)")
  }
}
