/// The silent sessions of a sandbox: mint, open, identify, conclude.
///
/// ```
/// provider            handset                 gateway                    provider
///  mint ── URL ──> open (hop 0) ── 302 ──> identify (hop 1) ── 302 ──> conclude (hop 2)
///                                           grant, or what failed        verdict
/// ```
package struct SilentSessions {
  let sandbox: Sandbox

  /// Makes a session.
  package func mint(_ draft: SilentSession.Draft) throws -> SilentSession {
    let now = sandbox.clock.now
    let ordinal = sandbox.nextOrdinal()
    let token = SilentToken.text(of: ordinal, in: sandbox)
    let session = SilentSession(
      ordinal: ordinal, token: token, draft: draft.returning(to: token), createdAt: now,
      expiresAt: now + draft.lifetime, findings: 0)
    try insert(session)
    return session
  }

  /// The session of a token, and that a handset has asked for it; nil when nobody gave out the token.
  package func open(_ token: String) throws -> SilentSession? {
    guard var session = try find(token) else { return nil }
    let now = sandbox.clock.now
    guard session.openedAt == nil, session.standing(at: now) == .live else { return session }
    session.openedAt = now
    try update(session)
    try append(.silentOpened, session, at: now)
    return session
  }

  /// What the operator's gateway makes of a handset that asks for a session.
  ///
  /// `handset` is the SIM that the request was shown to come from; nil: nothing was said, and `mode` decides, or
  /// the sandbox's own. `outcome` is what a trial asks for. A match stays one while the session lives, so that
  /// hops can be repeated.
  package func identify(
    _ token: String, handset: PhoneNumber?, bearer: Bearer = .cellular, mode: Gateway.Settings.Mode? = nil,
    outcome: SilentOutcome? = nil
  ) throws -> SilentIdentification {
    guard var session = try open(token) else { return .unknown }
    guard session.standing(at: sandbox.clock.now) == .live else { return .over(session) }
    let mode = try mode ?? sandbox.gateway.settings.mode
    let claimed = session.draft.number
    let planned =
      try outcome ?? session.draft.outcome
      ?? sandbox.scenarios.silentOutcome(for: claimed, provider: session.draft.provider)
    let found = SilentSession.Finding(
      outcome: try observed(planned, for: handset, claiming: claimed, over: bearer, mode: mode),
      handset: handset ?? (mode == .magic ? claimed : nil), bearer: bearer)
    if session.verdict != .matched, session.finding != found {
      session.finding = found
      session.findings += 1
      session.concludedAt = nil
      try update(session)
    }
    let outcome = session.finding?.outcome ?? found.outcome
    switch outcome {
    case .match, .mismatch: return .granted(session, grant: grant(of: session))
    default: return .refused(session, outcome)
    }
  }

  /// What the provider is told when the handset comes back, with the gateway's grant where it brought one.
  package func conclude(_ token: String, grant: String?) throws -> SilentVerdict {
    guard var session = try find(token) else { return .unknown }
    let now = sandbox.clock.now
    switch session.standing(at: now) {
    case .expired: return .expired
    case .used: return .used
    case .live: break
    }
    guard let finding = session.finding else { return .unknown }
    let verdict = SilentVerdict(finding.outcome)
    if verdict == .matched || verdict == .mismatched, grant != self.grant(of: session) { return .unknown }
    if session.concludedAt == nil {
      session.concludedAt = now
      try update(session)
      try append(verdict == .matched ? .silentMatched : .silentFailed, session, at: now)
    }
    return verdict
  }

  /// What the network sees: a broken gateway first, then the connection, then the SIM.
  private func observed(
    _ planned: SilentOutcome, for handset: PhoneNumber?, claiming claimed: PhoneNumber, over bearer: Bearer,
    mode: Gateway.Settings.Mode
  ) throws -> SilentOutcome {
    switch planned {
    case .carrierError, .timeout, .garbage, .loop: return planned
    default: break
    }
    guard bearer == .cellular else { return .notMobile }
    guard let handset else { return mode == .magic ? planned : .notMobile }
    if let hindrance = try hindrance(of: sandbox.subscribers[handset]) { return hindrance }
    return handset == claimed ? planned : .mismatch
  }

  /// Why a SIM cannot be told by its data connection; nil where it can.
  private func hindrance(of handset: Subscriber) -> SilentOutcome? {
    let outcome = handset.silentOutcome(at: sandbox.clock.now)
    return outcome == .match ? nil : outcome
  }

  private func grant(of session: SilentSession) -> String {
    sandbox.entropy.identifier("silent-grant", session.ordinal, session.findings)
  }

  private func append(_ kind: Event.Kind, _ session: SilentSession, at time: Timestamp) throws {
    try sandbox.events.append(
      kind, provider: session.draft.provider, subject: session.ordinal,
      destination: session.draft.number.description, at: time)
  }
}

extension SilentSession.Draft {
  /// The draft with the token in the place that it keeps for it.
  fileprivate func returning(to token: String) -> Self {
    let parts = returnURL.split(separator: "{token}", omittingEmptySubsequences: false)
    var draft = SilentSession.Draft(
      provider: provider, number: number, verification: verification, lifetime: lifetime,
      singleUse: singleUse, returnURL: parts.joined(separator: token), outcome: outcome)
    draft.attempt = attempt
    draft.details = details
    return draft
  }
}
