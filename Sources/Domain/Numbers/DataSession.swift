import JSON

/// The data connection of a handset through its own network, as the packet gateway sees it.
/// Source: `carrier.md` 4.2 and 4.5.
package struct DataSession: Equatable, Sendable {
  /// Whether there is one: a handset that is off or only on Wi-Fi has none.
  package var isOn = true
  /// The handset's own address, `127.10.1.1`: whoever connects from there is this handset.
  package var address: String?
  /// The handset's own port.
  package var port: Int?
  /// The address that the world sees.
  package var natAddress: String?
  /// The port that the world sees.
  package var natPort: Int?

  /// A session that is on.
  package init() {}
}

/// What stands between a handset's traffic and its own network. Source: `carrier.md` 4.2.
package enum Interference: String, CaseIterable, Sendable {
  /// Nothing.
  case none
  /// The traffic goes over Wi-Fi.
  case wifi
  /// A private network hides where it comes from.
  case vpn
  /// It comes from a computer behind the handset.
  case tether
  /// A relay hides where it comes from.
  case relay
}

extension DataSession {
  /// Whether a text is four numbers from 0 to 255 with dots between.
  static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { (1...3).contains($0.utf8.count) && $0.isDecimal && UInt8($0) != nil }
  }
}

extension StringProtocol {
  /// Whether every character is one of `0` to `9`.
  var isDecimal: Bool { utf8.allSatisfy { $0.isDigit } }
}
