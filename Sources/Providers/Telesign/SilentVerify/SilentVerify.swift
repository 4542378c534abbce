import ProviderKit

// Silent Verify as a product of its own: a phone opens a URL over mobile data, and the text that it gets
// there proves its number.
//
// The provider's URL is not public. The sandbox's leads through the operator's gateway, which identifies the
// phone: by its address, by what the handset or a trial declares, or, if nothing is known, by the claimed
// number (the gateway's mode). So a plain client that follows redirects counts as the right phone. Source:
// contract 6; `carrier.md` 4.5.

func initiateSilent(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  guard let digits = try body.text("phone_number") else {
    throw APIError.invalidRequest(in: context.format).because("phone_number: missing")
  }
  let metadata = try RequestMetadata(body, in: context.format)
  let number = try ParsedNumber.toSendTo(digits, in: context)
  try AccountRules(context).checkSending(to: number)
  try SilentVerification.checkCoverage(of: number, in: context)
  let verification = try SilentVerification.start(with: number, metadata.externalID, context)
  return .json(200) { json in
    json.member("reference_id", verification.reference)
    json.member("external_id", metadata.externalID)
    json.object("verification") { verification.writeInstructions(to: &$0) }
    verification.writeInstructions(to: &json)
    context.writeStatus(4501, to: &json)
  }
}

func finalizeSilent(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  guard let reference = try body.text("initiate_reference_id") else {
    throw APIError.invalidRequest(in: context.format)
      .because("initiate_reference_id: missing; expected the reference_id of an initiation")
  }
  guard let proof = try body.text("verification") else { throw APIError(40004, in: context.format) }
  guard let verification = try SilentVerification.find(reference, in: context.sandbox),
    verification.customer == context.customer
  else { throw APIError(10011, in: context.format) }
  let isProven = try verification.provesNumber(with: proof, at: context.sandbox.clock.now)
  return .json(200) { json in
    json.member("reference_id", verification.reference)
    json.member("external_id", verification.externalID)
    context.writeStatus(isProven ? 4501 : 4502, to: &json)
  }
}

/// The URL of a verification; its token is the reference id.
enum SilentVerifyURL: SilentHops {
  static let provider = TelesignProvider.name
  static let path = "/handset/telesign/silent"
  static let operations = (first: "openSilentVerification", last: "completeSilentVerification")

  static func session(_ reference: String, in sandbox: Sandbox) throws -> SilentSession? {
    try SilentVerification.session(of: reference, in: sandbox)
  }

  static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) -> Response {
    plainText(404, "There is no such verification.")
  }

  /// The text for the app, which sends it to its back end to finalize. The response is the same whether the
  /// number is proven or not.
  static func response(to handset: SilentReturn, in sandbox: Sandbox) -> Response {
    plainText(200, SilentVerification.proof(of: handset.verdict, for: handset.session, in: sandbox))
  }
}
