import ProviderKit

/// Ids of verifications: ten digits. An affine permutation of the ordinals, so that an id leads back to its
/// ordinal without an index. Source: contract 3.
enum VerificationID {
  private static let count: UInt64 = 9_000_000_000
  private static let first: UInt64 = 1_000_000_000
  /// Has no common divisor with `count`.
  private static let factor: UInt64 = 2_654_435_761
  /// `factor * inverse` is 1 modulo `count`.
  private static let inverse: UInt64 = 645_525_841

  static func text(of ordinal: Int, in sandbox: Sandbox) -> String {
    let number = (product(UInt64(bitPattern: Int64(ordinal)), factor) + offset(in: sandbox)) % count
    return String(first + number)
  }

  /// Nil for text that is no id.
  static func ordinal(of text: String, in sandbox: Sandbox) -> Int? {
    guard text.utf8.count == 10, let id = UInt64(text), id >= first else { return nil }
    return Int(product((id - first + count - offset(in: sandbox)) % count, inverse))
  }

  private static func offset(in sandbox: Sandbox) -> UInt64 {
    let digits = sandbox.entropy.identifier("sinch verification", 0).utf8.prefix(8)
    return digits.reduce(0) { $0 << 4 | UInt64($1.hexValue ?? 0) } % count
  }

  private static func product(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (high, low) = (one % count).multipliedFullWidth(by: other)
    return count.dividingFullWidth((high, low)).remainder
  }
}
