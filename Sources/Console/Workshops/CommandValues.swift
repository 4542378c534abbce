import Control
import ProviderKit

/// What the names in the commands of tasks stand for in a participant's sandbox.
struct CommandValues {
  private let providers: [any Provider.Type]
  /// Nil if the server requires none.
  private let tokens: AccessTokens?

  init(_ providers: [any Provider.Type], _ tokens: AccessTokens?) {
    (self.providers, self.tokens) = (providers, tokens)
  }

  /// Those of all providers: a story may use several.
  func all(in sandbox: Sandbox, for request: Request) throws -> [String: String] {
    let address = SandboxAddress(of: sandbox, for: request, tokens)
    let variables = try providers.flatMap {
      try ProviderVariable.all(of: $0, in: sandbox, at: address.url)
    }
    var values = Dictionary((address.variables + variables).map { ($0.name, $0.value) }) { first, _ in first }
    values["BROWSER_ADDRESS"] = Self.host(ofPeer: request.peer)
    values["TOKEN_OPTION"] = address.token.map { #"-H "Authorization: Bearer \#($0)" "# } ?? ""
    return values
  }

  /// The address of the machine that looks at the page, as URLs have it. A server for webhooks on that
  /// machine can be reached there, unless a router or a firewall is in between.
  private static func host(ofPeer peer: String) -> String {
    guard let address = IPAddress(withPort: peer) else { return "127.0.0.1" }
    return address.bytes.count == 16 ? "[\(address)]" : address.description
  }
}
