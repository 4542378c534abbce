import JSON
import Numbers

/// Which traffic reaches the handset now. Source: `carrier.md` 1.4.
package struct Reach: Equatable, Sendable {
  package var sms = true
  package var data = true

  package init() {}

  static let nothing = {
    var reach = Reach()
    (reach.sms, reach.data) = (false, false)
    return reach
  }()

  static let schema = Schema<Reach>(
    nil, "",
    [
      .field("sms", \.sms, .boolean, default: true, "True if texts reach it."),
      .field("data", \.data, .boolean, default: true, "True if data reaches it."),
    ])
}

/// The network that a handset visits. Source: `carrier.md` 4.2.
package struct Roaming: Equatable, Sendable {
  package var isOn = false
  /// The mobile country code of the visited network.
  package var mcc: String?
  /// The visited countries, ISO 3166-1 alpha-2: several countries share some codes.
  package var countries: [String] = []

  package init() {}

  static let schema = Schema<Roaming>(
    nil, "",
    [
      .field("on", \.isOn, .boolean, default: false, "True if the handset is in another country's network."),
      .nullable("mcc", \.mcc, .digits(3...3), "The mobile country code of the visited network."),
      .field(
        "countries", \.countries, .array(of: .countryCode, maxItems: SandboxLimits.items), default: [],
        "The visited countries, ISO 3166-1 alpha-2."),
    ])
}

/// The data connection of a handset through its own network, as the packet gateway sees it.
/// Source: `carrier.md` 4.2 and 4.5.
package struct DataSession: Equatable, Sendable {
  /// False for a handset that is off or only on Wi-Fi.
  package var isOn = true
  /// The handset's own address, such as `127.10.1.1`: requests from there come from this handset.
  package var address: String?
  package var port: Int?
  /// The public address that servers see, after the network's address translation.
  package var natAddress: String?
  package var natPort: Int?
  /// Public, since IPv6 needs no translation.
  package var ipv6Address: String?

  package init() {}

  static let schema = Schema<DataSession>(
    nil, "",
    [
      .field("on", \.isOn, .boolean, default: true, "True if the handset has a data connection."),
      .nullable(
        "ip", \.address, .ipv4Address,
        "The handset's own address, such as 127.10.1.1. Requests from this address are from this handset."),
      .nullable("port", \.port, .integer(1...65_535), "The handset's own port."),
      .nullable("natIp", \.natAddress, .ipv4Address, "The handset's public address."),
      .nullable("natPort", \.natPort, .integer(1...65_535), "The handset's public port."),
      .nullable(
        "ipv6", \.ipv6Address, .ipv6Address,
        "The handset's IPv6 address, in eight groups; all of its first 64 bits is this handset."),
    ])
}

/// Why the handset's traffic does not come from its own network. Source: `carrier.md` 4.2.
package enum Interference: String, CaseIterable, Sendable {
  case none
  case wifi
  case vpn
  /// The traffic comes from a computer behind the handset.
  case tether
  /// A relay hides the handset's address.
  case relay
}

/// Loopback addresses of handsets whose record names none. Source: `carrier.md` 4.5, C18.
enum PacketAddresses {
  /// `127.10.1.1` for +1 202 555 0100 and so on to 0199, `127.10.16.1` for +33 6 39 98 00 00 and so on to
  /// 9999; nil for other numbers.
  static func address(of number: PhoneNumber) -> String? {
    let text = number.description
    guard text.utf8.count == 12, let last = Int(text.suffix(4)) else { return nil }
    if text.hasPrefix("+120255501") { return "127.10.1.\(last % 100 + 1)" }
    if text.hasPrefix("+3363998") { return "127.10.\(16 + last / 100).\(last % 100 + 1)" }
    return nil
  }

  /// The number with an address of `address(of:)`.
  static func number(at address: String) -> PhoneNumber? {
    let parts = address.split(separator: ".").compactMap { Int($0) }
    guard parts.count == 4, parts[0] == 127, parts[1] == 10, (1...100).contains(parts[3]) else { return nil }
    let ending = String(100 + parts[3] - 1).suffix(2)
    switch parts[2] {
    case 1: return PhoneNumber("+120255501\(ending)")
    case 16...115: return PhoneNumber("+3363998\(String(100 + parts[2] - 16).suffix(2))\(ending)")
    default: return nil
    }
  }
}
