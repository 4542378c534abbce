import Catalog
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

  /// The advice for a client that `ringfence run` does not reach.
  var fix: String { reachIsolated == .yes ? "ringfence run --isolated -- CMD" : "use a newer version" }

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
    let names = ["", "requirements/", "gradle/"].flatMap { part in
      ((try? Files.names(in: "\(folder)/\(part)")) ?? []).sorted().map { part + $0 }
    }
    let unreached = MeasuredClient.all.filter { $0.reach != .yes && $0.package != nil }
    return names.flatMap { file -> [UnreachedPackage] in
      guard let language = language(of: file) else { return [] }
      let text = (try? Files.read("\(folder)/\(file)", limit: sizeLimit)) ?? []
      let words = DependencyWords(String(decoding: text, as: UTF8.self), inLanguage: language)
      return unreached.filter { $0.language == language && words.name($0) }
        .map { UnreachedPackage(file: file, client: $0) }
    }
  }

  /// In bytes.
  private static let sizeLimit = 4 << 20

  private static func language(of file: String) -> String? {
    switch file {
    case "Gemfile", "Gemfile.lock": "ruby"
    case "pom.xml", "build.gradle", "build.gradle.kts", "gradle/libs.versions.toml": "java"
    case "pyproject.toml", "poetry.lock", "uv.lock", "Pipfile", "setup.py", "setup.cfg": "python"
    case _ where file.hasSuffix(".gemspec"): "ruby"
    case _ where file.contains("requirements") && file.hasSuffix(".txt"): "python"
    default: nil
    }
  }
}

/// The names and versions in a list of dependencies.
private struct DependencyWords {
  private struct Word {
    /// In lower case, with hyphens as Python's indexes write names (PEP 503).
    let text: String
    /// The characters up to the next word: `>=`, `", "`.
    let gap: Substring

    /// The first number of a version, and whether only zeros follow; nil for another word.
    var version: (major: Int, isWhole: Bool)? {
      let parts = text.split(separator: ".")
      guard let first = parts.first, let major = Int(first), major >= 0 else { return nil }
      return (major, parts.dropFirst().allSatisfy { Int($0) == 0 })
    }
  }

  private let words: [Word]

  init(_ text: String, inLanguage language: String) {
    var words: [Word] = []
    for line in text.split(whereSeparator: \.isNewline) {
      var rest = (language == "java" ? line : line.prefix { $0 != "#" }).drop { !Self.isPart($0) }
      while !rest.isEmpty {
        let word = rest.prefix(while: Self.isPart)
        let gap = rest[word.endIndex...].prefix { !Self.isPart($0) }
        rest = rest[gap.endIndex...]
        words.append(
          Word(
            text: word.lowercased().replacing("_", with: "-"), gap: rest.isEmpty ? "\n" : gap))
      }
    }
    self.words = words
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-_.".contains(character)
  }

  func name(_ client: MeasuredClient) -> Bool {
    words.indices.contains { index in
      guard words[index].text == client.package, !words[index].gap.hasPrefix("://") else { return false }
      return client.endsBefore.map { allows($0, after: index) } ?? true
    }
  }

  /// True if what follows a name keeps the version below `end`: `==6.63.2`, `>=6,<7`, `= "^6"`, and as locks
  /// have it, `version = "6.63.2"`.
  private func allows(_ end: Int, after index: Int) -> Bool {
    var place = index
    if words[(place + 1)...].first?.text == "version" { place += 1 }
    var separator = ""
    while let version = words[(place + 1)...].first?.version {
      let gap = words[place].gap
      guard gap != "\n", gap.contains(",") == (separator == ",") else { return false }
      let isBelow = version.major < end || version.major == end && version.isWhole && gap.hasSuffix("<")
      if isBelow, !gap.contains(">"), !gap.contains("!") { return true }
      (place, separator) = (place + 1, ",")
    }
    return false
  }
}
