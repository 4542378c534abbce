import Catalog
import HTTP
import ProviderKit

// What leads clients of the vendors' own hosts to the sandbox, and makes them trust it.

extension AppEnvironment {
  /// What is reached without the proxy, whatever its host: the app under test and its neighbours.
  private static let direct = ["localhost", "127.0.0.1", "::1"]

  /// Leads the requests of every client that looks for a proxy through the sandbox.
  ///
  /// In both cases of letters: curl reads `http_proxy` in lower case only, others in upper case only. Node asks for
  /// `NODE_USE_ENV_PROXY` before it looks at them (from 22.21 and 24.5 on).
  mutating func lead(through proxy: Proxy) {
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"] {
      add(name, proxy.url, .proxy)
    }
    let direct = Self.direct + (Self.direct.contains(proxy.host) ? [] : [proxy.host])
    for name in ["NO_PROXY", "no_proxy"] { add(name, direct.joined(separator: ","), .noProxy) }
    add("NODE_USE_ENV_PROXY", "1", .proxy)
    for scheme in ["http", "https"] {
      javaOptions += ["-D\(scheme).proxyHost=\(proxy.host)", "-D\(scheme).proxyPort=\(proxy.port)"]
    }
  }

  /// A proxy's place.
  struct Proxy {
    /// An address or a name.
    let host: String
    /// A port.
    let port: UInt16
    /// The sandbox that its clients are in; nil for the default one.
    var sandbox: String?

    /// As clients are told: the sandbox is the user's name. Clients send no name without a password.
    var url: String {
      let user = sandbox.map { "\($0):ringfence@" } ?? ""
      return "http://\(user)\(HTTP.Authority(host: host, port: port))"
    }
  }

  /// Makes clients trust the sandbox's certificates, beside what this machine trusts.
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

  /// PHP looks for no variable with a file, but for folders with settings; an empty one stands for the usual.
  private mutating func trustInPHP(_ files: TrustFiles) {
    let settings = ["curl.cainfo", "openssl.cafile"].map { "\($0)=\"\(files.bundle)\"\n" }.joined()
    self.files.append(File(path: "\(folder)/php/trust.ini", text: settings, isSecret: false))
    add("PHP_INI_SCAN_DIR", ":\(folder)/php", .folders)
  }
}
