import HTTP
package import Loop

/// The hosts that outgoing connections may reach: this machine, and hosts that the operator allows by name.
/// On a server that others use, this machine must be named too, or they could reach its other services.
///
/// Other names are not looked up, because a look-up leaves this machine. The resolved address is checked too,
/// and each host is looked up only once. So DNS rebinding cannot bypass it.
package struct Destinations: Sendable {
  /// True for a server that others use.
  package var isShared = false
  private let allowed: HostList
  /// The option that allows hosts.
  private let option: String
  private let localNames: @Sendable () -> Set<String>

  /// `localNames` are names of this machine besides `localhost`, in lower case.
  package init(
    allowing hosts: [String] = [], by option: String = "--webhook-allow",
    localNames: @escaping @Sendable () -> Set<String> = { HostsFile.loopbackNames }
  ) {
    allowed = HostList(hosts)
    self.option = option
    self.localNames = localNames
  }

  /// Why a host must not even be looked up; nil if it may.
  package func denialReason(for host: String) -> String? {
    guard !SocketAddress(host: host, port: 0).isNumeric, !allowed.contains(host) else { return nil }
    guard !isShared else { return "\(host) is not allowed\(advice(host))" }
    let name = host.lowercased()
    guard !Authority(host: name, port: nil).isLoopback, !localNames().contains(name) else { return nil }
    return "\(host) is no name of this machine\(advice(host))"
  }

  /// Why a host with these addresses must not be reached; nil if it is allowed.
  package func denialReason(for host: String, at addresses: [SocketAddress]) -> String? {
    guard let denied = addresses.first(where: { !allows($0, of: host) }) else { return nil }
    let subject = denied.host == host ? host : "\(host) (\(denied.host))"
    return "\(subject) is not \(isShared ? "allowed" : "a loopback address")\(advice(host))"
  }

  /// `*` and `*.domain` do not name this machine.
  private func allows(_ address: SocketAddress, of host: String) -> Bool {
    guard isShared else { return address.isLoopback || allowed.contains(host) }
    return allowed.names(host) || allowed.contains(host) && !address.isLocal
  }

  private func advice(_ host: String) -> String {
    "\(isShared ? " on a server that others use" : ""); to allow it, start with \(option) \(host)"
  }
}

extension SocketAddress {
  /// True for this machine, and for the services that hosts have on link-local addresses.
  fileprivate var isLocal: Bool {
    guard let address = IPAddress(host) else { return true }
    return Self.localRanges.contains { $0.contains(address) }
  }

  private static let localRanges = ["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/96", "fe80::/10"]
    .compactMap { AddressRange($0) }
}
