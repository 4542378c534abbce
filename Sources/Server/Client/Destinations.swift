package import Loop

/// Where outgoing requests may go: to this machine, and to hosts that somebody has allowed by name.
///
/// What counts is the address that is connected to, not the name that led to it: a name that changes its address
/// between two look-ups (DNS rebinding) gains nothing, for there is one look-up.
package struct Destinations: Sendable, Equatable {
  /// Names, `*.` with a domain's end, literal addresses, or `*` for all.
  private let allowed: [String]

  /// This machine and these hosts.
  package init(allowing hosts: [String] = []) {
    allowed = hosts.map { $0.lowercased().filter { $0 != "[" && $0 != "]" } }
  }

  /// Why a host with these addresses may not be reached; nil when it may.
  package func refusal(of host: String, at addresses: [SocketAddress]) -> String? {
    guard !allows(host) else { return nil }
    guard let foreign = addresses.first(where: { !$0.isLoopback }) else { return nil }
    let place = foreign.host == host ? "\(host) is" : "\(host) leads to \(foreign.host), which is"
    return "\(place) no loopback address; start with --webhook-allow \(host) to let requests go there"
  }

  /// Whether a host may have any address.
  package func allows(_ host: String) -> Bool {
    let host = host.lowercased()
    return allowed.contains { entry in
      entry == "*" || entry == host || entry.hasPrefix("*.") && host.hasSuffix(entry.dropFirst())
    }
  }
}
