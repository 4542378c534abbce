import JSON

/// A literal IPv4 or IPv6 address.
package enum IPAddress {
  /// For IPv6, checks only that there are three to eight groups of at most four hex digits.
  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 4 {
      return parts.allSatisfy { part in
        part.utf8.allSatisfy { $0.isDigit } && UInt8(part) != nil
      }
    }
    let groups = text.split(separator: ":", omittingEmptySubsequences: false)
    return (3...8).contains(groups.count)
      && groups.allSatisfy { $0.utf8.count <= 4 && $0.allSatisfy(\.isHexDigit) }
  }
}
