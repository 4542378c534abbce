import Catalog
import JSON
import ProviderKit

/// An HTTP client, and whether an app that uses it reaches the sandbox under `ringfence run`. A test measures
/// it: `Tests/System/test_http_clients.py`.
struct MeasuredClient {
  enum Reach: String {
    case yes
    /// It reads no proxy variables, or not by default.
    case ignoresProxy = "ignores the proxy"
    /// It has certificate authorities of its own.
    case doesNotTrust = "does not trust"
  }

  let name: String
  let language: String
  let reach: Reach
  let reachIsolated: Reach
  /// Its name in `doctor --sdk`; nil for what no provider offers.
  let sdk: String?
  /// Its name in lists of dependencies; nil if the name does not tell that an app depends on this behaviour.
  let package: String?
  /// The first major version that is different.
  let endsBefore: Int?

  static let all: [MeasuredClient] = {
    guard case .array(let rows)? = try? JSON(parsing: PackageResources.clients_json) else { return [] }
    return rows.compactMap(MeasuredClient.init)
  }()

  /// Nil for a row without the columns that all have.
  private init?(_ row: JSON) {
    func text(_ column: String) -> String? {
      if case .string(let text)? = row[column] { text } else { nil }
    }
    guard let name = text("client"), let language = text("language"),
      let reach = text("run").flatMap(Reach.init), let isolated = text("isolated").flatMap(Reach.init)
    else { return nil }
    self.name = name
    self.language = language
    self.reach = reach
    reachIsolated = isolated
    sdk = text("sdk")
    package = text("package")
    if case .integer(let version)? = row["below"] { endsBefore = Int(version) } else { endsBefore = nil }
  }

  /// The provider whose SDK it is.
  var provider: String? {
    sdk.flatMap { sdk in catalog.first { $0.sdks.contains { $0.name == sdk } }?.name }
  }
}

/// A package on which a project depends, and whose clients `ringfence run` does not reach.
struct UnreachedPackage {
  let file: String
  let client: MeasuredClient

  /// The cause and what helps.
  var advice: String {
    switch (client.reach, client.reachIsolated) {
    case (.ignoresProxy, _): "ignores proxy settings; use --isolated"
    case (_, .yes): "does not trust the sandbox; use --isolated"
    default: "does not trust the sandbox; use a newer version"
    }
  }

  /// Those that a folder's lists of dependencies name.
  static func all(in folder: String) -> [UnreachedPackage] {
    let names = ((try? Files.names(in: folder)) ?? []).sorted()
    let unreached = MeasuredClient.all.filter { $0.reach != .yes && $0.package != nil }
    return names.flatMap { file -> [UnreachedPackage] in
      guard let language = language(of: file) else { return [] }
      let text = (try? Files.read("\(folder)/\(file)", limit: sizeLimit)) ?? []
      let words = DependencyWords(String(decoding: text, as: UTF8.self))
      return unreached.filter { $0.language == language && words.name($0) }
        .map { UnreachedPackage(file: file, client: $0) }
    }
  }

  /// In bytes.
  private static let sizeLimit = 4 << 20

  private static func language(of file: String) -> String? {
    switch file {
    case "Gemfile", "Gemfile.lock": "ruby"
    case "pom.xml", "build.gradle", "build.gradle.kts": "java"
    case "pyproject.toml", "poetry.lock", "uv.lock", "Pipfile": "python"
    case _ where file.hasPrefix("requirements") && file.hasSuffix(".txt"): "python"
    default: nil
    }
  }
}

/// The names and versions in a list of dependencies.
private struct DependencyWords {
  private let words: [Substring]

  init(_ text: String) {
    words = text.split { !($0.isLetter || $0.isNumber || "-_.".contains($0)) }
  }

  /// The version, if it matters, is one of the two words after the name: `twilio==6.63.2`, `name = "twilio"`
  /// and `version = "6.63.2"`.
  func name(_ client: MeasuredClient) -> Bool {
    words.indices.contains { index in
      guard let package = client.package, words[index].lowercased() == package else { return false }
      guard let end = client.endsBefore else { return true }
      let major = words[(index + 1)...].prefix(2).lazy.compactMap { Int($0.prefix(while: \.isNumber)) }.first
      return major.map { $0 < end } ?? false
    }
  }
}
