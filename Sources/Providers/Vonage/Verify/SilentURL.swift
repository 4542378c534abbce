import ProviderKit

/// Silent authentication: a URL that the phone opens over mobile data. Source: contract 6.
///
/// The redirects lead through the operator's gateway, and end with the code.
enum SilentURL: SilentHops {
  static let provider = VonageProvider.name
  static let path = "/v2/verify"
  static let ending = "/silent-auth/redirect"
  static let operations = (first: "openSilentURL", last: "completeSilentURL")
  static let refusesEndedSessions = true

  /// Creates the session of a verification; returns the URL of its first hop.
  static func create(
    for verification: Verification, of number: PhoneNumber, _ entry: WorkflowEntry, _ context: RequestContext
  ) throws -> String {
    let id = RequestID.of(verification, in: context.sandbox)
    let draft = SilentSession.Draft(
      provider: provider, number: number, verification: verification.ordinal,
      lifetime: .seconds(context.settings.silentTimeout), singleUse: true,
      returnURL: returnURL(for: context.request, token: id, in: context.sandbox),
      outcome: entry.isSimulated || isVirtual(number) ? simulatedOutcome(of: number) : nil)
    return url(of: try context.sandbox.silentSessions.create(draft))
  }

  /// The last digits choose it for numbers of the virtual operator, and if the request has the member
  /// `sandbox`. Source: contract 6 and 11.
  private static func simulatedOutcome(of number: PhoneNumber) -> SilentOutcome {
    switch number.digits % 100 {
    case 99: .userDenied
    case 0, 50: isVirtual(number) ? .match : .userDenied
    case let ending where ending % 2 == 1: .mismatch
    default: .match
    }
  }

  /// The token is the id of the request.
  static func session(_ token: String, in sandbox: Sandbox) throws -> SilentSession? {
    guard let found = try RequestID.verification(token, in: sandbox) else { return nil }
    return try sandbox.silentSessions.all(of: found.ordinal).last
  }

  /// A client can ask for magic mode: the gateway then takes it for the handset of the number.
  static func redirect(for request: Request, in sandbox: Sandbox) throws -> SilentRedirect {
    var redirect = SilentRedirect()
    if let session = try session(request[parameter: "token"], in: sandbox) {
      _ = try activeStep(of: session, in: sandbox)
      if request.headers["X-SilentAuth-Mode"]?.lowercased() == "sandbox", let number = session.draft.number {
        redirect.query = "&sbx_handset=\(PercentCoding.encode(number.description))"
      }
    }
    return redirect
  }

  static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) throws -> Response {
    throw try APIError.requestNotFound(token).completed(in: sandbox)
  }

  static func response(to handset: SilentReturn, in sandbox: Sandbox) throws -> Response {
    let (verification, entry, step) = try activeStep(of: handset.session, in: sandbox)
    guard handset.verdict == .matched else {
      return try refuse(handset.verdict, verification, entry, step, in: sandbox)
    }
    let code = code(of: handset.session, in: sandbox)
    try sandbox.verifications.replaceCode(of: verification, with: code)
    let id = RequestID.of(verification, in: sandbox)
    if let url = entry.redirectURL {
      return Response(302, headers: ["Location": "\(url)#request_id=\(id)&code=\(code)"])
    }
    return .json(200) { json in
      json.member("request_id", id)
      json.member("code", code)
    }
  }

  private static func code(of session: SilentSession, in sandbox: Sandbox) -> String {
    sandbox.entropy.secret("silent code \(session.ordinal)", length: 6, of: .alphanumeric)
  }

  /// Ends the channel. A session that is expired or used changes nothing.
  private static func refuse(
    _ verdict: SilentVerdict, _ verification: Verification, _ entry: WorkflowEntry, _ step: Step,
    in sandbox: Sandbox
  ) throws -> Response {
    let failure: (error: APIError, step: Step.Failure)
    switch verdict {
    case .expired, .used, .matched: throw try APIError.alreadyChecked.completed(in: sandbox)
    case .mismatched: failure = (APIError(.msisdnError), .mismatched)
    case .notMobile: failure = (APIError(.networkError), .unreachable)
    case .noCoverage: failure = (.networkNotSupported, .unreachable)
    case .carrierError, .denied, .unknown: failure = (APIError(.preconditionFailed), .unreachable)
    }
    try sandbox.fallbacks.fail(step, of: verification, for: failure.step)
    guard let url = entry.redirectURL else { return try failure.error.completed(in: sandbox).response }
    let text = PercentCoding.encode(failure.error.detail)
    return Response(302, headers: ["Location": "\(url)#error_description=\(text)"])
  }

  /// The verification of a session whose channel is in use; else 409.
  private static func activeStep(
    of session: SilentSession, in sandbox: Sandbox
  ) throws -> (verification: Verification, entry: WorkflowEntry, step: Step) {
    guard let verification = try sandbox.verifications.find(session.draft.verification),
      let stored = try StoredRequest(of: verification),
      let step = try sandbox.fallbacks.activeStep(of: verification), step.channel == .silent,
      let entry = stored.entry(of: step)
    else { throw try APIError.alreadyChecked.completed(in: sandbox) }
    return (verification, entry, step)
  }

  /// True if the URL of a silent authentication is given. Source: contract 3 and 6.
  static func isOffered(_ entry: WorkflowEntry, to number: PhoneNumber, in sandbox: Sandbox) throws -> Bool {
    if !entry.checksCoverage || entry.isSimulated || isVirtual(number) { return true }
    let line = try sandbox.subscribers[number]
    return line.lineType == .mobile && line.coversSilent && !line.suspended
      && !line.isDeactivated(at: sandbox.clock.now)
  }

  /// True for a number of the provider's virtual operator. Source: contract 11.
  static func isVirtual(_ number: PhoneNumber) -> Bool {
    number.description.utf8.starts(with: "+990".utf8)
  }
}
