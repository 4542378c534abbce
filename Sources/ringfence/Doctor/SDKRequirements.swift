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
    return ways + underRun + [
      .info(
        "\(name), unchanged, trusts the certificates that \(language.rawValue) trusts",
        fix: "eval \"$(ringfence ca --trust \(language.rawValue))\""),
      .info(
        "\(name), unchanged and without a proxy, needs the providers' host names to resolve to the sandbox",
        fix: "ringfence run --isolated -- CMD"),
    ]
  }

  /// What was measured of it, or of the clients of its language if it is a language.
  private var underRun: [CheckResult] {
    let isLanguage = name == language.rawValue
    let measured = MeasuredClient.all.filter { isLanguage ? $0.language == name : $0.sdk == name }
    let unreached = measured.filter { $0.reach != .yes }.map {
      CheckResult.warning(
        "\($0.name), unchanged, \($0.reach == .ignoresProxy ? "ignores the proxy" : "does not trust the sandbox")",
        fix: $0.fix)
    }
    let reached = measured.filter { $0.reach == .yes }.map(\.name)
    guard !proxy.isEmpty, measured.isEmpty || !reached.isEmpty else { return unreached }
    let who = isLanguage && !reached.isEmpty ? reached.joined(separator: "; ") : name
    return [.info("\(who), unchanged, can use a proxy: \(proxy)", fix: "ringfence run -- CMD")] + unreached
  }
}
