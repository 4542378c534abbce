import Crypto

/// The three words that open a participant's sandbox: `calm-blue-otter`.
///
/// There are 173,819,828, so that many wrong ones can be allowed: a whole room may share one address. They
/// are computed from the server's key where it requires tokens, and else, where they protect nothing, from
/// the sandbox's entropy.
package enum JoinPhrase {
  /// The phrase that somebody typed, in its usual form: in lower case, joined by `-`.
  package static func normalized(_ text: String) -> String {
    text.lowercased().split { !$0.isLetter }.prefix(4).joined(separator: "-")
  }

  static func make(for label: String, tokens: AccessTokens?, entropy: Entropy) -> String {
    let label = "join phrase \(label)"
    let digits = tokens?.digits(for: label) ?? entropy.secret(label, length: 16, of: .hex)
    let number = UInt64(digits.prefix(15), radix: 16) ?? 0
    let (adjectives, nouns) = (PhraseWords.adjectives, PhraseWords.nouns)
    let (rest, noun) = number.quotientAndRemainder(dividingBy: UInt64(nouns.count))
    let (more, first) = rest.quotientAndRemainder(dividingBy: UInt64(adjectives.count))
    // Another one than the first.
    let second = (first + 1 + more % UInt64(adjectives.count - 1)) % UInt64(adjectives.count)
    return "\(adjectives[Int(first)])-\(adjectives[Int(second)])-\(nouns[Int(noun)])"
  }

  /// False for a phrase that cannot be right, because a word is on no list.
  static func isPossible(_ phrase: String) -> Bool {
    phrase.split(separator: "-").allSatisfy { PhraseWords.all.contains(String($0)) }
  }
}

/// Lets browsers join a workshop by phrase.
///
/// A class because it counts wrong phrases.
package final class JoinDesk {
  /// What follows a phrase.
  package enum Answer {
    /// The participant's sandbox, and its token; nil if the server requires none.
    case joined(Sandbox, token: String?)
    case wrong
    case tooManyAttempts(retryAfter: Int)
  }

  private let sandboxes: Sandboxes
  private let tokens: AccessTokens?
  private var failures = FailedAttempts(limit: JoinDesk.wrongPhrases)

  /// A minute and address. At this rate, a program that guesses needs 40 days for the phrase of one of thirty
  /// participants, on average.
  static let wrongPhrases = 100

  package init(_ sandboxes: Sandboxes, tokens: AccessTokens?) {
    self.sandboxes = sandboxes
    self.tokens = tokens
  }

  /// Wrong phrases count by address, on the machine's clock: above the limit, right ones have to wait too, or
  /// they could be guessed. Mistyped words do not count, because whoever guesses knows the words.
  package func join(_ phrase: String, from request: Request) throws -> Answer {
    let (client, now) = (FailedAttempts.client(of: request), sandboxes.wallClock())
    if let seconds = failures.secondsUntilRetry(client, at: now) {
      return .tooManyAttempts(retryAfter: seconds)
    }
    let normalized = JoinPhrase.normalized(phrase)
    guard let sandbox = try sandboxes.workshops.sandbox(forPhrase: normalized) else {
      if JoinPhrase.isPossible(normalized) { failures.add(client, at: now) }
      return .wrong
    }
    try sandbox.atomically { try sandbox.tasks.noteArrival() }
    return .joined(sandbox, token: tokens?.token(for: sandbox))
  }
}
