import Domain
import JSON
import ProviderKit

/// Counts the requests for a product in each second of the sandbox's clock. Source: contract 15.
struct Meter {
  private let product: Product
  private let limit: Int

  /// The meter of a product, with the limit that the settings set; 0 is none.
  init(_ product: Product, _ settings: Settings) {
    self.product = product
    limit = settings.rates[product]
  }

  /// Counts one request, or refuses it.
  func count(in sandbox: Sandbox, _ family: Family) throws {
    guard limit > 0 else { return }
    let second = Int(sandbox.clock.now.milliseconds / 1000)
    let seen = try sandbox.records.find(product.rawValue, in: Self.section).map {
      let fields = try Fields(Array($0.record.utf8))
      return try fields.int("second") == second ? try fields.int("count") : 0
    }
    guard (seen ?? 0) < limit else {
      throw Problem.rateLimited(in: family)
        .because("more than \(limit) requests in a second (setting rate.\(product.rawValue))")
    }
    let record = JSONWriter.object { json in
      json.member("second", second)
      json.member("count", (seen ?? 0) + 1)
    }
    try sandbox.records.save(record, under: product.rawValue, of: "", in: Self.section)
  }

  private static let section = RecordStore.Section(provider: TelesignProvider.name, kind: "meter")
}
