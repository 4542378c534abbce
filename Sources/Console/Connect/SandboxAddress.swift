import Control
import ProviderKit

/// The URL of a sandbox, and the token that its control API requires.
struct SandboxAddress {
  /// With the sandbox's prefix, if it is not the default one.
  let url: String
  /// Without it.
  let server: String
  /// Nil if the server requires none.
  let token: String?
  /// Nil for the default sandbox.
  private let name: String?

  /// `tokens` is nil if the server requires none.
  init(of sandbox: Sandbox, for request: Request, _ tokens: AccessTokens?) {
    url = sandbox.baseURL(requestOrigin: request.origin)
    name = sandbox.name == Sandboxes.defaultName ? nil : sandbox.name
    token = tokens?.token(for: sandbox)
    let path = "/s/\(sandbox.name)"
    server = url.hasSuffix(path) ? String(url.dropLast(path.count)) : url
  }

  /// Those that `ringfence` and the examples read.
  var variables: [ProviderVariable] {
    let token = token.map { [ProviderVariable(name: "RINGFENCE_TOKEN", value: $0)] } ?? []
    return [ProviderVariable(name: "RINGFENCE_URL", value: url)] + token
  }

  /// The option with which curl sends the token; empty if none is required.
  var tokenOption: String { token == nil ? "" : #"-H "Authorization: Bearer $RINGFENCE_TOKEN" "# }

  /// Sets the variables of `ringfence env` in a shell.
  func environmentCommand(for shell: Shell, withProxy: Bool) -> String {
    let sandbox = name.map { " --sandbox \($0)" } ?? ""
    let token = token.map { " --admin-token \($0)" } ?? ""
    let options = "\(sandbox)\(token)\(withProxy ? " --proxy" : "")"
    let command = "ringfence env --format \(shell.rawValue) --url \(server)\(options)"
    return switch shell {
    case .sh: #"eval "$(\#(command))""#
    case .fish: "\(command) | source"
    case .cmd: "\(command) > env.cmd && env.cmd"
    case .powershell: "\(command) | Out-String | Invoke-Expression"
    }
  }

  /// True if only programs on the server's machine reach it.
  var isLoopback: Bool { AbsoluteURL(url).flatMap { Authority($0.host) }?.isLoopback ?? false }
}
