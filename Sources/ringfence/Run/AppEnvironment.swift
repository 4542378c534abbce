import Catalog
import ProviderKit

/// The environment variables that make an unmodified app use a sandbox, in the order in which they are shown.
struct AppEnvironment {
  struct Entry: Equatable {
    let name: String
    let value: String
    let purpose: Purpose
  }

  /// Decides what happens if the variable is set already.
  enum Purpose: Hashable {
    /// The sandbox's address.
    case sandbox
    /// A credential of this provider.
    case account(provider: String)
    /// A variable that only the provider's examples read. A value of the user is kept without a note.
    case example
    case baseURL(provider: String)
    /// Routes requests through the sandbox.
    case proxy
    /// Hosts to reach without the proxy, separated by commas.
    case noProxy
    /// A file with trusted certificates.
    case trust
    /// Options for every process of a runtime, separated by spaces.
    case options
    /// Additional folders, separated by colons.
    case folders

    /// True if `--overwrite` still keeps the user's value, because other settings are in it.
    var isShared: Bool { self == .options || self == .folders }

    /// The provider, if only its clients read the variable.
    var provider: String? {
      switch self {
      case .account(let provider), .baseURL(let provider): provider
      case .sandbox, .example, .proxy, .noProxy, .trust, .options, .folders: nil
      }
    }
  }

  /// The addresses of a sandbox.
  struct Place {
    /// Scheme, authority and, for a sandbox other than the default one, `/s/NAME`.
    var url: String
    /// The same over TLS; nil if off.
    var https: String?
    /// The cellular gateway's own listener; nil if off.
    var gateway: String?
  }

  /// A file that a variable names.
  struct File: Equatable {
    let path: String
    let text: String
    /// Only the owner may read it.
    let isSecret: Bool

    /// Writes it, and creates its folder if needed.
    func write() throws {
      if let end = path.lastIndex(of: "/") { try Files.makeFolders(String(path[..<end])) }
      try Files.write(text, to: path, isSecret: isSecret)
    }
  }

  static let urlVariable = "RINGFENCE_URL"
  static let httpsVariable = "RINGFENCE_HTTPS_URL"
  static let gatewayVariable = "RINGFENCE_GATEWAY_URL"

  private var plain: [Entry] = []
  private var javaOptions: [String] = []
  /// The files that variables name. Write them before the variables are used.
  private(set) var files: [File] = []
  let acceptsUnknownAccounts: Bool
  /// The folder of `files`.
  let folder: String
  private(set) var trusted: TrustFiles?

  init(of sandbox: Sandbox, at place: Place, filesIn folder: String) throws {
    try self.init(admittingUnknownAccounts: sandbox.acceptsUnknownAccounts, at: place, filesIn: folder) {
      try $0.credentials(of: sandbox)
    }
  }

  /// For a sandbox of which only the credentials are known.
  init(
    admittingUnknownAccounts: Bool = false, at place: Place, filesIn folder: String,
    credentials: (any Provider.Type) throws -> [(name: String, value: String)]
  ) rethrows {
    self.folder = folder
    acceptsUnknownAccounts = admittingUnknownAccounts
    add(Self.urlVariable, place.url, .sandbox)
    if let https = place.https { add(Self.httpsVariable, https, .sandbox) }
    if let gateway = place.gateway { add(Self.gatewayVariable, gateway, .sandbox) }
    for provider in catalog { add(provider, with: try credentials(provider), at: place.url) }
  }

  var entries: [Entry] {
    guard !javaOptions.isEmpty else { return plain }
    return plain + [
      Entry(name: "JAVA_TOOL_OPTIONS", value: javaOptions.joined(separator: " "), purpose: .options)
    ]
  }

  private mutating func add(_ name: String, _ value: String, _ purpose: Purpose) {
    plain.append(Entry(name: name, value: value, purpose: purpose))
  }

  private mutating func add(
    _ provider: any Provider.Type, with credentials: [(name: String, value: String)], at url: String
  ) {
    for variable in provider.variables {
      let account = variable.isForExamples ? Purpose.example : .account(provider: provider.name)
      switch variable.content {
      case .baseURL: add(variable.name, url, .baseURL(provider: provider.name))
      case .phoneNumber: add(variable.name, Self.phoneNumber, account)
      case .credential(let wanted):
        guard let found = credentials.first(where: { $0.name == wanted }) else { continue }
        add(variable.name, found.value, account)
      case .fileOf(let wanted, let type):
        guard let found = credentials.first(where: { $0.name == wanted }) else { continue }
        let path = "\(folder)/\(provider.name)-\(wanted).\(type)"
        files.append(File(path: path, text: found.value, isSecret: true))
        add(variable.name, path, account)
      case .authorities: continue
      }
    }
  }

  /// A reachable mobile number of the default story.
  private static let phoneNumber = "12025550100"
}

// MARK: Proxy and trust

extension AppEnvironment {
  /// The sandbox's address as a proxy.
  struct Proxy {
    let host: String
    let port: UInt16
    /// Nil for the default sandbox.
    var sandbox: String?

    /// The sandbox is the user name. Clients send no user name without a password.
    var url: String {
      let user = sandbox.map { "\($0):ringfence@" } ?? ""
      return "http://\(user)\(HTTP.Authority(host: host, port: port))"
    }
  }

  /// Hosts that are always reached without the proxy: the app under test and its neighbours. Node's `fetch`
  /// compares an address of IPv6 with its brackets, at which httpx fails. The last entry serves both: Node
  /// splits it at the blank, and httpx reads a URL with an odd path.
  private static let localHosts = ["localhost", "127.0.0.1", "::1", "all://localhost/ [::1]"]

  /// Routes the requests of clients that read proxy variables through the sandbox.
  ///
  /// Both in upper and lower case: curl reads `http_proxy` only, other programs `HTTP_PROXY` only. Node reads
  /// them if `NODE_USE_ENV_PROXY` is set (since 22.21 and 24.5).
  mutating func useProxy(_ proxy: Proxy) {
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"] {
      add(name, proxy.url, .proxy)
    }
    let direct = Self.localHosts + (Self.localHosts.contains(proxy.host) ? [] : [proxy.host])
    for name in ["NO_PROXY", "no_proxy"] { add(name, direct.joined(separator: ","), .noProxy) }
    add("NODE_USE_ENV_PROXY", "1", .proxy)
    for scheme in ["http", "https"] {
      javaOptions += ["-D\(scheme).proxyHost=\(proxy.host)", "-D\(scheme).proxyPort=\(proxy.port)"]
    }
  }

  /// Leads Node's connections to the providers' hosts to these ports of the loopback, also those of clients
  /// that read no proxy variables.
  mutating func leadNode(toHTTP http: UInt16, https: UInt16) {
    let preload = File(
      path: "\(folder)/preload.cjs", text: NodePreload.text(http: http, https: https), isSecret: false)
    files.append(preload)
    let option = "--require=\(preload.path)"
    add("NODE_OPTIONS", NodePreload.quoted(option), .options)
  }

  /// Makes clients trust the sandbox's certificates, in addition to those that this machine trusts.
  mutating func trust(_ files: TrustFiles) {
    trusted = files
    for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "DENO_CERT"] {
      add(name, files.bundle, .trust)
    }
    add("NODE_EXTRA_CA_CERTS", files.authority, .trust)
    for variable in catalog.flatMap({ $0.variables }) {
      if case .authorities = variable.content { add(variable.name, files.bundle, .trust) }
    }
    trustInPHP(files)
    javaOptions += files.javaOptions
  }

  /// PHP has no variable for a certificate file, but one for folders of settings. The empty entry keeps its
  /// default.
  private mutating func trustInPHP(_ files: TrustFiles) {
    let settings = ["curl.cainfo", "openssl.cafile"].map { "\($0)=\"\(files.bundle)\"\n" }.joined()
    self.files.append(File(path: "\(folder)/php/trust.ini", text: settings, isSecret: false))
    add("PHP_INI_SCAN_DIR", ":\(folder)/php", .folders)
  }
}
