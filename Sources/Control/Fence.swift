package import HTTP

/// Which hosts are inside, so that requests for them end here, whoever else they may belong to.
package struct Fence: Sendable {
  /// Where a request to the proxy leads.
  enum Side {
    /// To us.
    case inside
    /// Nowhere.
    case barred
  }

  private let providers: Set<String>
  private let own: Set<Authority>
  private let ownPorts: Set<UInt16>
  private let publicHost: String?

  /// A fence around the providers' hosts, the addresses on which we listen, and the host by which others reach us.
  package init(providers: [String] = [], listening own: [Authority] = [], publicHost: String? = nil) {
    self.providers = Set(providers)
    self.own = Set(own)
    ownPorts = Set(own.compactMap(\.port))
    self.publicHost = publicHost
  }

  /// Where a request for this place leads; a provider's host is inside whatever the port.
  func side(of place: Authority) -> Side {
    isProvider(place.host) || isOwn(place) ? .inside : .barred
  }

  private func isProvider(_ host: String) -> Bool { providers.contains(host) }

  private func isOwn(_ place: Authority) -> Bool {
    if place.host == publicHost || own.contains(place) { return true }
    return ownPorts.contains(place.port ?? 80) && Self.isLoopback(place.host)
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isNumber }
  }
}
