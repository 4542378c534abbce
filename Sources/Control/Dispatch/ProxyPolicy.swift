package import HTTP

/// Which hosts are inside, so that requests for them end here, whoever else they may belong to; which others may be
/// reached; and that nothing else is.
package struct ProxyPolicy: Sendable {
  /// Where a request to the proxy leads.
  enum Side {
    /// To us.
    case inside
    /// Out, through a gate.
    case outside
    /// Nowhere.
    case denied
  }

  private let providers: Set<String>
  private let own: Set<Authority>
  private let ownPorts: Set<UInt16>
  private let publicHost: String?
  private let gates: HostList

  /// A fence around the providers' hosts, the addresses on which we listen, and the host by which others reach us;
  /// with gates to these hosts outside.
  package init(
    providers: [String] = [], listening own: [Authority] = [], publicHost: String? = nil,
    gates: HostList = HostList()
  ) {
    self.providers = Set(providers)
    self.own = Set(own)
    ownPorts = Set(own.compactMap(\.port))
    self.publicHost = publicHost
    self.gates = gates
  }

  /// Where a request for this place leads; a provider's host is inside whatever the port.
  func side(of place: Authority) -> Side {
    if providers.contains(place.host) || isOwn(place) { return .inside }
    return gates.contains(place.host) ? .outside : .denied
  }

  private func isOwn(_ place: Authority) -> Bool {
    if place.host == publicHost || own.contains(place) { return true }
    return ownPorts.contains(place.port ?? 80) && Self.isLoopback(place.host)
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isNumber }
  }
}
