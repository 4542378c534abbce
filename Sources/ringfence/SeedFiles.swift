import Catalog
import Domain
import ProviderKit

/// Finds seed files: the default story is part of the binary, other stories are folders.
enum SeedFiles {
  /// The providers' parts of a seed.
  static var sections: [SeedSection] { catalog.map { $0.seedSection } }

  /// The story that is loaded when nothing else is asked for: subscribers, keys, then each provider's own seed.
  private static let standard: [SeedLibrary.File] =
    [
      SeedLibrary.File(name: "Seeds/default/keys.json", bytes: PackageResources.keys_json),
      SeedLibrary.File(name: "Seeds/default/subscribers.json", bytes: PackageResources.subscribers_json),
    ] + catalog.map { SeedLibrary.File(name: "Seeds/default/\($0.name).json", bytes: $0.defaultSeed) }

  /// The default story plus one story per subfolder of each folder. Files directly in a folder extend the
  /// default story.
  static func library(folders: [String]) throws -> SeedLibrary {
    var files = [Sandboxes.defaultName: standard]
    for folder in folders {
      for name in try Files.names(in: folder) {
        let path = "\(folder)/\(name)"
        if Files.isFolder(path) {
          files[name, default: []] += try Self.files(in: path)
        } else if isSeed(name) {
          files[Sandboxes.defaultName, default: []].append(try file(path))
        }
      }
    }
    return SeedLibrary(sections: sections, files: files, readKey: SigningKey.init(pem:))
  }

  static func file(_ path: String) throws -> SeedLibrary.File {
    SeedLibrary.File(name: path, bytes: try Files.read(path))
  }

  private static func files(in folder: String) throws -> [SeedLibrary.File] {
    try Files.names(in: folder).filter(isSeed).map { try file("\(folder)/\($0)") }
  }

  private static func isSeed(_ name: String) -> Bool { name.hasSuffix(".json") && name != "schema.json" }
}
