import JSON
import ProviderKit

/// A span of time as protocol buffers write it.
enum Span {
  /// Whether a text is one: seconds with up to nine decimals, and an `s`.
  static func isValid(_ text: String) -> Bool { milliseconds(text) != nil }

  /// Its whole milliseconds; nil for any other text.
  static func milliseconds(_ text: String) -> Int? {
    guard text.utf8.last == UInt8(ascii: "s") else { return nil }
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = text.dropLast().dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1] : "0"
    guard (1...2).contains(parts.count), (1...12).contains(parts[0].utf8.count),
      (1...9).contains(decimals.utf8.count),
      parts.joined().utf8.allSatisfy({ $0.isDigit }), let seconds = Int(parts[0]),
      let fraction = Int((decimals + "00").prefix(3))
    else { return nil }
    return (isNegative ? -1 : 1) * (seconds * 1000 + fraction)
  }
}
