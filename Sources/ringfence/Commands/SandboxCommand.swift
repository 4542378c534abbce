import ArgumentParser
import Domain
import HTTP
import JSON

/// `ringfence sandbox …`
struct SandboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sandbox", abstract: "List, create, show, reset, export, import, move or delete sandboxes.",
    subcommands: [
      List.self, Create.self, Show.self, Reset.self, Export.self, Import.self, Move.self, Delete.self,
    ], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all sandboxes.")
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      guard server.sandbox == nil else {
        throw ValidationError("--sandbox has no effect here; use: ringfence sandbox show NAME")
      }
      let sandboxes = try server.target().client.entries("sandboxes", of: "/control/sandboxes?")
      try server.show(.object([.init(name: "sandboxes", value: .array(sandboxes))])) { _ in
        var table = Table(["NAME", "CLOCK", "MODE", "REMOVED"])
        for sandbox in try sandboxes.map({ try Fields($0) }) {
          let clock = try sandbox.object("clock")
          table.add([
            try sandbox.string("name"), try clock.string("now").asTime, try clock.string("mode"),
            try sandbox.optionalString("removedAt")?.asTime ?? "never",
          ])
        }
        return table.lines()
      }
    }
  }

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create a sandbox with its own credentials, and show it.")
    @Argument(help: "Its name. Default: generated.", transform: SandboxName.text) var name: String?
    @Option(
      help: """
        The random seed of ids, codes and keys. Default: 1; where a token is required, one that nobody can guess.
        """)
    var entropySeed: Int?
    @Option(help: "Freeze its clock at this time, such as 2026-01-05T10:20:30Z. Default: it runs.")
    var clock: String?
    @Option(help: "The seeds to load, separated by commas. Default: default.") var seeds: String?
    @Option(help: "Remove it this long after its last request, such as 12h or 7d. Default: never.")
    var ttl: String?
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let target = try server.target(name)
      let members: [JSON.Member?] = [
        (name ?? server.sandbox).map { .init("name", $0) }, entropySeed.map { .init("entropySeed", $0) },
        clock.map { .init("clock", $0) }, ttl.map { .init("ttl", $0) },
        seeds.map { text in
          .init(name: "seeds", value: .array(text.split(separator: ",").map { .string(String($0)) }))
        },
      ]
      let made = try target.client.post("/control/sandboxes", .object(members.compactMap(\.self)))
      try server.show(made, SandboxCommand.lines)
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a sandbox with its URLs and credentials.",
      discussion: "As environment variables for an app: ringfence env.")
    @Argument(help: "Its name.", transform: SandboxName.text) var name: String?
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let target = try server.target(name)
      try server.show(target.client.getJSON(target.path), SandboxCommand.lines)
    }
  }

  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Reset a sandbox to its seeds.")
    @Argument(help: "Its name.", transform: SandboxName.text) var name: String?
    @Flag(help: "Reset all sandboxes.") var all = false
    @OptionGroup(title: "Server") var server: ServerOption

    func validate() throws {
      guard !all || (name ?? server.sandbox) == nil else {
        throw ValidationError("--all: name a sandbox, or use --all")
      }
    }

    func run() throws {
      let target = try server.target(name)
      var names = [target.name]
      if all {
        names = try target.client.entries("sandboxes", of: "/control/sandboxes?")
          .map { try Fields($0).string("name") }
      }
      let reset = try names.map { try target.client.post("/control/sandboxes/\($0)/reset", .object([])) }
      try server.show(all ? .object([.init(name: "sandboxes", value: .array(reset))]) : reset[0]) { _ in
        names.map { "reset \($0)" }
      }
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a sandbox as a seed, with secrets masked.",
      discussion: "To save everything it has, and its secrets: ringfence snapshot save.")
    @Argument(help: "Its name.", transform: SandboxName.text) var name: String?
    @Option(help: "Write to this file instead.") var output: String?
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let target = try server.target(name)
      let seed = try target.client.getBytes(target.path + "/export")
      guard let output else { return Output.json(seed) }
      try Files.write(seed, to: output)
      server.show("exported sandbox \(target.name) to \(output)")
    }
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Load a seed into a sandbox, such as one that was exported.")
    @Argument(help: "A file with a seed.") var file: String
    @Argument(help: "The sandbox's name.", transform: SandboxName.text) var name: String?
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let target = try server.target(name)
      let seed = try Self.read(file)
      // Checks that the sandbox exists: a prefix of an unknown one would name the path as the problem.
      _ = try target.client.getJSON(target.path)
      let client = try ControlClient(
        target.client.server.origin, bearer: server.token.value, sandbox: target.name)
      try server.show(client.post("/control/seed", seed)) { _ in
        ["loaded \(file) into sandbox \(target.name)"]
      }
    }

    private static func read(_ file: String) throws -> JSON {
      let bytes = try Files.read(file)
      do {
        return try JSON(parsing: bytes, limits: .seed)
      } catch {
        throw CommandFailure("\(file): \(FieldError(error, in: bytes))")
      }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Delete a sandbox with all its data.")
    @Argument(help: "Its name.", transform: SandboxName.text) var name: String
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let target = try server.target(name)
      try target.client.delete(target.path)
      server.show("deleted sandbox \(name)")
    }
  }

  struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Move a sandbox to another server, with everything that it has.",
      discussion: """
        Its credentials and its token go on working there; both servers need the same sandbox-token-key. All or nothing: \
        unless the other server has the whole sandbox, it stays where it is.

        Prints the names by which a load balancer finds the sandbox: its own and those of its credentials, one a line. \
        ringfence docs hosting shows where they go.
        """)
    @Argument(help: "The sandbox.", transform: SandboxName.text) var name: String
    @Option(help: .init("The address of the server to move it to.", valueName: "url")) var to: String
    @Option(help: "The admin token of the other server. Default: the same.") var toToken: String?
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let mover = SandboxMover(
        name: name, source: try server.target(name).client,
        destination: try ControlClient(to, bearer: toToken ?? server.token.value))
      let names = try mover.move()
      Output.errorLine(
        "moved sandbox \(name) from \(mover.source.server.origin) to \(mover.destination.server.origin)")
      let list = JSON.object([.init(name: "names", value: .array(names.map(JSON.string)))])
      try server.show(list) { _ in names }
    }
  }

  /// In bytes. Longer credentials are the contents of files, and are not printed.
  private static let widest = 200

  /// A sandbox with its credentials, which are never cut, because people copy them.
  private static func lines(of sandbox: Fields) throws -> [String] {
    let (clock, urls) = (try sandbox.object("clock"), try sandbox.object("urls"))
    var facts: [(String, String?)] = [
      ("name", try sandbox.string("name")), ("URL", try urls.string("prefixed")),
      ("HTTPS", try urls.optionalString("https")), ("gateway", try urls.optionalString("gateway")),
      ("clock", "\(try clock.string("now").asTime) (\(try clock.string("mode")))"),
      ("random seed", String(try sandbox.int("entropySeed"))),
      ("removed", try sandbox.optionalString("removedAt")?.asTime),
      ("token", try sandbox.optionalString("token")),
    ]
    facts = facts.filter { $0.1 != nil }
    var lines = facts.map { "\($0.padded(to: 13))\($1 ?? "")" }
    let credentials = try sandbox.object("credentials")
    for provider in credentials.names {
      lines += ["", provider]
      let own = try credentials.object(provider)
      for name in own.names {
        let value = try own.string(name)
        let isFile = value.utf8.count > widest || value.contains("\n")
        let shown = isFile ? "(long: see --json, or ringfence env)" : value
        lines.append("  \(name.padded(to: 18)) \(shown)")
      }
    }
    return lines
  }
}
