import ProviderKit

// Silent verification: a URL that the phone opens over mobile data. Source: contract 14.5.
//
// The provider does not publish its own URL: this one is the sandbox's, and leads through the operator's
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

  static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) throws -> Response {
    guard hop == .first else { return failure("invalid_token") }
    throw APIError(.notFound, "there is no such silent verification")
      .stamped(at: sandbox.clock.now, requestID: RequestContext.newID(in: sandbox)).closingConnection
  }

  static func response(to handset: SilentReturn, in sandbox: Sandbox) throws -> Response {
    let session = handset.session
    if handset.isFirst {
      let status: DeliveryStatus = handset.verdict == .matched ? .delivered : .undeliverable
      try VerifyEvent.enqueueSilentStatus(status, of: session, in: sandbox)
    }
    guard handset.verdict == .matched else { return failure(reason(for: handset.verdict)) }
    let details = try SilentDetails(session.draft.details)
    if details.isGarbled { return Response(200, headers: ["Content-Type": "text/html"], body: garbage) }
    let code = try sandbox.verifications.revealCode(
      ofAttempt: session.draft.attempt, of: session.draft.verification, length: details.codeSize)
    guard let code else { return failure("expired") }
    return .json(200) { $0.member("code", code) }
  }

  private static let garbage = Array("<!doctype html><title>Error</title><h1>Something went wrong</h1>".utf8)

  private static func failure(_ reason: String) -> Response {
    .json(200) { json in
      json.member("status", "failure")
      json.member("reason", reason)
    }
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
    self.init(
      codeSize: try fields.value("codeSize", .integer(4...8)), isGarbled: try fields.bool("garbled"))
  }

  var encoded: String {
    return JSONWriter.text { json in
      json.member("codeSize", codeSize)
      json.member("garbled", isGarbled)
    }
  }
}

struct SilentVerification {
  private let creation: VerificationCreation
  private let sandbox: Sandbox
  private let settings: Settings

  init(_ creation: VerificationCreation) {
    self.creation = creation
    sandbox = creation.context.sandbox
    settings = creation.context.settings
  }

  /// True if this attempt can be silent. A verification has at most one silent attempt. Source: contract
  /// 14.1.
  func isEligible() throws -> Bool { try obstacle() == nil }

  /// Why a client that has named a dispatch gets no silent verification; nil if it does, or has named none.
  func unmetWish() throws -> String? {
    guard let dispatch = creation.input.signals.dispatchID, !dispatch.isEmpty else { return nil }
    return try obstacle().map { "not silent: \($0)" }
  }

  private func obstacle() throws -> String? {
    guard let number = creation.target.number else { return "the target is no phone number" }
    if creation.pending?.attempts.all.contains(where: { $0.channel == .silent }) == true {
      return "the verification had its silent attempt"
    }
    if settings.silentNeedsDispatch, let problem = try problemOfDispatch() { return problem }
    return try isCovered(number)
      ? nil
      : "the number's operator, or its scenario, does not offer it (coversSilent, /control/docs/Carrier.md)"
  }

  /// Nil if the device has announced that it supports silent verification.
  private func problemOfDispatch() throws -> String? {
    guard let dispatch = try creation.input.signals.dispatch(in: sandbox),
      !dispatch.isExpired(settings, at: sandbox.clock.now)
    else { return "no signals of this dispatch_id have arrived, or they have expired" }
    guard dispatch.supportsSilent else {
      return "the app's SDK does not offer it (bit 0 of X-SDK-Implemented-Features)"
    }
    let isCellular = !settings.silentNeedsCellular || dispatch.isCellular(settings)
    return isCellular ? nil : "the signals did not come over mobile data (setting silentNeedsCellular)"
  }

  /// True if the scenario, or without one the subscriber's record, has an operator with silent verification.
  private func isCovered(_ number: PhoneNumber) throws -> Bool {
    if creation.scenario.supportsSilent { return true }
    guard creation.scenario == .success,
      try !TestScenario.isExplicit(in: creation.context.request, about: number, sandbox)
    else { return false }
    return try sandbox.subscribers.recorded(number)?.coversSilent ?? false
  }

  /// Creates the session of a silent attempt. The app gives the URL to the SDK.
  func createURL(for verification: Verification) throws -> String {
    guard let number = creation.target.number else {
      preconditionFailure("only numbers are verified silently")
    }
    var draft = SilentSession.Draft(
      provider: PreludeProvider.name, number: number, verification: verification.ordinal,
      lifetime: .seconds(settings.silentSeconds), singleUse: false,
      returnURL: SilentURL.returnURL(for: creation.context.request, in: sandbox),
      outcome: try outcome(for: number))
    draft.attempt = verification.attempts.count
    draft.details =
      SilentDetails(codeSize: creation.stored.codeSize, isGarbled: creation.scenario == .silentGarbage)
      .encoded
    return SilentURL.url(of: try sandbox.silentSessions.create(draft))
  }

  /// The outcome if a header or a seed's rule chooses the scenario. Otherwise the carrier decides, which
  /// knows the record and the last digits.
  private func outcome(for number: PhoneNumber) throws -> SilentOutcome? {
    let scenario = creation.scenario
    if scenario == .silentGarbage { return .match }
    guard try TestScenario.isExplicit(in: creation.context.request, about: number, sandbox) else {
      return nil
    }
    return scenario == .silent ? .match : scenario.silentOutcome
  }
}
