import Crypto
package import Domain
package import HTTP

/// The two words that open a participant's sandbox: `calm-otter`.
///
/// There are 326,729. They are computed from the server's key where it requires tokens, and else, where they
/// protect nothing, from the sandbox's entropy.
package enum JoinPhrase {
  /// The phrase that somebody typed, in its usual form: in lower case, joined by `-`.
  package static func normalized(_ text: String) -> String {
    text.lowercased().split { !$0.isLetter }.prefix(3).joined(separator: "-")
  }

  static func make(for label: String, tokens: AccessTokens?, entropy: Entropy) -> String {
    let label = "join phrase \(label)"
    let digits = tokens?.digits(for: label) ?? entropy.secret(label, length: 16, of: .hex)
    let number = UInt64(digits.prefix(15), radix: 16) ?? 0
    let nouns = UInt64(PhraseWords.nouns.count)
    let adjective = PhraseWords.adjectives[Int(number / nouns % UInt64(PhraseWords.adjectives.count))]
    return "\(adjective)-\(PhraseWords.nouns[Int(number % nouns)])"
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
  private var failures = FailedAttempts()

  package init(_ sandboxes: Sandboxes, tokens: AccessTokens?) {
    self.sandboxes = sandboxes
    self.tokens = tokens
  }

  /// Wrong phrases count as wrong tokens do: ten a minute and address, on the machine's clock.
  package func join(_ phrase: String, from request: Request) throws -> Answer {
    let (client, now) = (FailedAttempts.client(of: request), sandboxes.wallClock())
    if let seconds = failures.secondsUntilRetry(client, at: now) {
      return .tooManyAttempts(retryAfter: seconds)
    }
    guard let sandbox = try sandboxes.workshops.sandbox(forPhrase: JoinPhrase.normalized(phrase)) else {
      failures.add(client, at: now)
      return .wrong
    }
    try sandbox.atomically { try sandbox.tasks.noteArrival() }
    return .joined(sandbox, token: tokens?.token(for: sandbox))
  }
}
