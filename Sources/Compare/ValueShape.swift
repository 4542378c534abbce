import Basics
import HTTP

/// What a value looks like that is never the same twice.
enum ValueShape {
  // MARK: Ids

  /// Shorter texts are words or codes.
  private static let shortestID = 12

  /// The form of an id or token, such as `VE and 32 hex digits`; nil for a text that is none.
  static func id(_ text: some StringProtocol) -> String? {
    guard text.utf8.count >= shortestID, text.utf8.allSatisfy({ $0.isIDByte || $0 == UInt8(ascii: ".") })
    else { return nil }
    if text.hasPrefix("eyJ"), text.split(separator: ".").count == 3 { return "a JWT" }
    guard !text.contains(".") else { return nil }
    if isUUID(text) { return text.contains { "A"..."F" ~= $0 } ? "a UUID in capitals" : "a UUID" }
    let prefix = prefix(of: text)
    let rest = text.dropFirst(prefix.count)
    if prefix.utf8.count == 2 { return "\(prefix) and 32 hex digits" }
    guard let kind = kind(of: rest) else { return nil }
    return prefix.isEmpty ? "\(rest.count) \(kind)" : "\(prefix) and \(rest.count) \(kind)"
  }

  /// `VE` before 32 hex digits, `vrf_`.
  private static func prefix(of text: some StringProtocol) -> String {
    if let end = text.firstIndex(of: "_") {
      let word = text[..<end]
      if 1...8 ~= word.utf8.count, word.utf8.allSatisfy({ 0x61...0x7A ~= $0 }) { return "\(word)_" }
    }
    let letters = text.prefix(2)
    let isLabel =
      text.utf8.count == 34 && letters.utf8.allSatisfy { 0x41...0x5A ~= $0 }
      && text.dropFirst(2).utf8.allSatisfy { $0.isLowerHex }
    return isLabel ? String(letters) : ""
  }

  private static func kind(of text: some StringProtocol) -> String? {
    let bytes = text.utf8
    let hasDigit = bytes.contains { $0.isDecimalDigit }
    let hasLower = bytes.contains { 0x61...0x7A ~= $0 }
    let hasUpper = bytes.contains { 0x41...0x5A ~= $0 }
    if hasDigit, bytes.allSatisfy({ $0.isLowerHex }) { return hasLower ? "hex digits" : "digits" }
    // Words with hyphens are names.
    if hasLower != hasUpper, hasDigit, bytes.allSatisfy({ $0.isWordByte }) {
      return hasLower ? "small letters and digits" : "capitals and digits"
    }
    guard hasLower, hasUpper, hasDigit || bytes.count >= 20 else { return nil }
    return "letters and digits"
  }

  private static func isUUID(_ text: some StringProtocol) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.utf8.allSatisfy { $0.isHexDigit } }
  }

  // MARK: Times

  /// The time in a text, and its format with 9 for each digit and a for each letter; nil for other texts.
  static func time(_ text: String) -> (time: Timestamp, format: String)? {
    guard 20...40 ~= text.utf8.count, let time = Timestamp(rfc3339: text) ?? Timestamp(rfc1123: text) else {
      return nil
    }
    let format = text.unicodeScalars.map { scalar in
      switch scalar {
      case "0"..."9": "9"
      // In the names of days and months, not in T, Z and GMT.
      case "a"..."z": "a"
      default: String(scalar)
      }
    }
    return (time, Timestamp(rfc3339: text) == nil ? Self.withoutNames(format) : format.joined())
  }

  /// Names of days and months begin with different capitals.
  private static func withoutNames(_ format: [String]) -> String {
    let text = format.joined()
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.dropFirst().hasPrefix("aa") ? "a" + word.dropFirst() : word
    }.joined(separator: " ")
  }

  /// The time that a number means in seconds or milliseconds since 1970, if it is within a year of `now`.
  static func time(_ number: Int64, around now: Timestamp) -> Timestamp? {
    [number.multipliedReportingOverflow(by: 1000).partialValue, number].map { Timestamp(milliseconds: $0) }
      .first { abs(($0 - now).milliseconds) < 366 * 86_400_000 }
  }
}

extension UInt8 {
  var isDecimalDigit: Bool { 0x30...0x39 ~= self }
  fileprivate var isLowerHex: Bool { isDecimalDigit || 0x61...0x66 ~= self }
  fileprivate var isHexDigit: Bool { isLowerHex || 0x41...0x46 ~= self }
  fileprivate var isWordByte: Bool { isDecimalDigit || 0x61...0x7A ~= self || 0x41...0x5A ~= self }
  /// Of an id or a token.
  var isIDByte: Bool { isWordByte || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}
