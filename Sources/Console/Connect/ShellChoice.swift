import ProviderKit

/// The shell for which pages show commands: that of the page's address (`?shell=cmd`), which the browser
/// keeps; else PowerShell on Windows, and a POSIX shell elsewhere.
struct ShellChoice {
  let shell: Shell
  /// Makes the browser keep the choice; empty if the address has none.
  let cookie: Headers

  static let field = "shell"

  init(_ request: Request) throws {
    let choice = try KeptChoice<Shell>(request, Self.field)
    let isWindows = request.headers["User-Agent"]?.contains("Windows") ?? false
    shell = choice.value ?? (isWindows ? .powershell : .sh)
    cookie = choice.cookie
  }

  /// Fails if the page's address names an unknown shell.
  static func requireKnown(_ request: Request, _ sandbox: Sandbox) throws {
    guard let name = try request.query[field], Shell(rawValue: name) == nil else { return }
    throw try NotFound("shell \(name)", request, sandbox)
  }
}
