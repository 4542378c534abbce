/// A client library of a provider, or a programming language without one, as `ringfence doctor --sdk`
/// describes it.
package struct SDK: Sendable {
  /// The language of an SDK. The raw value is also the argument of `ringfence ca --trust`.
  package enum Language: String, CaseIterable, Sendable {
    case python, node, go, java, ruby, php, dotnet, curl
  }

  /// The argument of `--sdk`, such as `acme-node`.
  package let name: String
  package let language: Language
  /// The code or variable that sets another base URL, with `$URL` as a placeholder; nil if the SDK cannot.
  package let baseURL: String?
  /// The settings that make it use a proxy; empty if it cannot.
  package let proxy: String

  /// Those of a provider's `SDKs.txt`.
  package static func table(_ file: [UInt8]) -> [SDK] {
    embedded {
      try TextTable(file, columns: 3...4).rows.map { row in
        guard let language = Language(rawValue: row[1]) else { throw row.mistake(expected: "a language") }
        let proxy = row.count > 3 ? row.optional(3) ?? "" : nil
        return SDK(row[0], language, baseURL: row.optional(2), proxy: proxy)
      }
    }
  }

  /// `proxy` defaults to what HTTP clients of the language read.
  package init(_ name: String, _ language: Language, baseURL: String?, proxy: String? = nil) {
    self.name = name
    self.language = language
    self.baseURL = baseURL
    self.proxy = proxy ?? language.proxy
  }
}

extension SDK.Language {
  /// The settings that make its HTTP clients use a proxy.
  fileprivate var proxy: String {
    switch self {
    case .python, .go, .dotnet: "HTTPS_PROXY"
    case .node: "HTTPS_PROXY with NODE_USE_ENV_PROXY=1, since 22.21 and 24.5; ringfence run needs neither"
    case .java: "JAVA_TOOL_OPTIONS with -Dhttps.proxyHost and -Dhttps.proxyPort"
    case .ruby, .php, .curl: "https_proxy"
    }
  }
}
