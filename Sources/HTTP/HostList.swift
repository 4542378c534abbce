/// Hosts that somebody has allowed by name.
package struct HostList: Sendable, Equatable {
  private let entries: [String]

  /// Names, `*.` with a domain's end, literal addresses, or `*` for all.
  package init(_ entries: [String] = []) {
    self.entries = entries.map { $0.lowercased().filter { $0 != "[" && $0 != "]" } }
  }

  /// Whether a host is among them.
  package func contains(_ host: String) -> Bool {
    let host = host.lowercased()
    return entries.contains { entry in
      entry == "*" || entry == host || entry.hasPrefix("*.") && host.hasSuffix(entry.dropFirst())
    }
  }
}
