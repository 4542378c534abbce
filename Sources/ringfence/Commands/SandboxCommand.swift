import ArgumentParser
import Domain
import HTTP
import JSON

/// `ringfence sandbox move NAME --to URL`
struct SandboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sandbox", abstract: "Move a sandbox to another server.", subcommands: [Move.self])

  struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "move", abstract: "Move a sandbox to another server, with everything that it has.",
      discussion: """
        Its credentials and its token go on working there; both servers need the same sandbox-token-key. All or nothing: \
        unless the other server has the whole sandbox, it stays where it is.

        Prints the names by which a load balancer finds the sandbox: its own and those of its credentials, one a line. \
        Docs/Hosting.md shows where they go.
        """)
    @Argument(help: "The sandbox.", transform: SandboxName.text) var name: String
    @Option(help: "The address of the server to move it to.") var to: String
    @Option(name: .customLong("url"), help: "The address of the server that has it.")
    var source = ControlClient.defaultURL
    @OptionGroup var token: AdminTokenOption
    @Option(help: "The admin token of the other server. Default: the same.") var toToken: String?

    func run() throws {
      let mover = SandboxMover(
        name: name, source: try ControlClient(source, token: token),
        destination: try ControlClient(to, bearer: toToken ?? token.value))
      let names = try mover.move()
      Output.errorLine(
        "moved sandbox \(name) from \(mover.source.server.origin) to \(mover.destination.server.origin)")
      for name in names { print(name) }
    }
  }
}
