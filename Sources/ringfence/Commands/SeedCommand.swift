import ArgumentParser
import Domain
import JSON

/// `ringfence seed check FILE…`: says whether seeds can be loaded, and where not.
struct SeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed", abstract: "Work with seed files.", subcommands: [Check.self])

  /// `ringfence seed check FILE…`.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Load seeds into a sandbox that is thrown away.")
    @Argument(help: "Seed files.") var files: [String]

    func validate() throws {
      guard !files.isEmpty else { throw ValidationError("expected at least one file") }
    }

    func run() throws {
      let sandboxes = try SeedFiles.freshSandboxes()
      for path in files {
        let file = try SeedFiles.file(path)
        do {
          try sandboxes.seeds.load(Fields(file.bytes), into: sandboxes.defaultSandbox)
        } catch let error as FieldError {
          throw ValidationError("\(path): \(error)")
        }
        print("\(path): ok")
      }
    }
  }
}
