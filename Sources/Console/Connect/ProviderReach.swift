import Markup
import ProviderKit

/// Whether the requests of a provider's clients reach this server, and by which host name.
enum ProviderReach {
  case none
  /// The newest request was for an address of this server.
  case own(host: String, Timestamp)
  /// It was for the provider's host, so a proxy or the network leads here.
  case provider(host: String, Timestamp)

  init(of provider: any Provider.Type, in sandbox: Sandbox) {
    guard let exchange = sandbox.journal.newestFirst.first(where: { $0.owner == provider.name }) else {
      self = .none
      return
    }
    let host = exchange.host ?? "an unknown host"
    self = provider.address.has(host) ? .provider(host: host, exchange.at) : .own(host: host, exchange.at)
  }

  /// - Parameters:
  ///   - provider: its name as people write it.
  ///   - hosts: those that its clients call.
  func html(_ provider: String, hosts: [String]) -> HTML {
    p(.class("reach-state")) {
      switch self {
      case .none:
        span(.class("pill")) { "no request" }
        " Nothing of \(provider) has arrived here lately. If your app has sent something, its client still calls "
        code { hosts.first ?? provider }
        ": give it the address above, or let it run under "
        code { "ringfence run" }
        ". To see what is missing: "
        code { "ringfence doctor" }
        "."
      case .own(let host, let time):
        span(.class("pill ok")) { "arrives" }
        " Your client calls this server. The newest request, at \(time.timeOfDay), was for "
        code { host }
        "."
      case .provider(let host, let time):
        span(.class("pill ok")) { "arrives" }
        " Your client calls the provider's own host, and this server answers. The newest request, at "
        "\(time.timeOfDay), was for "
        code { host }
        " and came through a proxy or your network."
      }
    }
  }
}

extension Journal.Exchange {
  /// The host that the client asked for, without the port.
  fileprivate var host: String? {
    let lines = String(decoding: requestHead, as: UTF8.self).split(separator: "\r\n")
    let field = lines.first { $0.prefix { $0 != ":" }.lowercased() == "host" }
    guard let value = field?.drop(while: { $0 != ":" }).dropFirst().drop(while: { $0 == " " }) else {
      return nil
    }
    return Authority(String(value))?.host ?? String(value)
  }
}

extension ProviderAddress {
  fileprivate func has(_ host: String) -> Bool {
    let host = host.lowercased()
    return hosts.contains(host) || hostPatterns.contains { $0.matches(host) }
  }
}
