import JSON

/// A literal address of IPv4 or IPv6, as clients say from where their users came.
package enum IPAddress {
  /// Whether a text is one. Of an IPv6 address only its letters and groups are looked at.
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
