import ArgumentParser

/// `ringfence snapshot save FILE` and `ringfence snapshot load FILE`
struct SnapshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot", abstract: "Save or load the whole state of a sandbox.",
    discussion: """
      A snapshot has everything: pending verifications, messages, webhooks, the clock, counters and the journal. After \
      loading, the sandbox answers as it would have before. Secrets are not masked. A snapshot can be loaded by the same \
      version of Ringfence only; to keep settings and subscribers for longer, use a seed.
      """, subcommands: [Save.self, Load.self])

  struct Save: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Save a sandbox to a file.")
    @Argument(help: "The file to write. Only its owner can read it.") var file: String
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let target = try server.target()
      let bytes = try target.client.getBytes(target.path + "/snapshot")
      try Files.write(bytes, to: file, isSecret: true)
      server.show("saved sandbox \(target.name) to \(file) (\(bytes.count) bytes)")
    }
  }

  struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Replace a sandbox by a saved one, or create it.")
    @Argument(help: "A file from `ringfence snapshot save`.") var file: String
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let target = try server.target()
      try server.show(target.client.put(target.path + "/snapshot", Files.read(file))) { _ in
        ["loaded sandbox \(target.name) from \(file)"]
      }
    }
  }
}
