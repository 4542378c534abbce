import Domain
import HTTP
import ProviderKit

// Silent Network Auth, channel `sna`: the URL that a phone opens over mobile data. Source: contract 5.
//
// The vendor's own URL is not public; where it leads is the sandbox's.

var silentRoutes: [Route<Sandbox>] {
  [
    .get("/handset/twilio/sna/{token}", as: "openSilentURL", openSilentURL),
    .post("/handset/twilio/sna/{token}", as: "postSilentURL", openSilentURL),
    .get("/handset/twilio/sna/{token}/complete", as: "completeSilentURL", completeSilentURL),
  ]
}

/// Hop 0: on to the operator's gateway, or the end of an URL that is over.
func openSilentURL(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let simulated = try simulation(request)
  guard let session = try sandbox.silentSessions.open(request[parameter: "token"]),
    session.draft.provider == TwilioProvider.name
  else { return silentAnswer(.unknown) }
  switch session.status(at: sandbox.clock.now) {
  case .expired: return silentAnswer(.expired)
  case .used: return silentAnswer(.used)
  case .live: break
  }
  let url = try sandbox.gateway.url(of: session, query: request.carriedQuery + simulated)
  var response = Response(302, headers: ["Location": url, "Cache-Control": "no-store"])
  response.closesConnection = true
  return response
}

/// Hop 2: what the phone is told of what the operator has found.
func completeSilentURL(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let query = try request.query
  query.declare(["state", "error", "sbx_handset", "sbx_bearer", "sbx_outcome", "sbx_delay"])
  let token = request[parameter: "token"]
  guard let session = try sandbox.silentSessions.find(token), session.draft.provider == TwilioProvider.name
  else {
    return silentAnswer(.unknown)
  }
  let verdict = try sandbox.silentSessions.finish(token, grant: query["grant"])
  guard verdict == .matched else { return silentAnswer(verdict) }
  var text = "ErrorCode=0&ErrorDescription=Success"
  text += "&Carrier=\(try sandbox.subscribers[session.draft.number].operatorName)"
  if let clientToken = SilentDetails(session).clientToken(of: session, in: sandbox) {
    text += "&SnaClientToken=\(clientToken)"
  }
  return silentText(text)
}

/// The text for a chain that did not end well.
private func silentAnswer(_ verdict: SilentVerdict) -> Response {
  let words = verdict.silentWords
  return silentText("ErrorCode=\(words.number)&ErrorDescription=\(words.text)")
}

private func silentText(_ text: String) -> Response {
  var response = Response(
    200, headers: ["Content-Type": "text/plain", "Cache-Control": "no-store"], body: Array(text.utf8))
  response.closesConnection = true
  return response
}

/// `?simulate=…`: lets a browser at a desk play any phone. Source: contract 5, the sandbox's extra.
private func simulation(_ request: Request) throws -> String {
  guard let word = try request.query["simulate"] else { return "" }
  guard let outcome = simulations[word] else { throw Problem.invalid("simulate", value: word) }
  return "&sbx_outcome=\(outcome.rawValue)"
}

private let simulations: [String: SilentOutcome] = [
  "success": .match, "mismatch": .mismatch, "wifi": .notMobile, "unsupported": .noCoverage,
  "timeout": .timeout,
]

/// What is kept with a silent session.
struct SilentDetails: Equatable {
  /// Whether a check must repeat the token that the URL's answer carries.
  let needsClientToken: Bool

  init(needsClientToken: Bool) { self.needsClientToken = needsClientToken }

  init(_ session: SilentSession) { needsClientToken = session.draft.details == Self.withToken }

  /// As the core keeps them.
  var encoded: String { needsClientToken ? Self.withToken : "{}" }

  /// The token, where one is needed.
  func clientToken(of session: SilentSession, in sandbox: Sandbox) -> String? {
    guard needsClientToken else { return nil }
    return sandbox.entropy.identifier("SnaClientToken", session.draft.verification, session.draft.attempt)
  }

  private static let withToken = #"{"clientToken":true}"#
}

extension Call {
  /// Gives the newest sending of a verification its URL, where it is a silent one.
  func mintSilentURL(for verification: Verification, _ form: VerificationForm) throws {
    guard verification.channel == .silent, let number = PhoneNumber(verification.claim.destination) else {
      return
    }
    let base = sandbox.baseURL(requestOrigin: request.origin)
    var draft = SilentSession.Draft(
      provider: TwilioProvider.name, number: number, verification: verification.ordinal,
      lifetime: silentLifetime, singleUse: true,
      returnURL: "\(base)/handset/twilio/sna/{token}/complete")
    draft.attempt = verification.attempts.all.count
    draft.details = SilentDetails(needsClientToken: form.needsClientToken).encoded
    _ = try sandbox.silentSessions.create(draft)
  }

  /// The URL of a verification's newest silent sending; nil where its newest is no such one.
  func silentURL(of verification: Verification) throws -> String? {
    guard verification.channel == .silent,
      let session = try sandbox.silentSessions.all(of: verification.ordinal).last
    else { return nil }
    return String(session.draft.returnURL.dropLast("/complete".count))
  }
}

/// How long the URL can be opened. Source: contract 5.
fileprivate let silentLifetime = Duration.seconds(600)
