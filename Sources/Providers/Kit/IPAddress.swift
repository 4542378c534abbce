import JSON

/// A literal IPv4 or IPv6 address.
package enum IPAddress {
  package static func isValid(_ text: String) -> Bool { isIPv4(text) || isIPv6(text) }

  private static func isIPv4(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { $0.utf8.allSatisfy { $0.isDigit } && UInt8($0) != nil }
  }

  /// Eight groups, or fewer around one `::`. The last two groups can be an IPv4 address (RFC 4291, 2.2).
  private static func isIPv6(_ text: String) -> Bool {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    let groups = halves.map { $0.isEmpty ? [] : $0.split(separator: ":", omittingEmptySubsequences: false) }
    guard halves.count <= 2, let last = groups.last else { return false }
    let hasIPv4 = last.last.map { $0.contains(".") } ?? false
    if hasIPv4, let address = last.last, !isIPv4(address) { return false }
    let hexadecimal = groups.joined().dropLast(hasIPv4 ? 1 : 0)
    guard hexadecimal.allSatisfy({ (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isHexDigit) })
    else {
      return false
    }
    let count = hexadecimal.count + (hasIPv4 ? 2 : 0)
    return halves.count == 2 ? count <= 7 : count == 8
  }
}
