package import ProviderKit

extension HyphenProvider {
  /// The SDKs are for phones only, and their hosts are compiled in. Source: contract 1.
  package static let sdks = [
    SDK("hyphen-rest", .curl, baseURL: "$URL")
  ]
}
