import Domain
import HTTP
import Loop

/// What `ringfence serve` prints: where it is, and how to go on. It fits a terminal of 80 columns and 24
/// lines, and ends with the URL.
struct Greeting {
  private let https: String?
  private let gateway: String?
  private let data: String?
  /// Where clients reach it.
  private let reached: String
  private let access: AccessSettings

  init(at bound: Wiring.Listening, _ settings: ServerSettings, data: String?) {
    https = bound.https.map { "https://\($0)" }
    gateway = bound.gateway.map { "http://\($0)" }
    self.data = data
    reached = settings.publicURL?.origin ?? "http://\(bound.http)"
    access = settings.access
  }

  var lines: [String] {
    var lines = [
      entry("console", "\(reached)/\(access.newAdminToken.map { "console/sign-in?token=\($0)" } ?? "")"),
      entry("workshops", "\(reached)/console/workshops"),
    ]
    if let https { lines.append(entry("HTTPS", "\(https)  (to trust it: ringfence ca --trust)")) }
    if let gateway {
      lines.append(entry("mobile data", "\(gateway)/handset/attach  (for silent verification)"))
    }
    lines.append(entry("data", data ?? "in memory, lost when the server stops; to keep it: --data DIR"))
    lines += token + [""]
    if reached != DefaultAddresses.http { lines.append("  export RINGFENCE_URL=\(reached)") }
    if access.tokens != nil { lines.append("  export RINGFENCE_ADMIN_TOKEN=...") }
    lines += [
      "  ringfence env               # base URLs and credentials for your app",
      "  ringfence inbox --follow    # messages with their codes, as they arrive",
      "  ringfence journal           # requests, and why they were refused",
      "  ringfence failures          # what can go wrong, and how to produce it", "",
      "Ringfence listens on \(reached)",
    ]
    return lines
  }

  /// A token is shown only when it is new.
  private var token: [String] {
    guard access.tokens != nil else { return [] }
    let file = access.adminTokenFile.map { "stored in \($0)" }
    let parts = [access.newAdminToken, file].compactMap(\.self)
    return parts.isEmpty
      ? [entry("admin token", "as given")]
      : parts.enumerated().map { entry($0.offset == 0 ? "admin token" : "", $0.element) }
  }

  private func entry(_ name: String, _ value: String) -> String { "  \(name.padded(to: 13)) \(value)" }
}
