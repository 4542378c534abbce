import Domain
import HTTP
import JSON
import ProviderKit

// The method `silent` of a verification: an app reports how its own proof fared, or walks the sandbox's chain
// over mobile data. Source: contract 6, end; the chain is the sandbox's own, `carrier.md` 4.5.

var silentStepRoutes: [Route<Sandbox>] {
  [
    handsetRoute(
      .post, "/handset/telesign/v1/verifications/{reference_id}/silent", as: "reportSilent", reportSilent),
    handsetRoute(
      .get, "/handset/telesign/v1/verifications/{reference_id}/silent", as: "offerSilent", offerSilent),
    .get("/handset/telesign/v1/silent/{token}", as: "startSilentStep", startSilentStep),
    .get("/handset/telesign/v1/silent/{token}/complete", as: "completeSilentStep", completeSilentStep),
  ]
}

/// How an app's own proof fared.
private enum SilentReport: String, CaseIterable {
  case match
  case mismatch
  case unreachable
}

/// Takes an app's word.
func reportSilent(_ call: HandsetCall) throws -> Response {
  let fields = try call.request.json
  guard let report = SilentReport(rawValue: try fields.string("result")) else {
    throw fields.mismatch("result", expected: "one of match, mismatch, unreachable")
  }
  let step = try call.step(over: .silent)
  let code = try settle(report, step, of: call.verification, in: call.sandbox)
  let state = try call.state()
  return call.answer(code) { $0.member("state", state) }
}

/// Where an app walks the chain, as long as it is the method's turn.
func offerSilent(_ call: HandsetCall) throws -> Response {
  let step = try call.sandbox.fallbacks.markOngoing(call.step(over: .silent))
  guard let number = call.details.recipient.number, let end = step.endsAt else {
    throw Problem(3931, in: .omnichannel)
  }
  let base = "\(call.sandbox.baseURL(requestOrigin: call.request.origin))/handset/telesign/v1/silent"
  let session = try call.sandbox.silentSessions.create(
    SilentSession.Draft(
      provider: TelesignProvider.name, number: number.number, verification: call.verification.ordinal,
      lifetime: end - call.sandbox.clock.now, singleUse: true, returnURL: "\(base)/{token}/complete",
      outcome: number.ending == .silentMismatch ? .mismatch : nil))
  return call.answer(4501) { json in
    json.member("verification_url", "\(base)/\(session.token)")
    json.member("method", "GET")
    json.member("expected_response_code", 200)
  }
}

/// The first hop: on to the operator's gateway.
func startSilentStep(_ request: Request, in sandbox: Sandbox) throws -> Response {
  guard let session = try sandbox.silentSessions.open(request[parameter: "token"]),
    session.draft.provider == TelesignProvider.name
  else { throw Problem.unknownPath(in: .omnichannel).plain }
  return Response(
    302, headers: ["Location": try sandbox.gateway.url(of: session, query: request.carriedQuery)])
}

/// The last hop: what the gateway found decides the method.
func completeSilentStep(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let query = try request.query
  query.declare(["grant", "state", "error"])
  guard let session = try sandbox.silentSessions.find(request[parameter: "token"]),
    session.draft.provider == TelesignProvider.name,
    let verification = try sandbox.verifications.find(session.draft.verification),
    let step = try sandbox.fallbacks.activeStep(of: verification), step.channel == .silent
  else { throw Problem(3908, in: .omnichannel).plain.because("the method silent is not under way") }
  let report: SilentReport =
    switch try sandbox.silentSessions.finish(session.token, grant: query["grant"]) {
    case .matched: .match
    case .mismatched: .mismatch
    case .notMobile, .noCoverage, .carrierError, .denied: .unreachable
    case .expired, .used: throw Problem(3908, in: .omnichannel).plain
    case .unknown:
      throw Problem(3110, in: .omnichannel).plain.because("no such grant was given for this session")
    }
  let code = try settle(report, step, of: verification, in: sandbox)
  return .json(
    200,
    JSONWriter.object { json in
      json.object("status") { json in
        json.member("code", code)
        json.member("description", statusText(code))
      }
    })
}

/// A match verifies; anything else lets the next method begin. The code that says so.
private func settle(
  _ report: SilentReport, _ step: Step, of verification: Verification, in sandbox: Sandbox
) throws -> Int {
  switch report {
  case .match:
    _ = try sandbox.verifications.finish(verification, as: .approved)
    return 3900
  case .mismatch:
    try sandbox.fallbacks.fail(step, of: verification, for: .mismatched)
    return 4502
  case .unreachable:
    try sandbox.fallbacks.fail(step, of: verification, for: .unreachable)
    return 3115
  }
}
