import Basics
package import Domain
import JSON
package import Numbers

/// The silent sessions of a sandbox: create, open, identify, finish.
///
/// Each hop finds its session once, and passes it on.
///
/// ```
/// provider              handset                 gateway                   provider
///  create ── URL ──> open (hop 0) ── 302 ──> identify (hop 1) ── 302 ──> finish (hop 2)
///                                             grant or error              verdict
/// ```
package struct SilentSessions {
  let sandbox: Sandbox

  package func create(_ draft: SilentSession.Draft) throws -> SilentSession {
    let now = sandbox.clock.now
    let ordinal = sandbox.nextOrdinal()
    let token = SilentToken.text(of: ordinal, in: sandbox)
    var saved = draft
    saved.outcome = nil
    if saved.verification == SilentSession.Draft.ownOrdinal { saved.verification = ordinal }
    saved.returnURL = draft.returnURL.split(separator: "{token}", omittingEmptySubsequences: false)
      .joined(separator: token)
    let session = SilentSession(
      ordinal: ordinal, token: token, draft: saved, createdAt: now, expiresAt: now + draft.lifetime,
      plan: draft.outcome, findings: 0)
    try insert(session)
    return session
  }

  /// Marks a live session as opened.
  package func open(_ session: inout SilentSession) throws {
    let now = sandbox.clock.now
    guard session.openedAt == nil, session.status(at: now) == .live else { return }
    session.openedAt = now
    try update(session)
    try append(.silentOpened, session, at: now)
  }

  /// Identifies the handset, as the operator's gateway.
  ///
  /// - Parameters:
  ///   - handset: The SIM behind the request. Nil if unknown; then `mode` decides, or the sandbox's own mode.
  ///   - outcome: Overrides scenarios and records.
  ///
  /// A match stays a match until the session expires, so that hops can be repeated.
  package func identify(
    _ session: inout SilentSession, handset: PhoneNumber?, bearer: Bearer = .cellular,
    mode: Gateway.Settings.Mode? = nil,
    outcome: SilentOutcome? = nil
  ) throws -> SilentIdentification {
    try open(&session)
    let now = sandbox.clock.now
    guard session.status(at: now) == .live else { return .over }
    let mode = try mode ?? sandbox.gateway.settings.mode
    let shown = handset ?? (mode == .magic ? session.draft.number : nil)
    if session.findings == 0 {
      session.plan = try outcome ?? session.plan ?? plan(for: session, shown, at: now)
    }
    if session.plan == .expired {
      session.expiresAt = now
      try update(session)
      return .over
    }
    let found = SilentSession.Finding(
      outcome: try observed(session, shown, over: bearer, at: now), handset: shown, bearer: bearer)
    if session.verdict != .matched, session.finding != found {
      session.finding = found
      session.findings += 1
      session.finishedAt = nil
      try update(session)
    }
    let outcome = session.finding?.outcome ?? found.outcome
    switch outcome {
    case .match, .mismatch: return .granted(grant(of: session))
    default: return .refused(outcome)
    }
  }

  /// The verdict for the provider when the handset returns, with the gateway's grant if it has one.
  package func finish(_ session: inout SilentSession, grant: String?) throws -> SilentVerdict {
    let now = sandbox.clock.now
    switch session.status(at: now) {
    case .expired: return .expired
    case .used: return .used
    case .live: break
    }
    guard let finding = session.finding else { return .unknown }
    let verdict = SilentVerdict(finding.outcome)
    if verdict == .matched || verdict == .mismatched, grant != self.grant(of: session) { return .unknown }
    if session.finishedAt == nil {
      session.finishedAt = now
      try update(session)
      try append(verdict == .matched ? .silentMatched : .silentFailed, session, at: now)
    }
    return verdict
  }

  /// The outcome that a scenario sets for a session; nil if the record decides.
  ///
  /// Called once for each session, so that a repeated hop does not count as another match of the scenario.
  private func plan(
    for session: SilentSession, _ handset: PhoneNumber?, at now: Timestamp
  ) throws -> SilentOutcome? {
    guard let number = session.draft.number ?? handset else { return nil }
    let outcome = try sandbox.scenarios.silentOutcome(for: number, provider: session.draft.provider)
    return try outcome == sandbox.subscribers[number].silentOutcome(at: now) ? nil : outcome
  }

  /// What the network finds: checks first the gateway, then the connection, then the SIM.
  private func observed(
    _ session: SilentSession, _ handset: PhoneNumber?, over bearer: Bearer, at now: Timestamp
  ) throws -> SilentOutcome {
    switch session.plan {
    case .carrierError?, .timeout?, .garbage?, .loop?: return session.plan ?? .carrierError
    default: break
    }
    guard bearer == .cellular, let handset else { return .notMobile }
    let recorded = try sandbox.subscribers[handset].silentOutcome(at: now)
    guard handset == session.draft.number ?? handset else { return recorded == .match ? .mismatch : recorded }
    return session.plan ?? recorded
  }

  private func grant(of session: SilentSession) -> String {
    sandbox.tokenEntropy.identifier("silent-grant", session.ordinal, session.findings)
  }

  private func append(_ kind: Event.Kind, _ session: SilentSession, at time: Timestamp) throws {
    try sandbox.events.append(
      kind, provider: session.draft.provider, subject: session.ordinal,
      destination: session.number?.description ?? "", at: time)
  }
}

extension Sandbox {
  package var silentSessions: SilentSessions { SilentSessions(sandbox: self) }
  package var gateway: Gateway { Gateway(sandbox: self) }
}

/// The token of a session: its ordinal, permuted by the entropy, so that looking it up needs no index.
enum SilentToken {
  /// `s_` and 26 digits of base32 (RFC 4648, lower case), which hold 128 bits.
  static func text(of ordinal: Int, in sandbox: Sandbox) -> String {
    guard var bits = UInt128(sandbox.tokenEntropy.identifier(label, ordinal), radix: 16) else {
      preconditionFailure("an identifier is 32 hex digits")
    }
    let digits = (0..<length).map { _ in
      defer { bits >>= 5 }
      return alphabet[Int(bits & 31)]
    }
    return prefix + String(decoding: digits, as: UTF8.self)
  }

  /// The ordinal in a token; nil for other text.
  static func ordinal(of token: String, in sandbox: Sandbox) -> Int? {
    guard token.hasPrefix(prefix), token.utf8.count == prefix.utf8.count + length else { return nil }
    var bits: UInt128 = 0
    for (place, digit) in token.utf8.dropFirst(prefix.utf8.count).enumerated() {
      guard let value = alphabet.firstIndex(of: digit), place < length - 1 || value < 8 else { return nil }
      bits |= UInt128(value) << UInt128(5 * place)
    }
    let digits = Hex.encode(bits)
    guard let (ordinal, part) = sandbox.tokenEntropy.ordinals(of: digits, under: label), part == 0
    else { return nil }
    return ordinal
  }

  private static let label: StaticString = "silent"
  private static let prefix = "s_"
  private static let length = 26
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
}
