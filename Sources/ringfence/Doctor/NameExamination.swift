import Glibc

/// Looks where the vendors' names lead, as any client of this machine sees it.
struct NameExamination: Examination {
  static let area = "names"
  private let places: [(host: String, place: Place)]

  /// Where a name leads.
  private enum Place: Equatable {
    case here, nowhere
    case away(String)
  }

  /// Looks all of them up. Who is offline waits a second for each server of names, not ten.
  init() {
    setenv("RES_OPTIONS", "timeout:1 attempts:1", 0)
    places = Authority.names.map { ($0, Self.place(of: $0)) }
  }

  /// Whether clients that know of no proxy come to the sandbox by at least one name.
  var leadHere: Bool { places.contains { $0.place == .here } }

  func findings() -> [Finding] {
    let here = places.filter { $0.place == .here }
    let away = places.compactMap { entry in
      if case .away(let address) = entry.place { "\(entry.host) (\(address))" } else { nil }
    }
    if here.count == places.count { return [.good("the vendors' \(here.count) names lead to this network")] }
    if !away.isEmpty {
      return [
        .doubtful(
          "requests would leave this machine unless a proxy or a base URL leads them here: \(away.joined(separator: ", "))",
          fix: "ringfence run --isolated -- CMD, in which they lead here",
          "or in /etc/hosts: 127.0.0.1 \(places.map(\.host).joined(separator: " "))")
      ]
    }
    return [
      .note(
        "\(places.count - here.count) of the vendors' names lead nowhere from here: a proxy or a base URL has to"
      )
    ]
  }

  private static func place(of host: String) -> Place {
    guard let address = try? PlainSocket.addresses(of: host, port: 443).first else { return .nowhere }
    let bytes = withUnsafeBytes(of: address.sin_addr.s_addr) { Array($0) }
    return isLocal(bytes) ? .here : .away(bytes.map(String.init).joined(separator: "."))
  }

  /// Whether an address is of this machine or of a network such as containers have (RFC 1122, RFC 1918).
  private static func isLocal(_ address: [UInt8]) -> Bool {
    switch (address[0], address[1]) {
    case (127, _), (10, _), (192, 168), (172, 16...31): true
    default: false
    }
  }
}
