import ArgumentParser
import Domain
import JSON

/// `ringfence snapshot save FILE` and `ringfence snapshot load FILE`
struct SnapshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot", abstract: "Save or load the whole state of a sandbox.",
    discussion: """
      A snapshot has everything: pending verifications, messages, webhooks, the clock, counters and the journal. After \
      loading, the sandbox answers as it would have before. Secrets are not masked. A snapshot can be loaded by the same \
      version of Ringfence only; to keep settings and subscribers for longer, use a seed.
      """, subcommands: [Save.self, Load.self])

  struct Place: ParsableArguments {
    @Option(
      help: "The sandbox. Default: the one that the URL selects, else the default one.",
      transform: SandboxName.text)
    var sandbox: String?
    @Option(help: "The server's address.")
    var url = ControlClient.defaultURL
    @OptionGroup var token: AdminTokenOption

    /// A client of the server, the sandbox's name, and the path of its snapshot.
    func target() throws -> (client: ControlClient, name: String, path: String) {
      let client = try ControlClient(url, token: token)
      let name = sandbox ?? client.sandboxName ?? Sandboxes.defaultName
      return (client, name, "/control/sandboxes/\(name)/snapshot")
    }
  }

  struct Save: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "save", abstract: "Save a sandbox to a file.")
    @Argument(help: "The file to write. Only its owner can read it.") var file: String
    @OptionGroup var place: Place

    func run() throws {
      let (client, name, path) = try place.target()
      let bytes = try client.getBytes(path)
      try Files.write(bytes, to: file, isSecret: true)
      print("saved sandbox \(name) to \(file) (\(bytes.count) bytes)")
    }
  }

  struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "load", abstract: "Replace a sandbox by a saved one, or create it.")
    @Argument(help: "A file from `ringfence snapshot save`.") var file: String
    @OptionGroup var place: Place

    func run() throws {
      let (client, name, path) = try place.target()
      _ = try client.put(path, Files.read(file))
      print("loaded sandbox \(name) from \(file)")
    }
  }
}
