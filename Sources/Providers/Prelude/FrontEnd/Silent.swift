import Domain
import HTTP
import JSON
import ProviderKit

// The hops of silent verification that are the vendor's: the first and the last. Between them stands the
// operator's gateway. Source: contract 14.5, which makes them up: the live service's are not public.

/// The first hop: always a redirect, so that every SDK goes on.
func startSilent(_ request: Request, in sandbox: Sandbox) throws -> Reply {
  guard let session = try sandbox.silentSessions.open(request[parameter: "token"]),
    session.draft.provider == PreludeProvider.name
  else {
    throw Problem(.notFound, "there is no such silent verification").signed(requestIdentifier(in: sandbox))
      .ending
  }
  let settings = try Settings.current(in: sandbox)
  let delay =
    request.saidDelay == nil && settings.silentDelayMs > 0 ? "&sbx_delay=\(settings.silentDelayMs)" : ""
  let location = try sandbox.gateway.url(of: session, query: request.carriedQuery + delay)
  var redirect = Response(Status(settings.silentRedirect) ?? 302, headers: ["Location": location])
  for quirk in settings.silentQuirks.compactMap(Quirk.init) { redirect.headers.add(quirk.name, quirk.value) }
  return hop(redirect, of: request, settings)
}

/// The last hop: the code, or why there is none. A failure is 200 as well, and has no member `code`.
func completeSilent(_ request: Request, in sandbox: Sandbox) throws -> Reply {
  hop(try conclusion(of: request, in: sandbox), of: request, try Settings.current(in: sandbox))
}

private func conclusion(of request: Request, in sandbox: Sandbox) throws -> Response {
  let token = request[parameter: "token"]
  let query = try request.query
  query.declare(["grant", "state", "sbx_delay"])
  guard let session = try sandbox.silentSessions.find(token), session.draft.provider == PreludeProvider.name
  else {
    return failure("invalid_token")
  }
  let verdict = try sandbox.silentSessions.finish(token, grant: query["grant"])
  let isFirst = try session.finishedAt == nil && sandbox.silentSessions.find(token)?.finishedAt != nil
  if isFirst {
    try tellSilent(verdict == .matched ? "delivered" : "undeliverable", of: session, in: sandbox)
  }
  guard verdict == .matched else { return failure(reason(for: verdict)) }
  let details = try SilentDetails(session.draft.details)
  if details.isGarbled { return Response(200, headers: ["Content-Type": "text/html"], body: page) }
  let code = try sandbox.verifications.revealCode(
    ofAttempt: session.draft.attempt, of: session.draft.verification, length: details.codeSize)
  guard let code else { return failure("expired") }
  return .json(200, JSONWriter.object { $0.member("code", code) })
}

/// What the session keeps of its verification.
struct SilentDetails {
  /// Digits of the code.
  let codeSize: Int
  /// Whether the last hop is to answer what no SDK understands.
  let isGarbled: Bool

  /// Details from their parts.
  init(codeSize: Int, isGarbled: Bool) {
    self.codeSize = codeSize
    self.isGarbled = isGarbled
  }

  /// Reads what `encoded` wrote.
  init(_ text: String) throws {
    let fields = try Fields(Array(text.utf8))
    self.init(codeSize: try fields.int("codeSize"), isGarbled: try fields.bool("garbled"))
  }

  /// As the session keeps it.
  var encoded: String {
    let bytes = JSONWriter.object { json in
      json.member("codeSize", codeSize)
      json.member("garbled", isGarbled)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

private let page = Array("<!doctype html><title>Error</title><h1>Something went wrong</h1>".utf8)

private func failure(_ reason: String) -> Response {
  .json(
    200,
    JSONWriter.object { json in
      json.member("status", "failure")
      json.member("reason", reason)
    })
}

/// The words of the sandbox. Source: contract 14.5.
private func reason(for verdict: SilentVerdict) -> String {
  switch verdict {
  case .mismatched: "phone_number_mismatch"
  case .notMobile: "not_cellular"
  case .noCoverage, .carrierError: "carrier_unavailable"
  case .denied: "user_not_found"
  case .expired, .used: "expired"
  case .unknown, .matched: "invalid_token"
  }
}

/// An answer that a raw socket can read to its end, as late as is wanted. Source: contract 14.4 and 14.5.
private func hop(_ response: Response, of request: Request, _ settings: Settings) -> Reply {
  var response = response
  response.headers.add("Cache-Control", "no-store")
  response.closesConnection = true
  let delay = request.saidDelay ?? .milliseconds(settings.silentDelayMs)
  return delay > .zero ? .after(delay, response) : .now(response)
}

extension Creation {
  /// Mints the session of a silent attempt; the URL that the app hands to the SDK.
  func mintSilentURL(for verification: Verification) throws -> String {
    guard let number = target.number else { preconditionFailure("only numbers are verified silently") }
    let base = call.sandbox.baseURL(requestOrigin: call.request.origin)
    var draft = SilentSession.Draft(
      provider: PreludeProvider.name, number: number, verification: verification.ordinal,
      lifetime: .seconds(call.settings.silentSeconds), singleUse: false,
      returnURL: "\(base)/silent/v1/{token}/complete", outcome: silentOutcome(for: number))
    draft.attempt = verification.attempts.all.count
    draft.details =
      SilentDetails(
        codeSize: window.codeSize, isGarbled: outcome == .silentGarbage
      ).encoded
    return "\(base)/silent/v1/\(try call.sandbox.silentSessions.create(draft).token)"
  }

  /// What is to come of the session where the request or a seed's rule says so; what follows from a number's
  /// end is the carrier's to say.
  private func silentOutcome(for number: PhoneNumber) -> SilentOutcome? {
    if outcome == .silentGarbage { return .match }
    guard Outcome(endingOf: number) != outcome else { return nil }
    return outcome == .silent ? .match : outcome.silentOutcome
  }
}
