/// One proof that a handset on mobile data has a number: a chain of redirects from a provider through the
/// operator's gateway and back. Source: `carrier.md` 2.2 and 4.5.
package struct SilentSession: Equatable, Sendable {
  /// What a session is minted from.
  package struct Draft: Equatable, Sendable {
    /// The provider that asks.
    package let provider: String
    /// The number that is claimed.
    package let number: PhoneNumber
    /// The ordinal of the verification that it belongs to.
    package let verification: Int
    /// Which of the verification's sendings it is, from 1.
    package var attempt = 1
    /// How long the chain may be walked.
    package let lifetime: Duration
    /// Whether it is used up by its first conclusion; else each hop can be repeated while it lives.
    package let singleUse: Bool
    /// Where the gateway sends the handset back: an absolute URL, in which `{token}` stands for the token.
    package internal(set) var returnURL: String
    /// What is to come of it, whatever the number's scenario says.
    package var outcome: SilentOutcome?
    /// What the provider keeps with it: a JSON object that the core does not read.
    package var details = "{}"

    /// A draft from its parts.
    package init(
      provider: String, number: PhoneNumber, verification: Int, lifetime: Duration, singleUse: Bool,
      returnURL: String, outcome: SilentOutcome? = nil
    ) {
      self.provider = provider
      self.number = number
      self.verification = verification
      self.lifetime = lifetime
      self.singleUse = singleUse
      self.returnURL = returnURL
      self.outcome = outcome
    }
  }

  /// What the gateway found out.
  package struct Finding: Equatable, Sendable {
    /// What came of it.
    package let outcome: SilentOutcome
    /// Which handset it was; nil where that could not be told.
    package let handset: PhoneNumber?
    /// What carried the connection.
    package let bearer: Bearer
  }

  /// Whether the chain can still be walked.
  package enum Standing: Sendable {
    /// It can.
    case live
    /// Its time is over.
    case expired
    /// It has had its one use.
    case used
  }

  /// Its number in the sandbox.
  package let ordinal: Int
  /// The text that stands for it in URLs: `s_` and 128 bits in base32.
  package let token: String
  /// What it was minted from, without an outcome; `returnURL` holds the token.
  package let draft: Draft
  /// When it was minted.
  package let createdAt: Timestamp
  /// When its time ends.
  package let expiresAt: Timestamp
  /// When a handset first asked for it.
  package internal(set) var openedAt: Timestamp?
  /// What the gateway found out last.
  package internal(set) var finding: Finding?
  /// When the handset came back to the provider last with what the gateway had found.
  package internal(set) var concludedAt: Timestamp?
  /// What a scenario has in store for it; nil: as the record says.
  var plan: SilentOutcome?
  /// How often the gateway found something else than before.
  var findings: Int

  /// Whether the chain can be walked at a time.
  package func standing(at time: Timestamp) -> Standing {
    if draft.singleUse, concludedAt != nil { return .used }
    return time < expiresAt ? .live : .expired
  }

  /// What its provider was told; nil as long as the chain has not come back.
  package var verdict: SilentVerdict? {
    concludedAt == nil ? nil : finding.map { SilentVerdict($0.outcome) }
  }
}

/// What the gateway makes of a handset that asks for a session.
package enum SilentIdentification: Equatable, Sendable {
  /// The SIM is known; the provider learns its number for this grant, which is good for this session only.
  case granted(SilentSession, grant: String)
  /// The line cannot be told, or the gateway does not work as it should.
  case refused(SilentSession, SilentOutcome)
  /// The session's time is over, or it has had its one use.
  case over(SilentSession)
  /// No session has this token.
  case unknown
}
