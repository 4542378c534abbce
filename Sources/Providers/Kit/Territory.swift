/// A country or region with its numbering plan.
package struct Territory: Equatable {
  package let callingCode: String
  /// ISO 3166-1 alpha-2.
  package let iso2: String
  /// ISO 3166-1 alpha-3.
  package let iso3: String
  /// In English.
  package let name: String
  /// Number of digits after the calling code.
  package let lengths: ClosedRange<Int>
  /// Signed hours from UTC.
  package let offsets: (least: String, greatest: String)
  /// Names of the tz database, one for each offset from UTC; none for territories that it does not have.
  package let timeZones: [String]

  /// The territory of a number: `country` if it has the number's calling code, else the main territory of
  /// that code. Nil for an unknown calling code.
  package static func of(_ digits: String, in country: String?) -> Territory? {
    for length in 1...3 {
      guard let territories = byCode[String(digits.prefix(length))] else { continue }
      return territories.first { $0.iso2 == country } ?? territories.first
    }
    return nil
  }

  package static func named(_ iso2: String) -> Territory? {
    byCode.values.lazy.compactMap { $0.first { $0.iso2 == iso2 } }.first
  }

  package static func == (one: Territory, other: Territory) -> Bool {
    one.iso2 == other.iso2 && one.callingCode == other.callingCode
  }

  private static let byCode = embedded {
    var territories: [String: [Territory]] = [:]
    for row in try TextTable(PackageResources.Territories_txt, columns: 9...9).rows {
      territories[row[0], default: []].append(try Territory(row))
    }
    return territories
  }

  private init(_ row: TextTable.Row) throws(TextTable.Mistake) {
    (callingCode, iso2, iso3, name) = (row[0], row[1], row[2], row[7])
    lengths = try row.number(3)...row.number(4)
    offsets = (least: row[5], greatest: row[6])
    timeZones = row.words(8)
  }
}
