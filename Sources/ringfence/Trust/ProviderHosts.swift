import Catalog
import ProviderKit

enum ProviderHosts {
  static let all = hosts(of: catalog)
  /// Those of providers that speak HTTP/2.
  static let withHTTP2 = hosts(of: catalog.filter { $0.address.speaksHTTP2 })

  private static func hosts(of providers: [any Provider.Type]) -> HostNames {
    HostNames(
      providers.flatMap { $0.address.hosts }.sorted(), patterns: providers.flatMap { $0.address.hostPatterns }
    )
  }

  /// The name of the provider whose host it is; empty for another host.
  static func provider(of host: String) -> String {
    catalog.first { hosts(of: [$0]).contains(host.lowercased()) }?.name ?? ""
  }

  /// Names and the known names of patterns, for files without wildcards.
  static var knownNames: [String] {
    (all.names + all.patterns.flatMap(\.knownNames)).sorted()
  }

  static var domains: [String] { Set(all.patterns.map(\.domain)).sorted() }
}
