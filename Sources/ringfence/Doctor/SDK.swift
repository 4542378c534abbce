/// What an SDK, or a language without one, needs to reach the sandbox.
struct SDK {
  /// What an SDK is written in; the word is also that of `ringfence ca --trust`.
  enum Language: String, CaseIterable {
    case python, node, go, java, ruby, php, dotnet, curl
  }

  /// The word that chooses it, such as `twilio-node`.
  let name: String
  /// How it is given another base URL, with `$URL` where that stands; nil where it cannot be.
  let baseURL: String?
  /// What it is written in.
  let language: Language
  /// What leads it to a proxy; empty where nothing does.
  let proxy: String

  /// An SDK that, unless it has a way of its own, goes by proxies as others of its language do.
  init(_ name: String, at baseURL: String?, _ language: Language, proxy: String? = nil) {
    self.name = name
    self.baseURL = baseURL
    self.language = language
    self.proxy = proxy ?? language.proxy
  }

  /// What it needs, each way with its first step.
  func needs(at url: String) -> [Finding] {
    let word = language.rawValue
    let base = baseURL.map {
      [Finding.note("\(name) takes another base URL", fix: $0.replacing("$URL", with: url))]
    }
    let proxied = Finding.note("\(name), unchanged, goes by a proxy: \(proxy)", fix: "ringfence run -- CMD")
    return (base ?? []) + (proxy.isEmpty ? [] : [proxied]) + [
      .note(
        "\(name), unchanged, trusts what \(word) trusts", fix: "eval \"$(ringfence ca --trust \(word))\""),
      .note("\(name), unchanged and without a proxy, goes by names", fix: "ringfence run --isolated -- CMD"),
    ]
  }
}

extension SDK.Language {
  /// What leads its HTTP clients to a proxy.
  fileprivate var proxy: String {
    switch self {
    case .python, .go, .dotnet: "HTTPS_PROXY"
    case .node: "HTTPS_PROXY with NODE_USE_ENV_PROXY=1, from Node 22.21 and 24.5 on"
    case .java: "JAVA_TOOL_OPTIONS with -Dhttps.proxyHost and -Dhttps.proxyPort"
    case .ruby, .php, .curl: "https_proxy"
    }
  }
}
