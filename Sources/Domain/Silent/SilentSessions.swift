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
    var kept = draft
    kept.outcome = nil
    kept.returnURL = draft.returnURL.split(separator: "{token}", omittingEmptySubsequences: false)
      .joined(separator: token)
    let session = SilentSession(
      ordinal: ordinal, token: token, draft: kept, createdAt: now, expiresAt: now + draft.lifetime,
      plan: draft.outcome, findings: 0)
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
    let now = sandbox.clock.now
    guard session.standing(at: now) == .live else { return .over(session) }
    if session.findings == 0 { session.plan = try outcome ?? session.plan ?? plan(for: session, at: now) }
    let mode = try mode ?? sandbox.gateway.settings.mode
    let shown = handset ?? (mode == .magic ? session.draft.number : nil)
    let found = SilentSession.Finding(
      outcome: try observed(session, shown, over: bearer, at: now), handset: shown, bearer: bearer)
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

  /// What a scenario has in store for a session; nil where it is for the record to say, then and later.
  ///
  /// Asked once for each session, so that a repeated hop is no further occasion.
  private func plan(for session: SilentSession, at now: Timestamp) throws -> SilentOutcome? {
    let number = session.draft.number
    let outcome = try sandbox.scenarios.silentOutcome(for: number, provider: session.draft.provider)
    return try outcome == sandbox.subscribers[number].silentOutcome(at: now) ? nil : outcome
  }

  /// What the network sees: a broken gateway first, then the connection, then the SIM.
  private func observed(
    _ session: SilentSession, _ handset: PhoneNumber?, over bearer: Bearer, at now: Timestamp
  ) throws -> SilentOutcome {
    switch session.plan {
    case .carrierError?, .timeout?, .garbage?, .loop?: return session.plan ?? .carrierError
    default: break
    }
    guard bearer == .cellular, let handset else { return .notMobile }
    let recorded = try sandbox.subscribers[handset].silentOutcome(at: now)
    guard handset == session.draft.number else { return recorded == .match ? .mismatch : recorded }
    return session.plan ?? recorded
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
