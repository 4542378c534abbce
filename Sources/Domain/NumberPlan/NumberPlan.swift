/// The phone numbers that the sandbox accepts. Nothing is ever sent to a real phone, but a real number is personal
/// data. Source: `carrier.md` 4.3 and 5.
package struct NumberPlan {
  /// What to do with phone numbers that may be real.
  package enum Policy: String, CaseIterable, Sendable {
    /// Accept them, with one warning each.
    case open
    /// Reject them with the provider's error.
    case safeOnly = "safe-only"
  }

  unowned let sandbox: Sandbox

  /// True if a provider may send to a number. Prints one warning for a number that may be real.
  ///
  /// Providers do not call this for their own documented test numbers.
  package func accepts(_ number: PhoneNumber, provider: String) -> Bool {
    if SafeRanges.contains(number) { return true }
    guard sandbox.numberWarnings.policy == .open else { return false }
    sandbox.numberWarnings.warn(about: number, provider: provider)
    return true
  }

  /// Why `accepts` is false, for the journal.
  package static func rejection(of number: PhoneNumber) -> String {
    "\(number.masked) may belong to a real person, and the server runs with --numbers safe-only"
  }
}

/// Warns of phone numbers that may be real, once each.
///
/// A class because all sandboxes share one.
final class NumberWarnings {
  let policy: NumberPlan.Policy
  private let emit: @Sendable (String) -> Void
  private var warned: Set<PhoneNumber> = []

  init(_ policy: NumberPlan.Policy, warn: @escaping @Sendable (String) -> Void) {
    self.policy = policy
    emit = warn
  }

  func warn(about number: PhoneNumber, provider: String) {
    guard warned.count < Self.limit, warned.insert(number).inserted else { return }
    emit(
      "\(number.masked) may be a real phone number (used with \(provider)). Nothing is sent to it. Use a fictional "
        + "number instead, or reject real numbers with --numbers safe-only.")
    if warned.count == Self.limit { emit("\(Self.limit) numbers may be real; further ones are not reported") }
  }

  /// More warnings would not be read, and would use more memory.
  private static let limit = 1000
}

extension PhoneNumber {
  /// The number with only its first three and its last two digits shown.
  package var masked: String {
    let hidden = String(repeating: "*", count: description.utf8.count - 6)
    return description.prefix(4) + hidden + description.suffix(2)
  }
}
