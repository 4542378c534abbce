import Domain
import HTTP
import JSON
import ProviderKit

// Silent Verify by itself: a phone opens a URL over mobile data, and what it is given there proves its number.
//
// The vendor's own URL is not public. Here it leads through the operator's gateway, which tells who asks by the
// carrier's facts: the phone's address, what a handset or a trial says of itself, or, where nothing is said, by the
// number that is claimed (the gateway's mode). So a plain client that follows redirects is taken for the right phone.
// Source: contract 6; `carrier.md` 4.5.

var silentRoutes: [Route<Sandbox>] {
  [
    route(.post, "/silent/initiate", as: "initiateSilent", of: .silent, initiateSilent),
    route(.post, "/silent/finalize", as: "finalizeSilent", of: .silent, finalizeSilent),
    .get("/handset/telesign/silent/{id}", as: "openSilentVerification", openSilentVerification),
    .get(
      "/handset/telesign/silent/{id}/complete", as: "completeSilentVerification",
      completeSilentVerification),
  ]
}

/// `POST /silent/initiate`
func initiateSilent(_ call: Call) throws -> Response {
  let submission = try Submission(call.request)
  guard let digits = try submission.text("phone_number") else {
    throw Problem.invalidRequest(in: call.family).because("phone_number: expected a phone number")
  }
  let circumstances = try Circumstances(submission, in: call.family)
  let number = try call.number(digits)
  try call.admitSending(to: number)
  try call.admitSilent(number)
  let verification = try SilentVerification.begin(with: number, circumstances.externalID, call)
  return call.answer { json in
    json.member("reference_id", verification.reference)
    json.member("external_id", circumstances.externalID)
    json.object("verification") { verification.writeRequest(to: &$0) }
    verification.writeRequest(to: &json)
    call.writeStatus(4501, to: &json)
  }
}

/// `POST /silent/finalize`
func finalizeSilent(_ call: Call) throws -> Response {
  let submission = try Submission(call.request)
  guard let reference = try submission.text("initiate_reference_id") else {
    throw Problem.invalidRequest(in: call.family)
      .because("initiate_reference_id: expected the reference_id of an initiation")
  }
  guard let proof = try submission.text("verification") else { throw Problem(40004, in: call.family) }
  guard let verification = try SilentVerification.find(reference, in: call.sandbox),
    verification.customer == call.customer
  else { throw Problem(10011, in: call.family) }
  let isProven = try verification.isProven(by: proof, at: call.sandbox.clock.now)
  return call.answer { json in
    json.member("reference_id", verification.reference)
    json.member("external_id", verification.externalID)
    call.writeStatus(isProven ? 4501 : 4502, to: &json)
  }
}

/// `GET /handset/telesign/silent/{id}`: on to the operator's gateway.
func openSilentVerification(_ request: Request, in sandbox: Sandbox) throws -> Response {
  guard let verification = try SilentVerification.find(request[parameter: "id"], in: sandbox),
    let session = try sandbox.silentSessions.open(verification.session.token)
  else { return noVerification }
  let url = try sandbox.gateway.url(of: session, query: request.carriedQuery)
  return hop(Response(302, headers: ["Location": url]))
}

/// `GET /handset/telesign/silent/{id}/complete`: what the phone gives to its app, and the app to finalize. It says
/// nothing by itself, be the number proven or not.
func completeSilentVerification(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let query = try request.query
  query.declare(["grant", "state", "error", "sbx_handset", "sbx_bearer", "sbx_outcome"])
  guard let verification = try SilentVerification.find(request[parameter: "id"], in: sandbox) else {
    return noVerification
  }
  let verdict = try sandbox.silentSessions.finish(verification.session.token, grant: query["grant"])
  return text(200, verification.proof(of: verdict))
}

private var noVerification: Response { text(404, "There is no such verification.") }

private func text(_ status: Status, _ text: String) -> Response {
  hop(Response(status, headers: ["Content-Type": "text/plain"], body: Array(text.utf8)))
}

/// An answer that a raw socket can read to its end. Source: `carrier.md` 4.5.
private func hop(_ response: Response) -> Response {
  var response = response
  response.headers.add("Cache-Control", "no-store")
  response.closesConnection = true
  return response
}
