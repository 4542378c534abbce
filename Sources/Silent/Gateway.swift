import Basics
import Database
import Domain

/// The mobile operators' gateway for silent verification. Source: `carrier.md` 4.5.
package struct Gateway {
  package struct Settings: Equatable, Sendable {
    /// How to treat requests that do not identify their handset.
    package enum Mode: String, CaseIterable, Sendable {
      /// As the handset with the claimed number, so that everything works without settings.
      case magic
      /// As a handset that is not on mobile data.
      case strict
    }

    package var mode = Mode.magic
    /// The number of redirects to itself before it answers.
    package var hops = 0
    /// True if the handset stays on the listener that it came from, so that it never leaves HTTPS.
    package var tls = false

    /// With more redirects, no client follows the chain to its end.
    package static let hopLimit = 20

    package init() {}
  }

  let sandbox: Sandbox

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

  package func set(_ settings: Settings) throws {
    try sandbox.database.run(
      """
      INSERT INTO gateways (sandbox, mode, hops, tls) VALUES (?, ?, ?, ?)
      ON CONFLICT (sandbox) DO UPDATE SET mode = excluded.mode, hops = excluded.hops, tls = excluded.tls
      """, sandbox.id, settings.mode.rawValue, settings.hops, settings.tls ? 1 : 0)
  }

  /// The URL to which the provider redirects the handset. `query` is added to it: `&sbx_handset=…`.
  ///
  /// The host is taken from the session's return URL, not from a later request: some clients omit the port.
  package func url(of session: SilentSession, query: String = "") throws -> String {
    let state = sandbox.tokenEntropy.identifier("silent-state", session.ordinal).prefix(16)
    let base = try baseURL(requestOrigin: Addresses.origin(of: session.draft.returnURL))
    return "\(base)/carrier/v1/authorize?session=\(session.token)&state=\(state)\(query)"
  }

  /// The gateway's base URL: the public URL if set, else the gateway's listener on the host of `origin`.
  package func baseURL(requestOrigin origin: some StringProtocol) throws -> String {
    let path = sandbox.name == Sandboxes.defaultName ? "" : "/s/\(sandbox.name)"
    if let url = sandbox.shared.addresses.publicURL { return url + path }
    guard let port = sandbox.shared.addresses.gatewayPort, try !settings.tls else {
      return String(origin) + path
    }
    return "http://\(Addresses.host(of: origin)):\(port)\(path)"
  }
}
