import ProviderKit

/// The shell for which pages show commands: that of the page's address (`?shell=cmd`), which the browser
/// keeps for the next pages; else PowerShell on Windows, and a POSIX shell elsewhere.
struct ShellChoice {
  let shell: Shell
  /// Makes the browser keep the choice; empty if the address has none.
  let cookie: Headers

  static let field = "shell"

  init(_ request: Request) throws {
    let asked = try request.query[Self.field].flatMap(Shell.init)
    let isWindows = request.headers["User-Agent"]?.contains("Windows") ?? false
    shell =
      asked ?? request.cookie(Self.field).flatMap(Shell.init) ?? (isWindows ? .powershell : .sh)
    // The script fetches a page that is open again and again. Another page may have a later choice.
    let isOpened = request.headers["Accept"] != "*/*"
    cookie =
      asked.flatMap { isOpened ? $0 : nil }.map {
        ["Set-Cookie": "\(Self.field)=\($0.rawValue); Path=/; Max-Age=31536000; SameSite=Strict"]
      } ?? [:]
  }

  /// Fails if the page's address names an unknown shell.
  static func requireKnown(_ request: Request, _ sandbox: Sandbox) throws {
    guard let name = try request.query[field], Shell(rawValue: name) == nil else { return }
    throw try NotFound("shell \(name)", request, sandbox)
  }
}
