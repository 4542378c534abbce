/// Which numbers the sandbox sends to. Nothing leaves the machine either way; a developer's own number is
/// personal data all the same. Source: `carrier.md` 4.3 and 5.
package struct NumberPlan {
  /// What is done about numbers that may belong to somebody.
  package enum Policy: String, CaseIterable, Sendable {
    /// They are taken, with one warning each.
    case open
    /// They are refused in the provider's words.
    case safeOnly = "safe-only"
  }

  unowned let sandbox: Sandbox

  /// Whether a provider may send to a number; one that may belong to somebody is warned of, once.
  ///
  /// A provider's own documented test numbers are its own affair: it asks about the others only.
  package func admits(_ number: PhoneNumber, provider: String) -> Bool {
    if SafeRanges.contain(number) { return true }
    guard sandbox.numberWatch.policy == .open else { return false }
    sandbox.numberWatch.notice(number, provider: provider)
    return true
  }
}

/// Warns of numbers that may belong to somebody, once each.
///
/// A class because all sandboxes of a process share what was warned of.
final class NumberWatch {
  let policy: NumberPlan.Policy
  private let warn: @Sendable (String) -> Void
  private var noticed: Set<PhoneNumber> = []

  init(_ policy: NumberPlan.Policy, warn: @escaping @Sendable (String) -> Void) {
    self.policy = policy
    self.warn = warn
  }

  func notice(_ number: PhoneNumber, provider: String) {
    guard noticed.count < Self.limit, noticed.insert(number).inserted else { return }
    warn(
      "\(number.masked) may be somebody's own number (asked by \(provider)); nothing is sent, but take one that is "
        + "kept free for tests, or refuse others with --numbers safe-only")
    if noticed.count == Self.limit { warn("no more warnings of such numbers: there were \(Self.limit)") }
  }

  /// Nobody reads more, and memory stays flat.
  private static let limit = 1000
}

extension PhoneNumber {
  /// The number with the digits between its first three and its last two hidden.
  package var masked: String {
    let hidden = String(repeating: "*", count: description.utf8.count - 6)
    return description.prefix(4) + hidden + description.suffix(2)
  }
}
