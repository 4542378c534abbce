import Domain
import HTTP
import JSON
import ProviderKit

// The first and the last hop of a silent verification. The operator's gateway is between them.
// Source: contract 14.5. The vendor does not publish its own hops: these are the sandbox's.

/// The first hop: always redirects, so that every SDK goes on.
func startSilent(_ request: Request, in sandbox: Sandbox) throws -> Reply {
  guard let session = try sandbox.silentSessions.open(request[parameter: "token"]),
    session.draft.provider == PreludeProvider.name
  else {
    throw APIError(.notFound, "there is no such silent verification")
      .stamped(at: sandbox.clock.now, requestID: newRequestID(in: sandbox)).closingConnection
  }
  let settings = try Settings.current(in: sandbox)
  let delay =
    request.requestedDelay == nil && settings.silentDelayMs > 0 ? "&sbx_delay=\(settings.silentDelayMs)" : ""
  let location = try sandbox.gateway.url(of: session, query: request.sandboxQuery + delay)
  var redirect = Response(Status(settings.silentRedirect) ?? 302, headers: ["Location": location])
  for quirk in settings.silentQuirks.compactMap(SDKQuirk.init) {
    redirect.headers.add(quirk.name, quirk.value)
  }
  return reply(redirect, to: request, settings)
}

/// The last hop: the code, or the reason for the failure. Failures are 200 too, without the member `code`.
func completeSilent(_ request: Request, in sandbox: Sandbox) throws -> Reply {
  reply(try completion(of: request, in: sandbox), to: request, try Settings.current(in: sandbox))
}

private func completion(of request: Request, in sandbox: Sandbox) throws -> Response {
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
    try enqueueSilentStatus(verdict == .matched ? .delivered : .undeliverable, of: session, in: sandbox)
  }
  guard verdict == .matched else { return failure(reason(for: verdict)) }
  let details = try SilentSessionDetails(session.draft.details)
  if details.isGarbled { return Response(200, headers: ["Content-Type": "text/html"], body: garbage) }
  let code = try sandbox.verifications.revealCode(
    ofAttempt: session.draft.attempt, of: session.draft.verification, length: details.codeSize)
  guard let code else { return failure("expired") }
  return .json(200, JSONWriter.object { $0.member("code", code) })
}

private let garbage = Array("<!doctype html><title>Error</title><h1>Something went wrong</h1>".utf8)

private func failure(_ reason: String) -> Response {
  .json(
    200,
    JSONWriter.object { json in
      json.member("status", "failure")
      json.member("reason", reason)
    })
}

/// The sandbox's own names. Source: contract 14.5.
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

/// Delays the response as configured, and closes the connection, since SDKs may read until it ends.
/// Source: contract 14.4 and 14.5.
private func reply(_ response: Response, to request: Request, _ settings: Settings) -> Reply {
  var response = response
  response.headers.add("Cache-Control", "no-store")
  response.closesConnection = true
  let delay = request.requestedDelay ?? .milliseconds(settings.silentDelayMs)
  return delay > .zero ? .after(delay, response) : .now(response)
}
