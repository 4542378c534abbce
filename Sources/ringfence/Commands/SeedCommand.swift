import ArgumentParser
import Catalog
import Control
import Domain
import JSON
import ProviderKit

/// `ringfence seed check FILE…` and `ringfence seed schema`.
struct SeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed", abstract: "Work with seed files.", subcommands: [Check.self, PrintSchema.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Validate seed files.")
    @Argument(help: "Seed files.") var files: [String]

    func validate() throws {
      guard !files.isEmpty else { throw ValidationError("expected at least one file") }
    }

    func run() throws {
      let sandboxes = try SeedFiles.freshSandboxes()
      for path in files {
        let file = try SeedFiles.file(path)
        do {
          try sandboxes.seeds.load(Fields(file.bytes), into: sandboxes.standard)
        } catch let error as FieldError {
          throw ValidationError("\(path): \(error)")
        }
        print("\(path): ok")
      }
    }
  }

  struct PrintSchema: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema", abstract: "Print the JSON Schema of seeds, for editors (Seeds/schema.json).")

    func run() throws {
      let document = SeedSchema.document(sections: sections, definitions: try definitions)
      Output.bytes(document)
    }

    /// The schemas of the providers' sections. Replace this by `catalog.map { ($0.name, .object($0.seedSchema)) }` when
    /// every provider has a schema; `definitions` and ProviderSeedDefinitions.json then go.
    private var sections: [(name: String, schema: JSONSchema)] {
      catalog.map { $0.name }.sorted().map { ($0, .reference("#/$defs/\($0)")) }
    }

    private var definitions: JSON {
      get throws { try JSON(parsing: PackageResources.ProviderSeedDefinitions_json) }
    }
  }
}
