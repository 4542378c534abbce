import Domain
import HTTP
import JSON
import ProviderKit

/// A silent verification that was initiated: a session of the carrier's under a reference id. Source: contract 6.
struct SilentVerification {
  /// The reference id: a UUID in small letters.
  let reference: String
  /// Whose it is.
  let customer: String
  /// The customer's own name for it.
  let externalID: String?
  /// The session that the phone walks through.
  let session: SilentSession
  private let sandbox: Sandbox

  /// Begins one. `externalID` is the customer's own name for it.
  static func begin(with number: Number, _ externalID: String?, _ call: Call) throws -> SilentVerification {
    let sandbox = call.sandbox
    let ordinal = sandbox.nextOrdinal()
    let reference = reference(of: ordinal, in: sandbox)
    let base = sandbox.base(behind: call.request.origin)
    var draft = SilentSession.Draft(
      provider: TelesignProvider.name, number: number.number, verification: ordinal, lifetime: lifetime,
      singleUse: false,
      returnURL: "\(base)\(path)\(reference)/complete", outcome: try outcome(for: number, in: sandbox))
    let details = JSONWriter.object { json in
      json.member("customer", call.customer)
      json.member("externalID", externalID)
    }
    draft.details = String(decoding: details, as: UTF8.self)
    return SilentVerification(
      reference: reference, customer: call.customer, externalID: externalID,
      session: try sandbox.silentSessions.mint(draft), sandbox: sandbox)
  }

  /// The verification of a reference id; nil for an id that nobody gave out.
  static func find(_ reference: String, in sandbox: Sandbox) throws -> SilentVerification? {
    let digits = reference.split(separator: "-", omittingEmptySubsequences: false).joined()
    guard let (ordinal, _) = sandbox.entropy.ordinals(of: digits, under: label), ordinal > 0,
      Self.reference(of: ordinal, in: sandbox) == reference,
      let session = try sandbox.silentSessions.all(of: ordinal).last,
      session.draft.provider == TelesignProvider.name
    else { return nil }
    let details = try Fields(Array(session.draft.details.utf8))
    return SilentVerification(
      reference: reference, customer: try details.string("customer"),
      externalID: try details.optionalString("externalID"), session: session, sandbox: sandbox)
  }

  /// Where the phone is to go, and what it will find there. Source: contract 6.
  func writeRequest(to json: inout JSONWriter) {
    json.member("verification_url", session.draft.returnURL.dropped(suffix: "/complete"))
    json.member("method", "GET")
    json.member("expected_response_code", 200)
    json.null("post_body")
    json.null("query_string_params")
  }

  /// What the phone brings back: another text for each verdict, which only this verification understands.
  func proof(of verdict: SilentVerdict) -> String {
    let part = SilentVerdict.told.firstIndex(of: verdict) ?? SilentVerdict.told.count
    return sandbox.entropy.identifier("silent proof", session.ordinal, part)
  }

  /// Whether the phone has the number, by what it brought back; else why that cannot be told.
  ///
  /// What was not got here proves nothing: no match. The operator's failures come first, since the phone brings
  /// back whatever page it was shown. Source: contract 6; which number stands for what is the sandbox's.
  func isProven(by text: String, at time: Timestamp) throws -> Bool {
    guard time < session.expiresAt else {
      throw Problem(40003, in: .silent).because("it was initiated more than \(Self.lifetime) ago")
    }
    switch session.finding?.outcome {
    case .timeout: throw Problem(40001, in: .silent).because("the operator's gateway hangs")
    case .carrierError, .garbage, .loop:
      throw Problem(45005, in: .silent).because("the operator's gateway fails")
    default: break
    }
    guard let verdict = session.verdict, text == proof(of: verdict) else { return false }
    switch verdict {
    case .matched: return true
    case .noCoverage: throw Problem(40010, in: .silent).because("the operator does not take part")
    case .notMobile: throw Problem(40003, in: .silent).because("the phone was not on mobile data")
    case .denied: throw Problem(40003, in: .silent).because("the person has not agreed")
    default: return false
    }
  }

  /// A UUID of version 4: the first of the ordinal's identifiers that has its fixed bits.
  private static func reference(of ordinal: Int, in sandbox: Sandbox) -> String {
    for part in 0... {
      let digits = Array(sandbox.entropy.identifier(label, ordinal, part))
      guard digits[12] == "4", "89ab".contains(digits[16]) else { continue }
      return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
    preconditionFailure("one in 64 has them")
  }

  /// What is to come of it where the carrier's record does not say. An ending of the vendor's says so; and a number
  /// of which the carrier knows nothing is proven: official tests use such numbers. Source: contract 15.1.
  private static func outcome(for number: Number, in sandbox: Sandbox) throws -> SilentOutcome? {
    let isKnown = try sandbox.subscribers.contains(number.number)
    let usual = number.ending == .silentMismatch ? SilentOutcome.mismatch : isKnown ? nil : .match
    guard let usual else { return nil }
    return try sandbox.scenarios.silentOutcome(
      for: number.number, provider: TelesignProvider.name, ending: Scenario(requested: usual.rawValue))
  }

  private static let label: StaticString = "silent reference"
  private static let path = "/handset/telesign/silent/"
  /// As long as that of a Verify API process. Source: contract 4.8.
  private static let lifetime = Duration.seconds(300)
}

extension Call {
  /// Refuses a number whose operator does not take part. Of numbers that the carrier does not know it is taken that
  /// theirs does. Source: contract 6.
  func admitSilent(_ number: Number) throws {
    guard try sandbox.subscribers.contains(number.number) else { return }
    let line = try sandbox.subscribers[number.number]
    guard line.lineType == .mobile, line.coversSilent, !line.suspended,
      !line.isDeactivated(at: sandbox.clock.now)
    else {
      throw Problem(40010, in: family)
        .because(
          "the line of \(number.digits) is not covered: \(line.lineType.rawValue), \(line.operatorName)")
    }
  }
}

extension SilentVerdict {
  /// Those that a phone can bring back. Their places are part of the texts, so they never change.
  fileprivate static let told: [SilentVerdict] = [
    .matched, .mismatched, .notMobile, .noCoverage, .carrierError, .denied, .expired, .used, .unknown,
  ]
}

extension String {
  /// The text without this end.
  fileprivate func dropped(suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
