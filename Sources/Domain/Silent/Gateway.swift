import Database

/// The operators' gateway to mobile data, as a sandbox has it. Source: `carrier.md` 4.5.
package struct Gateway {
  /// How it behaves.
  package struct Settings: Equatable, Sendable {
    /// What a handset is taken for that says nothing of itself.
    package enum Mode: String, CaseIterable, Sendable {
      /// The one whose number is claimed, so that everything works without a setting.
      case magic
      /// None: it is not on mobile data.
      case strict
    }

    /// What a handset is taken for that says nothing of itself.
    package var mode = Mode.magic
    /// Redirects that it makes to itself before it answers.
    package var hops = 0
    /// Whether the handset stays on the listener that it came from, so that HTTPS is never left.
    package var tls = false

    /// The most redirects to itself: one more, and no client follows the chain to its end.
    package static let hopLimit = 20

    /// Magic, no more redirects than needed, plain HTTP.
    package init() {}
  }

  let sandbox: Sandbox

  /// How it behaves.
  package var settings: Settings {
    get throws {
      try sandbox.database.first("SELECT mode, hops, tls FROM gateways WHERE sandbox = ?", sandbox.id) {
        row in
        var settings = Settings()
        settings.mode = Settings.Mode(rawValue: row.text(0)) ?? settings.mode
        settings.hops = row.int(1)
        settings.tls = row.bool(2)
        return settings
      } ?? Settings()
    }
  }

  /// Lets it behave otherwise.
  package func set(_ settings: Settings) throws {
    try sandbox.database.run(
      """
      INSERT INTO gateways (sandbox, mode, hops, tls) VALUES (?, ?, ?, ?)
      ON CONFLICT (sandbox) DO UPDATE SET mode = excluded.mode, hops = excluded.hops, tls = excluded.tls
      """, sandbox.id, settings.mode.rawValue, settings.hops, settings.tls ? 1 : 0)
  }

  /// Where a session's chain goes from its provider; `carrying` is further query that the request said of its
  /// handset (`&sbx_handset=…`).
  ///
  /// It follows from the session's own address, not from a later request's: some clients leave out the port.
  package func url(of session: SilentSession, carrying query: String = "") throws -> String {
    let state = sandbox.entropy.identifier("silent-state", session.ordinal).prefix(16)
    let base = try baseURL(from: Addresses.origin(of: session.draft.returnURL))
    return "\(base)/carrier/v1/authorize?session=\(session.token)&state=\(state)\(query)"
  }

  /// The gateway's own base URL: the public one where it was set, else its listener on the host of `origin`.
  package func baseURL(from origin: some StringProtocol) throws -> String {
    let path = sandbox.name == Sandboxes.defaultName ? "" : "/s/\(sandbox.name)"
    if let url = sandbox.addresses.publicURL { return url + path }
    guard let port = sandbox.addresses.gatewayPort, try !settings.tls else { return String(origin) + path }
    return "http://\(Addresses.host(of: origin)):\(port)\(path)"
  }
}

/// Where the process can be reached, as far as answers name it.
///
/// A class because it is known only once the process listens, and all sandboxes have the one.
package final class Addresses {
  /// Scheme and authority under which everything can be reached from outside, where they were set.
  package var publicURL: String?
  /// The port of the gateway's own listener, where there is one.
  package var gatewayPort: UInt16?

  /// The `scheme://host:port` with which a URL begins.
  static func origin(of url: String) -> Substring {
    guard let colon = url.firstIndex(of: ":") else { return url[...] }
    let authority = url[colon...].dropFirst().drop { $0 == "/" }
    return url[..<(authority.firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex)]
  }

  /// The host of `scheme://host:port`, in brackets where it is an address of IPv6.
  static func host(of origin: some StringProtocol) -> Substring {
    let authority = Substring(origin).drop { $0 != "/" }.drop { $0 == "/" }
    if authority.first == "[", let end = authority.firstIndex(of: "]") { return authority[...end] }
    return authority.prefix { $0 != ":" }
  }
}

extension Sandbox {
  /// The base URL of this sandbox for links that carry no credentials: the public one where it was set, else that
  /// behind `origin`.
  package func base(behind origin: String) -> String {
    (addresses.publicURL ?? origin) + (name == Sandboxes.defaultName ? "" : "/s/\(name)")
  }
}
