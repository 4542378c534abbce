import ProviderKit

/// An initiated silent verification: a session of the carrier with a reference id. Source: contract 6.
struct SilentVerification {
  /// A UUID in lower case.
  let reference: String
  let customer: String
  /// The customer's own id for it.
  let externalID: String?
  let session: SilentSession
  private let sandbox: Sandbox

  static func start(with number: ParsedNumber, _ externalID: String?, _ context: RequestContext) throws
    -> SilentVerification
  {
    let sandbox = context.sandbox
    let ordinal = sandbox.nextOrdinal()
    let reference = reference(of: ordinal, in: sandbox)
    var draft = SilentSession.Draft(
      provider: TelesignProvider.name, number: number.phoneNumber, verification: ordinal, lifetime: lifetime,
      singleUse: false,
      returnURL: SilentVerifyURL.returnURL(for: context.request, token: reference, in: sandbox),
      outcome: try outcome(for: number, in: sandbox))
    let details = JSONWriter.text { json in
      json.member("customer", context.customer)
      json.member("externalID", externalID)
    }
    draft.details = details
    return SilentVerification(
      reference: reference, customer: context.customer, externalID: externalID,
      session: try sandbox.silentSessions.create(draft), sandbox: sandbox)
  }

  /// Throws if the operator does not support silent verification. Operators of unknown numbers do. Source:
  /// contract 6.
  static func checkCoverage(of number: ParsedNumber, in context: RequestContext) throws {
    let sandbox = context.sandbox
    guard try sandbox.subscribers.contains(number.phoneNumber) else { return }
    let line = try sandbox.subscribers[number.phoneNumber]
    guard line.lineType == .mobile, line.coversSilent, !line.suspended,
      !line.isDeactivated(at: sandbox.clock.now)
    else {
      throw APIError(40010, in: context.format)
        .because(
          "\(number.digits) has no silent verification: \(line.lineType.rawValue), \(line.operatorName)")
    }
  }

  /// Nil for an unknown reference id.
  static func find(_ reference: String, in sandbox: Sandbox) throws -> SilentVerification? {
    guard let session = try session(of: reference, in: sandbox),
      session.draft.provider == TelesignProvider.name
    else { return nil }
    let details = try Fields(Array(session.draft.details.utf8))
    return SilentVerification(
      reference: reference, customer: try details.string("customer"),
      externalID: try details.optionalString("externalID"), session: session, sandbox: sandbox)
  }

  /// Nil for an unknown reference id.
  static func session(of reference: String, in sandbox: Sandbox) throws -> SilentSession? {
    let digits = reference.split(separator: "-", omittingEmptySubsequences: false).joined()
    guard let (ordinal, _) = sandbox.tokenEntropy.ordinals(of: digits, under: label), ordinal > 0,
      Self.reference(of: ordinal, in: sandbox) == reference
    else { return nil }
    return try sandbox.silentSessions.all(of: ordinal).last
  }

  /// The URL that the phone must open, and the expected response. Source: contract 6.
  func writeInstructions(to json: inout JSONWriter) {
    json.member("verification_url", SilentVerifyURL.url(of: session))
    json.member("method", "GET")
    json.member("expected_response_code", 200)
    json.null("post_body")
    json.null("query_string_params")
  }

  /// The text for the phone: different for each verdict and each verification.
  static func proof(of verdict: SilentVerdict, for session: SilentSession, in sandbox: Sandbox) -> String {
    let part = SilentVerdict.reportable.firstIndex(of: verdict) ?? SilentVerdict.reportable.count
    return sandbox.tokenEntropy.identifier("silent proof", session.ordinal, part)
  }

  /// True if the text that the phone got proves the number. Throws if that is unknown.
  ///
  /// Failures of the operator are checked first, because the phone then has another page. Any text that is
  /// not from the sandbox is a mismatch. The contract does not say when each code is used. Source: contract
  /// 6.
  func provesNumber(with text: String, at time: Timestamp) throws -> Bool {
    guard time < session.expiresAt else {
      throw APIError(40003, in: .silent).because("it expired at \(session.expiresAt.iso8601)")
    }
    switch session.finding?.outcome {
    case .timeout: throw APIError(40001, in: .silent).because("the operator's gateway does not respond")
    case .carrierError, .garbage, .loop:
      throw APIError(45005, in: .silent).because("the operator's gateway fails")
    default: break
    }
    guard let verdict = session.verdict, text == Self.proof(of: verdict, for: session, in: sandbox) else {
      return false
    }
    switch verdict {
    case .matched: return true
    case .noCoverage:
      throw APIError(40010, in: .silent).because("the operator does not support silent verification")
    case .notMobile: throw APIError(40003, in: .silent).because("the phone was not on mobile data")
    case .denied: throw APIError(40003, in: .silent).because("the person has not given consent")
    default: return false
    }
  }

  /// A UUID of version 4: the first of the ordinal's identifiers that happens to have the fixed bits.
  private static func reference(of ordinal: Int, in sandbox: Sandbox) -> String {
    for part in 0... {
      let digits = Array(sandbox.tokenEntropy.identifier(label, ordinal, part))
      guard digits[12] == "4", "89ab".contains(digits[16]) else { continue }
      return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
    preconditionFailure("one identifier in 64 has the fixed bits")
  }

  /// The outcome if it does not depend on the carrier's record: a number's ending can ask for a mismatch, and
  /// unknown numbers match. Official tests use unknown numbers. Source: contract 15.1.
  private static func outcome(for number: ParsedNumber, in sandbox: Sandbox) throws -> SilentOutcome? {
    let isKnown = try sandbox.subscribers.contains(number.phoneNumber)
    let outcome = number.ending == .silentMismatch ? SilentOutcome.mismatch : isKnown ? nil : .match
    guard let outcome else { return nil }
    return try sandbox.scenarios.silentOutcome(
      for: number.phoneNumber, provider: TelesignProvider.name, ending: Scenario(requested: outcome.rawValue))
  }

  private static let label: StaticString = "silent reference"
  /// The same as for the Verify API. Source: contract 4.8.
  private static let lifetime = Duration.seconds(300)
}

extension SilentVerdict {
  /// The index of a verdict is part of its text: never change the order.
  fileprivate static let reportable: [SilentVerdict] = [
    .matched, .mismatched, .notMobile, .noCoverage, .carrierError, .denied, .expired, .used, .unknown,
  ]
}
