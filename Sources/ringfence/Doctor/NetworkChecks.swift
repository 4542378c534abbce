import Glibc
import HTTP
import Isolation

/// Resolves the providers' host names as any client of this machine does.
struct NameCheck: Check {
  static let name = "names"
  private let hosts: [(name: String, destination: Destination)]

  private enum Destination: Equatable {
    /// An address of this machine or of a private network.
    case local
    case unresolved
    case remote(String)
  }

  /// Resolves all names. If offline, each DNS server costs one second instead of ten.
  init() {
    setenv("RES_OPTIONS", "timeout:1 attempts:1", 0)
    hosts = ProviderHosts.all.names.map { ($0, Self.destination(of: $0)) }
  }

  /// True if at least one name resolves to this network, so that clients without a proxy get here.
  var resolvesHere: Bool { hosts.contains { $0.destination == .local } }

  func results() -> [CheckResult] {
    let local = hosts.filter { $0.destination == .local }
    let remote = hosts.compactMap { host in
      if case .remote(let address) = host.destination { "\(host.name) (\(address))" } else { nil }
    }
    if local.count == hosts.count {
      return [.ok("all \(local.count) provider host names resolve to this network")]
    }
    if !remote.isEmpty {
      return [
        .warning(
          "without a proxy or a base URL, requests leave this machine: \(remote.joined(separator: ", "))",
          fix: "ringfence run --isolated -- CMD, where they resolve to the sandbox",
          "or in /etc/hosts: 127.0.0.1 \(hosts.map(\.name).joined(separator: " "))")
      ]
    }
    let count = hosts.count - local.count
    return [.info("\(count) provider host names do not resolve here; use a proxy or a base URL")]
  }

  private static func destination(of host: String) -> Destination {
    guard let address = try? PlainSocket.addresses(of: host, port: 443).first else { return .unresolved }
    let bytes = withUnsafeBytes(of: address.sin_addr.s_addr) { Array($0) }
    return isLocal(bytes) ? .local : .remote(bytes.map(String.init).joined(separator: "."))
  }

  /// Loopback and private networks, such as containers have (RFC 1122, RFC 1918).
  private static func isLocal(_ address: [UInt8]) -> Bool {
    switch (address[0], address[1]) {
    case (127, _), (10, _), (192, 168), (172, 16...31): true
    default: false
    }
  }
}

struct ProxyCheck: Check {
  static let name = "proxy"
  let target: DoctorTarget

  /// True if a proxy variable points to the sandbox.
  var pointsHere: Bool { proxies.contains { $0.pointsHere } }

  func results() -> [CheckResult] {
    let proxies = proxies
    guard !proxies.isEmpty else {
      return [
        .info(
          "no proxy variable is set",
          fix: "ringfence run -- CMD, or eval \"$(ringfence env --proxy --format sh)\"")
      ]
    }
    return proxies.map(result) + (pointsHere ? bypasses : [])
  }

  private struct Proxy {
    let variable: String
    let text: String
    let pointsHere: Bool
  }

  private var proxies: [Proxy] {
    ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].compactMap {
      variable in
      guard let text = Environment[variable] else { return nil }
      let url = AbsoluteURL(text.contains("://") ? text : "http://\(text)")
      return Proxy(variable: variable, text: text, pointsHere: url.map(target.matches) ?? false)
    }
  }

  private func result(for proxy: Proxy) -> CheckResult {
    guard proxy.pointsHere else {
      return .warning(
        "\(proxy.variable) points to \(masked(proxy.text)): requests to the providers leave this machine through it",
        fix: "export \(proxy.variable)=\(target.url.origin)")
    }
    do {
      let mode = Handshake.ConnectionMode.tunnel(host: target.url.host, port: target.url.port)
      try Handshake.reach(ProviderHosts.all.names[0], by: mode)
      return .ok("\(proxy.variable) points to the sandbox, which answers for \(ProviderHosts.all.names[0])")
    } catch {
      return .error("\(proxy.variable) points to the sandbox, but: \(error)", fix: "ringfence serve")
    }
  }

  /// Without user name and password.
  private func masked(_ url: String) -> String {
    guard let at = url.lastIndex(of: "@") else { return url }
    return "…" + url[at...]
  }

  /// Provider hosts that `NO_PROXY` excludes from the proxy.
  private var bypasses: [CheckResult] {
    ["NO_PROXY", "no_proxy"].compactMap { variable in
      guard let list = Environment[variable] else { return nil }
      let hosts = NoProxyList(list).providerHosts
      guard !hosts.isEmpty else { return nil }
      return .error(
        "\(variable)=\(list) bypasses the proxy for \(hosts.joined(separator: ", ")): requests to them leave this machine",
        fix: "export \(variable)=localhost,127.0.0.1,::1")
    }
  }
}

/// Checks that `ringfence run --isolated` can create namespaces, by creating some. Must run last: this
/// process loses its user and its network.
struct IsolationCheck: Check {
  static let name = "isolation"

  func results() -> [CheckResult] {
    do {
      try Namespaces.create()
      return [.ok("ringfence run --isolated works here")]
    } catch {
      return [
        .warning(
          "ringfence run --isolated does not work here: \(error.reason)",
          fix: error.remedy ?? "use ringfence run without --isolated; it sets proxy variables")
      ]
    }
  }
}
