import HTTP

/// Looks where the proxy variables lead.
struct ProxyExamination: Examination {
  static let area = "proxy"
  let subject: Subject

  /// Whether clients that look at them come to the sandbox.
  var leadsHere: Bool { proxies.contains { $0.leadsHere } }

  func findings() -> [Finding] {
    let proxies = proxies
    guard !proxies.isEmpty else {
      return [
        .note(
          "no proxy variable leads anywhere",
          fix: "ringfence run -- CMD, or eval \"$(ringfence env --proxy --format sh)\"")
      ]
    }
    return proxies.map(judge) + (leadsHere ? hidden : [])
  }

  /// A variable and where it leads.
  private struct Proxy {
    let variable: String
    let text: String
    let leadsHere: Bool
  }

  private var proxies: [Proxy] {
    ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].compactMap {
      variable in
      guard let text = Environment[variable] else { return nil }
      let url = AbsoluteURL(text.contains("://") ? text : "http://\(text)")
      return Proxy(variable: variable, text: text, leadsHere: url.map(subject.isSame) ?? false)
    }
  }

  private func judge(_ proxy: Proxy) -> Finding {
    guard proxy.leadsHere else {
      return .doubtful(
        "\(proxy.variable) leads to \(masked(proxy.text)): requests to the vendors go there, and leave this machine",
        fix: "export \(proxy.variable)=\(subject.url.origin)")
    }
    do {
      let mode = Handshake.ConnectionMode.tunnel(host: subject.url.host, port: subject.url.port)
      try Handshake.reach(Authority.names[0], by: mode)
      return .good("\(proxy.variable) leads to the sandbox, which takes \(Authority.names[0]) for its own")
    } catch {
      return .bad("\(proxy.variable) leads to the sandbox, but: \(error)", fix: "ringfence serve")
    }
  }

  /// Without what somebody signs in with.
  private func masked(_ url: String) -> String {
    guard let at = url.lastIndex(of: "@") else { return url }
    return "…" + url[at...]
  }

  /// The catalogue's hosts that clients are told to reach without the proxy.
  private var hidden: [Finding] {
    ["NO_PROXY", "no_proxy"].compactMap { variable in
      guard let list = Environment[variable] else { return nil }
      let hosts = DirectList(list).providersHosts
      guard !hosts.isEmpty else { return nil }
      return .bad(
        "\(variable)=\(list) hides \(hosts.joined(separator: ", ")) from the proxy: requests to them leave this machine",
        fix: "export \(variable)=localhost,127.0.0.1,::1")
    }
  }
}
