import ArgumentParser
import Domain
import Loop
import MCP
import Server

/// `ringfence mcp`: tools for coding agents over standard input and output.
struct MCPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Give coding agents the sandbox as tools of the Model Context Protocol.",
    discussion: """
      Agents start this command themselves and talk to it over standard input and output. It runs a sandbox in memory \
      on free local ports, or uses a running server (--url, RINGFENCE_URL), and ends with its input. A running server \
      has the same tools at http://ADDRESS:PORT/mcp. See ringfence docs agents.
      """)

  @Option(help: "Use the server at this address. Default: RINGFENCE_URL, else a server of its own.")
  var url: String?
  @Option(
    help:
      "The sandbox of a running server. Default: the one that the URL selects by /s/NAME, else the default one.",
    transform: SandboxName.text)
  var sandbox: String?
  @OptionGroup var token: AdminTokenOption
  @OptionGroup var options: ServerOptions

  func run() throws {
    guard let url = url ?? Environment["RINGFENCE_URL"] else { return try serve() }
    if let name = options.flags.filter({ $0.value != nil }).keys.min() {
      throw ValidationError("--\(name) has no effect on a running server; found \(url)")
    }
    try StdioBridge(to: ControlClient(url, token: token, sandbox: sandbox)).run()
  }

  /// With a server of its own.
  private func serve() throws {
    if let sandbox {
      throw ValidationError(
        "--sandbox \(sandbox): expected --url too; a new server has the default sandbox only")
    }
    if token.adminToken != nil {
      throw ValidationError("--admin-token: expected --url too; a new server needs no token")
    }
    let settings = try ServerSettings(Configuration(flags: options.flags))
    for note in settings.seedNotes { Output.errorLine("ringfence: \(note)") }
    let wiring = try Wiring(settings, log: .standard)
    defer { wiring.close() }
    let address = SocketAddress(host: "127.0.0.1", port: 0)
    var limits = Server.Configuration()
    // Once the input has ended, no client is worth waiting for.
    limits.drainTimeout = .milliseconds(500)
    try wiring.serve(on: .init(http: address, gateway: address), limits: limits) { bound, server in
      try server.drainOnSignals()
      let bridge = StdioBridge(to: try ControlClient("http://\(bound.http)", bearer: nil))
      let end = server.loop.callback { server.drain() }
      let thread = WorkerThread {
        bridge.run()
        end()
      }
      guard let thread else { throw PlainSocket.systemError }
      thread.detach()
    }
  }
}
