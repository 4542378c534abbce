import HTTP
package import Loop

/// Where outgoing requests may go: to this machine, and to hosts that somebody has allowed by name.
///
/// What counts is the address that is connected to, not the name that led to it: a name that changes its address
/// between two look-ups (DNS rebinding) gains nothing, for there is one look-up.
package struct Destinations: Sendable, Equatable {
  private let allowed: HostList

  /// This machine and these hosts.
  package init(allowing hosts: [String] = []) {
    allowed = HostList(hosts)
  }

  /// Why a host with these addresses may not be reached; nil when it may.
  package func refusal(of host: String, at addresses: [SocketAddress]) -> String? {
    guard !allowed.contains(host) else { return nil }
    guard let foreign = addresses.first(where: { !$0.isLoopback }) else { return nil }
    let place = foreign.host == host ? "\(host) is" : "\(host) leads to \(foreign.host), which is"
    return "\(place) no loopback address; start with --webhook-allow \(host) to let requests go there"
  }
}
