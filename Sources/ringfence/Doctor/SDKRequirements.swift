import Catalog
import ProviderKit

extension SDK {
  /// The SDKs of every provider, then the languages.
  static let all =
    catalog.flatMap { $0.sdks } + Language.allCases.map { SDK($0.rawValue, $0, baseURL: nil) }

  /// The arguments of `--sdk`: a provider's name stands for all its SDKs.
  static let names = catalog.map { $0.name } + all.map(\.name)

  static func all(named name: String) -> [SDK] {
    catalog.first { $0.name == name }?.sdks ?? all.filter { $0.name == name }
  }

  /// The ways in which it can reach the sandbox at a URL, each with its first step.
  func requirements(at url: String) -> [CheckResult] {
    var ways: [CheckResult] = []
    if let baseURL {
      ways.append(.info("\(name) can use another base URL", fix: baseURL.replacing("$URL", with: url)))
    }
    if !proxy.isEmpty {
      ways.append(.info("\(name), unchanged, can use a proxy: \(proxy)", fix: "ringfence run -- CMD"))
    }
    return ways + [
      .info(
        "\(name), unchanged, trusts the certificates that \(language.rawValue) trusts",
        fix: "eval \"$(ringfence ca --trust \(language.rawValue))\""),
      .info(
        "\(name), unchanged and without a proxy, needs the providers' host names to resolve to the sandbox",
        fix: "ringfence run --isolated -- CMD"),
    ]
  }
}
