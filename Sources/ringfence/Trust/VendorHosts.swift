import Catalog
import HTTP
import ProviderKit

/// The host names of all providers.
enum VendorHosts {
  static let all = HostNames(
    catalog.flatMap { $0.hosts }.sorted(), patterns: catalog.flatMap { $0.hostPatterns })

  /// Names and the known names of patterns, for files without wildcards.
  static var knownNames: [String] {
    (all.names + all.patterns.flatMap(\.knownNames)).sorted()
  }

  /// The domains of patterns.
  static var domains: [String] { Set(all.patterns.map(\.domain)).sorted() }
}
