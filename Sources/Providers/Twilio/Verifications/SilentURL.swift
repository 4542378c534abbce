import ProviderKit

// Silent Network Auth, channel `sna`: a URL that the phone opens over mobile data. Source: contract 5.
//
// Twilio does not document its URL: this one is the sandbox's, and leads through the emulated operator's
// gateway.

enum SilentURL: SilentHops {
  static let provider = TwilioProvider.name
  static let path = "/handset/twilio/sna"
  static let operations = (first: "openSilentURL", last: "completeSilentURL")
  static let refusesEndedSessions = true

  /// Creates the URL of a verification's newest attempt, if that is silent.
  static func create(
    for verification: Verification, _ form: VerificationForm, in context: RequestContext
  ) throws {
    guard verification.channel == .silent, let number = PhoneNumber(verification.claim.destination) else {
      return
    }
    var draft = SilentSession.Draft(
      provider: provider, number: number, verification: verification.ordinal,
      lifetime: lifetime, singleUse: true, returnURL: returnURL(for: context.request, in: context.sandbox))
    draft.attempt = verification.attempts.count
    draft.details = SilentDetails(needsClientToken: form.needsClientToken).encoded
    _ = try context.sandbox.silentSessions.create(draft)
  }

  /// The URL of a verification's newest attempt; nil if that is not silent.
  static func find(for verification: Verification, in sandbox: Sandbox) throws -> String? {
    guard verification.channel == .silent,
      let session = try sandbox.silentSessions.all(of: verification.ordinal).last
    else { return nil }
    return url(of: session)
  }

  /// How long the URL can be opened. Source: contract 5.
  private static let lifetime = Duration.seconds(600)

  /// Takes `?simulate=…`, an extra of the sandbox: a browser on a desk can play any phone. Source: contract
  /// 5.
  static func redirect(for request: Request, in sandbox: Sandbox) throws -> SilentRedirect {
    var redirect = SilentRedirect()
    guard let word = try request.query["simulate"] else { return redirect }
    guard let outcome = simulations[word] else {
      let known = simulations.keys.sorted().joined(separator: ", ")
      throw APIError.invalidParameter("simulate", value: word, expected: "one of \(known)")
    }
    redirect.query = "&sbx_outcome=\(outcome.rawValue)"
    return redirect
  }

  static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) -> Response {
    response(to: .unknown)
  }

  static func response(to handset: SilentReturn, in sandbox: Sandbox) throws -> Response {
    let session = handset.session
    guard handset.verdict == .matched else { return response(to: handset.verdict) }
    var text = "ErrorCode=0&ErrorDescription=Success"
    if let number = session.number {
      text += "&Carrier=\(try sandbox.subscribers[number].operatorName)"
    }
    if let clientToken = SilentDetails(session).clientToken(of: session, in: sandbox) {
      text += "&SnaClientToken=\(clientToken)"
    }
    return plainText(200, text)
  }

  /// The answer to the phone when the number was not proven.
  private static func response(to verdict: SilentVerdict) -> Response {
    let (code, description) = verdict.phoneError
    return plainText(200, "ErrorCode=\(code)&ErrorDescription=\(description)")
  }
}

private let simulations: [String: SilentOutcome] = [
  "success": .match, "mismatch": .mismatch, "wifi": .notMobile, "unsupported": .noCoverage,
  "timeout": .timeout,
]

/// What is stored with a silent session for this provider only.
struct SilentDetails {
  /// True if a check must repeat the token of the URL's answer.
  let needsClientToken: Bool

  init(needsClientToken: Bool) { self.needsClientToken = needsClientToken }

  init(_ session: SilentSession) { needsClientToken = session.draft.details == Self.withToken }

  var encoded: String { needsClientToken ? Self.withToken : "{}" }

  /// Nil if no token is needed.
  func clientToken(of session: SilentSession, in sandbox: Sandbox) -> String? {
    guard needsClientToken else { return nil }
    return sandbox.tokenEntropy.identifier(
      "SnaClientToken", session.draft.verification, session.draft.attempt)
  }

  private static let withToken = #"{"clientToken":true}"#
}

extension SilentVerdict {
  /// Code and description in the URL's answer. The texts of the general codes -10, -11 and -20 are chosen
  /// here. Source: contract 13.5.
  fileprivate var phoneError: (code: Int, description: String) {
    switch self {
    case .matched: (0, "Success")
    case .mismatched: (-17, "Phone number mismatch")
    case .notMobile: (-31, "Wifi or unknown carrier")
    case .noCoverage: (-30, "Unsupported carrier")
    case .carrierError: (-33, "Carrier header missing")
    case .denied: (-11, "Not authenticated")
    case .expired: (-20, "URL expired")
    case .used: (-20, "URL already used")
    case .unknown: (-10, "Unknown URL")
    }
  }
}
