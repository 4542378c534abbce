import ProviderKit

/// The provider's texts for status codes; braces are placeholders. Source: `data/telesign-codes.json`.
enum StatusTexts {
  static subscript(_ code: Int) -> String { all[code] ?? "Unknown status" }

  static let all = embedded {
    let rows = TelesignProvider.errorTable.rows
    let omnichannel = rows.filter { $0.format == ErrorFormat.omnichannel.rawValue }
    var texts = Dictionary(uniqueKeysWithValues: omnichannel.map { (Int($0.code) ?? 0, $0.text) })
    for row in try TextTable(PackageResources.StatusTexts_txt, columns: 2...2).rows {
      texts[try row.number(0)] = row[1]
    }
    return texts
  }
}
