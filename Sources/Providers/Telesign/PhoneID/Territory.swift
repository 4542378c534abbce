import ProviderKit

/// A country or region with its part of the world's numbering plan. Source: contract 10.2.
struct Territory: Equatable {
  /// The digits with which its numbers begin.
  let callingCode: String
  /// ISO 3166-1 alpha-2.
  let iso2: String
  /// ISO 3166-1 alpha-3.
  let iso3: String
  /// Its English name.
  let name: String
  /// How many digits stand behind the code.
  let lengths: ClosedRange<Int>
  /// Hours from UTC with their sign, least and greatest.
  let offsets: (least: String, greatest: String)

  /// The territory of a number: the one that its record names, where the code is that one's, else the main one of
  /// the code; nil where no plan has the code.
  static func of(_ digits: String, in country: String?) -> Territory? {
    for length in 1...3 {
      guard let territories = byCode[String(digits.prefix(length))] else { continue }
      return territories.first { $0.iso2 == country } ?? territories.first
    }
    return nil
  }

  /// The territory of this name in ISO 3166-1 alpha-2.
  static func named(_ iso2: String) -> Territory? {
    byCode.values.lazy.compactMap { $0.first { $0.iso2 == iso2 } }.first
  }

  /// Whether two are the same.
  static func == (one: Territory, other: Territory) -> Bool {
    one.iso2 == other.iso2 && one.callingCode == other.callingCode
  }

  private static let byCode = Dictionary(
    grouping: territoryRows.split(separator: "\n").map(Territory.init(row:)), by: \.callingCode)

  private init(row: Substring) {
    let words = row.split(separator: " ", maxSplits: 7).map(String.init)
    guard words.count == 8, let fewest = Int(words[3]), let most = Int(words[4]) else {
      preconditionFailure("no territory: \(row)")
    }
    (callingCode, iso2, iso3, name) = (words[0], words[1], words[2], words[7])
    lengths = fewest...most
    offsets = (least: words[5], greatest: words[6])
  }
}
