import Domain
import HTTP
import JSON
import ProviderKit

// Silent verification: a URL that the phone opens over mobile data. Source: contract 14.5.
//
// The vendor does not publish its own URL: this one is the sandbox's, and leads through the operator's
// gateway.

/// The first hop always redirects, so that every SDK goes on. The last one responds with the code, or with
/// the reason for the failure. Failures are 200 too, without the member `code`.
enum SilentURL: SilentHops {
  static let provider = PreludeProvider.name
  static let path = "/silent/v1"
  static let operations = (first: "startSilent", last: "completeSilent")

  static func delay(in sandbox: Sandbox) throws -> Duration {
    .milliseconds(try Settings.current(in: sandbox).silentDelayMs)
  }

  static func redirect(for request: Request, in sandbox: Sandbox) throws -> SilentRedirect {
    let settings = try Settings.current(in: sandbox)
    var redirect = SilentRedirect()
    redirect.status = Status(settings.silentRedirect) ?? redirect.status
    for quirk in settings.silentQuirks.compactMap(SDKQuirk.init) {
      redirect.headers.add(quirk.name, quirk.value)
    }
    return redirect
  }

  static func unknownSession(on hop: SilentHop, in sandbox: Sandbox) throws -> Response {
    guard hop == .first else { return failure("invalid_token") }
    throw APIError(.notFound, "there is no such silent verification")
      .stamped(at: sandbox.clock.now, requestID: newRequestID(in: sandbox)).closingConnection
  }

  static func response(to handset: SilentReturn, in sandbox: Sandbox) throws -> Response {
    let session = handset.session
    if handset.isFirst {
      let status: DeliveryStatus = handset.verdict == .matched ? .delivered : .undeliverable
      try enqueueSilentStatus(status, of: session, in: sandbox)
    }
    guard handset.verdict == .matched else { return failure(reason(for: handset.verdict)) }
    let details = try SilentDetails(session.draft.details)
    if details.isGarbled { return Response(200, headers: ["Content-Type": "text/html"], body: garbage) }
    let code = try sandbox.verifications.revealCode(
      ofAttempt: session.draft.attempt, of: session.draft.verification, length: details.codeSize)
    guard let code else { return failure("expired") }
    return .json(200, JSONWriter.object { $0.member("code", code) })
  }

  private static let garbage = Array("<!doctype html><title>Error</title><h1>Something went wrong</h1>".utf8)

  private static func failure(_ reason: String) -> Response {
    .json(
      200,
      JSONWriter.object { json in
        json.member("status", "failure")
        json.member("reason", reason)
      })
  }

  /// The sandbox's own names. Source: contract 14.5.
  private static func reason(for verdict: SilentVerdict) -> String {
    switch verdict {
    case .mismatched: "phone_number_mismatch"
    case .notMobile: "not_cellular"
    case .noCoverage, .carrierError: "carrier_unavailable"
    case .denied: "user_not_found"
    case .expired, .used: "expired"
    case .unknown, .matched: "invalid_token"
    }
  }
}

/// What is stored with a silent session for this provider only, as a JSON object.
private struct SilentDetails {
  let codeSize: Int
  /// True if the last hop should respond with a page that no SDK understands.
  let isGarbled: Bool

  init(codeSize: Int, isGarbled: Bool) {
    self.codeSize = codeSize
    self.isGarbled = isGarbled
  }

  init(_ details: String) throws {
    let fields = try Fields(Array(details.utf8))
    self.init(codeSize: try fields.int("codeSize"), isGarbled: try fields.bool("garbled"))
  }

  var encoded: String {
    let bytes = JSONWriter.object { json in
      json.member("codeSize", codeSize)
      json.member("garbled", isGarbled)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension VerificationCreation {
  /// Source: contract 4.3.
  func isDispatchExpired() throws -> Bool {
    try dispatch()?.isExpired(context.settings, at: context.sandbox.clock.now) ?? false
  }

  /// True if this attempt can be silent. A verification has at most one silent attempt. Source: contract
  /// 14.1.
  func isSilentEligible() throws -> Bool {
    guard target.number != nil, scenario.supportsSilent,
      pending?.attempts.all.contains(where: { $0.channel == .silent }) != true
    else { return false }
    guard context.settings.silentNeedsDispatch else { return true }
    guard let dispatch = try dispatch(),
      !dispatch.isExpired(context.settings, at: context.sandbox.clock.now)
    else { return false }
    return dispatch.supportsSilent
      && (!context.settings.silentNeedsCellular || dispatch.isCellular(context.settings))
  }

  /// Creates the session of a silent attempt. The app gives the URL to the SDK.
  func createSilentURL(for verification: Verification) throws -> String {
    guard let number = target.number else { preconditionFailure("only numbers are verified silently") }
    var draft = SilentSession.Draft(
      provider: PreludeProvider.name, number: number, verification: verification.ordinal,
      lifetime: .seconds(context.settings.silentSeconds), singleUse: false,
      returnURL: SilentURL.returnURL(for: context.request, in: context.sandbox),
      outcome: silentOutcome(for: number))
    draft.attempt = verification.attempts.all.count
    draft.details =
      SilentDetails(codeSize: stored.codeSize, isGarbled: scenario == .silentGarbage).encoded
    return SilentURL.url(of: try context.sandbox.silentSessions.create(draft))
  }

  /// The outcome if a header or a seed's rule chooses the scenario. For scenarios of the last digits the
  /// carrier decides.
  private func silentOutcome(for number: PhoneNumber) -> SilentOutcome? {
    if scenario == .silentGarbage { return .match }
    guard TestScenario(lastDigitsOf: number) != scenario else { return nil }
    return scenario == .silent ? .match : scenario.silentOutcome
  }

  private func dispatch() throws -> SignalsDispatch? {
    try input.signals.dispatch(in: context.sandbox)
  }
}
