import Catalog
import Domain
import Loop
import ProviderKit

/// What `ringfence serve` prints: addresses, credentials, and each message as it is sent.
struct Greeting {
  private let sandboxes: Sandboxes
  private let url: String
  private let https: String?
  private let gateway: String?
  private let access: AccessSettings

  init(_ sandboxes: Sandboxes, at bound: Wiring.Listening, _ settings: ServerSettings) {
    access = settings.access
    self.sandboxes = sandboxes
    url = "http://\(bound.http)"
    https = bound.https.map { "https://\($0)" }
    gateway = bound.gateway.map { "http://\($0)" }
  }

  /// Prints the greeting, then each message once its transaction is committed.
  func show(in wiring: Wiring) {
    Output.line("Ringfence listens on \(url)\n")
    let place = AppEnvironment.Place(url: url)
    let entries = (try? AppEnvironment(of: sandboxes.defaultSandbox, at: place, filesIn: ".").entries) ?? []
    for provider in catalog {
      Output.line("  \(provider.name): base URL \(url)")
      let variables = entries.filter { $0.purpose.provider == provider.name }
      for (name, value) in (try? provider.credentials(of: sandboxes.defaultSandbox)) ?? [] {
        let variable = variables.first { $0.value == value }?.name
        let shown = value.utf8.count > Self.widest ? "see \(url)/control/sandboxes/default" : value
        Output.line("    \(name.padded(to: 14)) \(shown)\(variable.map { "  (\($0))" } ?? "")")
      }
      for variable in variables where variable.value == url {
        Output.line("    \(variable.name)=\(variable.value)")
      }
    }
    if let https {
      Output.line("\n  HTTPS:           \(https) (to trust its certificates: ringfence ca --trust)")
    }
    if let gateway {
      Output.line("\n  choose a phone:  \(gateway)/handset/attach (for silent verification in a browser)")
    }
    Output.line(
      "\n  in a browser:    \(url)/\(access.newAdminToken.map { "console/sign-in?token=\($0)" } ?? "")")
    let curl = access.tokens == nil ? "curl" : #"curl -H "Authorization: Bearer $RINGFENCE_ADMIN_TOKEN""#
    if access.tokens != nil { Output.line("\n  admin token:     \(adminToken)") }
    Output.line("\n  read a code:     \(curl) \(url)/control/inbox/+12025550100/latest/code")
    let workshops = "\(sandboxes.addresses.publicURL ?? url)/console/workshops"
    Output.line(
      "  request journal: \(curl) \(url)/control/journal\n"
        + "\n  workshops:       \(workshops)\n")
    var seen: [String: Int] = [:]
    wiring.onCommit = { showMessages(after: &seen) }
    showMessages(after: &seen)
  }

  /// A token is shown only when it is new.
  private var adminToken: String {
    let file = access.adminTokenFile.map { "stored in \($0)" }
    let parts = [access.newAdminToken, file].compactMap(\.self)
    return parts.isEmpty ? "as given" : parts.joined(separator: ", ")
  }

  /// In bytes. Longer credentials are the contents of files, and are not printed.
  private static let widest = 200

  /// `seen` holds the last ordinal shown of each sandbox.
  private func showMessages(after seen: inout [String: Int]) {
    for sandbox in sandboxes.all {
      var filter = Messages.Filter()
      filter.after = seen[sandbox.name] ?? 0
      guard sandbox.newestOrdinal > filter.after else { continue }
      seen[sandbox.name] = sandbox.newestOrdinal
      for message in (try? sandbox.messages.inbox(filter)) ?? [] {
        let name = sandbox.name == Sandboxes.defaultName ? "" : " [\(sandbox.name)]"
        Output.line("\(message.channel.rawValue) to \(message.destination)\(name): \(message.text)")
      }
    }
  }
}
