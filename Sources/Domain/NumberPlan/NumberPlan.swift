package import Numbers

/// The phone numbers that the sandbox accepts. Nothing is ever sent to a real phone, but a real number is
/// personal data. Source: `carrier.md` 4.3 and 5.
package struct NumberPlan {
  /// Which phone numbers to accept.
  package enum Policy: String, CaseIterable, Sendable {
    /// Those that can exist. Each that may be real causes one warning.
    case open
    /// The same without those that may be real, which get the provider's error.
    case safeOnly = "safe-only"
    /// All, also those that cannot exist.
    case any
  }

  unowned let sandbox: Sandbox

  /// Why a provider does not send to a number, for the journal; nil if it does. Prints one warning for a
  /// number that may be real.
  ///
  /// Providers do not call this for their own documented test numbers.
  package func refusal(of number: PhoneNumber, provider: String) throws -> String? {
    if SafeRanges.contains(number) { return nil }
    let validity = try validity(ofUnreserved: number)
    guard validity == .valid else { return Self.explanation(of: validity, number) }
    if SafeRanges.isUnassigned(number) { return nil }
    guard sandbox.shared.numberWarnings.policy != .safeOnly else {
      return "\(number.masked) may belong to a real person, and the server runs with --numbers safe-only"
    }
    sandbox.shared.numberWarnings.warn(about: number, provider: provider)
    return nil
  }

  /// If a number can exist in this sandbox, and else what is wrong with it.
  ///
  /// Numbers that are reserved for fiction can, and so can those with a record and those of a seed's
  /// prefixes.
  package func validity(of number: PhoneNumber) throws -> NumberValidity {
    SafeRanges.contains(number) ? .valid : try validity(ofUnreserved: number)
  }

  /// The same for a number that is not reserved for fiction.
  private func validity(ofUnreserved number: PhoneNumber) throws -> NumberValidity {
    let validity = PublicNumberingPlan.world.validity(of: number)
    guard validity != .valid, sandbox.shared.numberWarnings.policy != .any else { return .valid }
    if try prefixes.contains(where: { $0.contains(number) }) { return .valid }
    return try sandbox.subscribers.recorded(number) == nil ? validity : .valid
  }

  /// The calling code of a country, ISO 3166-1 alpha-2; nil for unknown ones.
  package static func callingCode(ofCountry country: String) -> String? {
    PublicNumberingPlan.world.callingCode(ofCountry: country)
  }

  /// True if a number is reserved for fiction, examples and tests. Real services refuse many of them.
  package func isFictional(_ number: PhoneNumber) -> Bool { SafeRanges.contains(number) }

  /// Why a number is invalid, and how to make it valid.
  package static func explanation(of validity: NumberValidity, _ number: PhoneNumber) -> String {
    let problem = PublicNumberingPlan.world.explanation(of: validity, number)
    return "\(number.masked) cannot exist: \(problem). To accept it, give it a record with "
      + "PUT /control/subscribers/{number}, add a seed's numberPrefixes, or start the server with --numbers any"
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
  private static let limit = 100
}

extension PhoneNumber {
  /// The number with only its first three and its last two digits shown.
  package var masked: String {
    let hidden = String(repeating: "*", count: description.utf8.count - 6)
    return description.prefix(4) + hidden + description.suffix(2)
  }
}

/// Phone numbers that nobody can have: reserved for fiction, examples and tests. Source: `carrier.md` 5. The
/// further cities of the United Kingdom are from the same list, Ofcom's numbers for drama use.
enum SafeRanges {
  static func contains(_ number: PhoneNumber) -> Bool {
    let digits = number.digits
    if EndingTable.ending(ofDigits: digits) != nil { return true }
    // The only range that can have the number is the last one that does not begin after it.
    var (first, end) = (0, ranges.count)
    while first < end {
      let middle = (first + end) / 2
      if ranges[middle].lowerBound > digits { end = middle } else { first = middle + 1 }
    }
    return first > 0 && ranges[first - 1].contains(digits)
  }

  /// True for the unassigned country code 999: nobody has such a number, but it is valid only with a record.
  static func isUnassigned(_ number: PhoneNumber) -> Bool {
    number.description.utf8.starts(with: "+999".utf8)
  }

  /// Sorted, and without overlaps.
  static let ranges: [ClosedRange<Int>] =
    (northAmerica + britain + france + australia + germany + sweden + ireland + spareCodes)
    .sorted { $0.lowerBound < $1.lowerBound }

  /// The area code 555 is not assigned. 555-01xx in other area codes is in the ending table.
  private static let northAmerica = [15_550_000_000...15_559_999_999]

  private static let britain: [ClosedRange<Int>] =
    [
      447_700_900_000...447_700_900_999, 442_079_460_000...442_079_460_999,
      441_632_960_000...441_632_960_999, 448_081_570_000...448_081_570_999,
      441_914_980_000...441_914_980_999,
    ]
    + [113, 114, 115, 116, 117, 118, 121, 131, 141, 151, 161].map { city in
      let first = (44_000 + city) * 10_000_000 + 4_960_000
      return first...first + 999
    }

  private static let france: [ClosedRange<Int>] = [
    33_639_980_000...33_639_989_999, 33_199_000_000...33_199_009_999, 33_261_910_000...33_261_919_999,
    33_353_010_000...33_353_019_999, 33_465_710_000...33_465_719_999, 33_536_490_000...33_536_499_999,
  ]

  private static let australia: [ClosedRange<Int>] =
    [006, 110, 156, 157, 158, 159].map { 61_491_570_000 + $0...61_491_570_000 + $0 }
    + [2, 3, 7, 8].flatMap { area in
      [5550, 7010].map { exchange in
        let first = (610 + area) * 100_000_000 + exchange * 10_000
        return first...first + 9999
      }
    }

  private static let germany: [ClosedRange<Int>] =
    [
      493_023_125_000...493_023_125_999, 496_990_009_000...496_990_009_999,
      494_066_969_000...494_066_969_999, 492_214_710_000...492_214_710_999,
      498_999_998_000...498_999_998_999, 491_713_920_000...491_713_920_099,
      4_917_604_069_000...4_917_604_069_099,
    ]
    + [
      4_915_228_817_386, 4_915_228_895_456, 4_915_254_599_371, 491_729_925_904, 491_729_968_532,
      491_729_973_185, 491_729_973_186, 491_729_980_752, 491_749_091_317, 491_749_464_308,
    ].map { $0...$0 }

  private static let sweden: [ClosedRange<Int>] = [
    46_701_740_605...46_701_740_699, 46_313_900_600...46_313_900_699, 46_406_280_400...46_406_280_499,
    46_846_500_400...46_846_500_499, 46_980_319_200...46_980_319_299,
  ]

  private static let ireland = [353_209_100_000...353_209_199_999]

  /// The unassigned country code 990, with 4 to 12 more digits.
  private static let spareCodes: [ClosedRange<Int>] = (4...12).map { rest in
    var size = 1
    for _ in 0..<rest { size *= 10 }
    return 990 * size...991 * size - 1
  }
}
