import Basics
import JSON

/// A phone number as people of a country write or dial it: `(0)20 7946 0958`, `011 44 20 7946 0958 ext. 5`.
///
/// Read as libphonenumber does. Source: its documentation, and the Python package phonenumbers, with which a
/// test compares it.
package struct DialledText: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    /// With a plus sign and the calling code, as `PhoneNumber` has it, but maybe too long or too short.
    case number(String)
    case notANumber
    case invalidCountryCode
    case tooShort
  }

  package let outcome: Outcome

  /// `country`: ISO 3166-1 alpha-2, for texts without a calling code.
  package init(_ text: String, from country: String) {
    guard let core = DialledCore(text) else {
      outcome = .notANumber
      return
    }
    let prefixes = DialledPrefixes.of(country)
    let digits = core.digits
    if core.hasPlus {
      outcome = Self.abroad(digits)
    } else if let rest = prefixes.exit(of: digits) {
      outcome = Self.abroad(rest)
    } else if let code = PublicNumberingPlan.world.callingCode(ofCountry: country)
      .flatMap({ PublicNumberingPlan.world.callingCode(before: $0[...]) })
    {
      outcome = Self.home(digits, code, prefixes)
    } else {
      outcome = .invalidCountryCode
    }
  }

  /// The number in E.164; nil if the text is none.
  package var number: PhoneNumber? {
    if case .number(let text) = outcome { PhoneNumber(text) } else { nil }
  }

  /// Digits with a calling code.
  private static func abroad(_ digits: Substring) -> Outcome {
    guard digits.utf8.count > 2 else { return .tooShort }
    guard let code = PublicNumberingPlan.world.callingCode(before: digits) else {
      // A seed can make such numbers valid.
      return digits.first == "0" ? .invalidCountryCode : .number("+\(digits)")
    }
    let prefixes = DialledPrefixes.of(code.country ?? "")
    return number(digits.dropFirst(code.digits.utf8.count), code, prefixes)
  }

  /// Digits without a plus sign, which may begin with the country's own calling code.
  private static func home(
    _ digits: Substring, _ code: PublicNumberingPlan.CallingCode, _ prefixes: DialledPrefixes
  ) -> Outcome {
    guard digits.hasPrefix(code.digits) else { return number(digits, code, prefixes) }
    let rest = digits.dropFirst(code.digits.utf8.count)
    let bare = prefixes.withoutTrunk(rest, code)
    let isAbroad =
      !code.has(digits) && code.has(bare) || code.problem(ofLength: digits.utf8.count) == .tooLong
    return number(isAbroad ? bare : digits, code, prefixes)
  }

  private static func number(
    _ digits: Substring, _ code: PublicNumberingPlan.CallingCode, _ prefixes: DialledPrefixes
  ) -> Outcome {
    let bare = prefixes.withoutTrunk(digits, code)
    let isPossible = ![.tooShort, .invalidLength].contains(code.problem(ofLength: bare.utf8.count))
    let national = isPossible ? bare : digits
    return national.utf8.count < 2 ? .tooShort : .number("+\(code.digits)\(national)")
  }
}

extension PublicNumberingPlan.CallingCode {
  /// True if a number with these digits after the code exists.
  func has(_ digits: Substring) -> Bool {
    PhoneNumber("+\(self.digits)\(digits)").map { PublicNumberingPlan.world.lineType(of: $0) != nil } ?? false
  }
}

/// What people dial before numbers, which is not part of them.
struct DialledPrefixes {
  /// Before numbers of other countries, longest first, and before those of the country.
  private var exits: [Substring] = []
  private var trunks: [Substring] = []
  /// Digits that local numbers have after the calling code: `684:7:25`.
  private var local: (digits: Substring, length: Int, first: Substring)?
  /// Digits after the area code, and those before it that mean the same: `15:9`.
  private var moved: (from: Substring, to: Substring)?

  static func of(_ country: String) -> DialledPrefixes {
    all[country] ?? DialledPrefixes(words: [">00", "0"])
  }

  private static let all = embedded {
    let rows = try TextTable(PackageResources.DialledPrefixes_txt, columns: 2...2).rows
    return Dictionary(grouping: rows) { $0[0] }
      .mapValues { rows in DialledPrefixes(words: rows.flatMap { $0.words(1) }.map { $0[...] }) }
  }

  private init(words: [Substring]) {
    for word in words {
      let parts = word.split(separator: ":")
      switch parts.count {
      case 3: local = (parts[0], Int(parts[1]) ?? 0, parts[2])
      case 2: moved = (parts[0], parts[1])
      default: if word.first == ">" { exits.append(word.dropFirst()) } else { trunks.append(word) }
      }
    }
  }

  /// The digits after the prefix for calls abroad; nil without one. No calling code begins with 0.
  func exit(of digits: Substring) -> Substring? {
    let rest = exits.lazy.compactMap { Self.rest(of: digits, after: $0) }.first
    return rest?.first == "0" ? nil : rest
  }

  /// The digits without the prefix for calls within the country, unless only with it they are a number.
  func withoutTrunk(_ digits: Substring, _ code: PublicNumberingPlan.CallingCode) -> Substring {
    guard let bare = bare(digits, code), !code.has(digits) || code.has(bare) else { return digits }
    return bare
  }

  private func bare(_ digits: Substring, _ code: PublicNumberingPlan.CallingCode) -> Substring? {
    if let local, digits.utf8.count == local.length, digits.first.map(local.first.contains) ?? false {
      return local.digits + digits
    }
    let plain = trunks.lazy.compactMap { Self.rest(of: digits, after: $0) }.first
    return moved.flatMap { move in
      (2...4).lazy.compactMap { Self.moving(move, in: plain ?? digits, behind: $0) }.first(where: code.has)
    } ?? plain
  }

  private static func moving(
    _ move: (from: Substring, to: Substring), in digits: Substring, behind length: Int
  ) -> Substring? {
    let rest = digits.dropFirst(length)
    guard rest.hasPrefix(move.from) else { return nil }
    return move.to + digits.prefix(length) + rest.dropFirst(move.from.count)
  }

  /// `prefix` may have `x` for any digit and `~10` for so many that follow.
  private static func rest(of digits: Substring, after prefix: Substring) -> Substring? {
    let parts = prefix.split(separator: "~")
    let count = parts[0].utf8.count
    guard digits.utf8.count >= count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0),
      zip(digits.utf8, parts[0].utf8).allSatisfy({ $0 == $1 || $1 == UInt8(ascii: "x") })
    else { return nil }
    return digits.dropFirst(count)
  }
}
