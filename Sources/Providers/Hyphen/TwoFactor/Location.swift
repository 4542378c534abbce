import ProviderKit

/// Where an address is. Source: contract 4.2.
struct Location: Equatable, Sendable {
  var address = ""
  var text = ""

  private static let pattern = "^(([0-9]{1,3}[.]){3}[0-9]{1,3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$"
  private static let unknown = "Sandbox City, Nowhere"

  /// One of `locations` in seeds.
  static let schema = Schema<Location>(
    "HyphenLocation", "Where requests for approval say that an address is.",
    [
      .required(
        "ip", \.address,
        .text(.string(pattern: pattern), expected: "an IPv4 or IPv6 address") { IPAddress.isValid($0) },
        "The address."),
      .required("location", \.text, .string(1...200), "City and country."),
    ])

  private static let table = RecordTable("location", of: HyphenProvider.name, schema) { Location() }

  static func text(of address: String, in sandbox: Sandbox) throws -> String {
    try table.find(address, in: sandbox)?.text ?? unknown
  }

  static func all(in sandbox: Sandbox) throws -> [Location] { try table.all(in: sandbox) }

  func save(in sandbox: Sandbox) throws {
    try Self.table.save(self, as: address, group: address, ordinal: 0, in: sandbox)
  }
}
