import Domain
import Providers

/// Where seeds come from: the default story stands in the binary, others in folders.
enum SeedFiles {
  /// The providers' parts of a seed.
  static var sections: [SeedSection] { catalog.map { $0.seedSection } }

  /// The story that a bare start loads: `Seeds/default`.
  private static let standard: [SeedLibrary.File] = [
    SeedLibrary.File(name: "Seeds/default/fcm.json", bytes: PackageResources.fcm_json),
    SeedLibrary.File(name: "Seeds/default/keys.json", bytes: PackageResources.keys_json),
    SeedLibrary.File(name: "Seeds/default/prelude.json", bytes: PackageResources.prelude_json),
    SeedLibrary.File(name: "Seeds/default/subscribers.json", bytes: PackageResources.subscribers_json),
    SeedLibrary.File(name: "Seeds/default/telesign.json", bytes: PackageResources.telesign_json),
    SeedLibrary.File(name: "Seeds/default/twilio.json", bytes: PackageResources.twilio_json),
  ]

  /// The default story and, from each folder, a story for every folder in it; files that stand in the folder
  /// itself are added to the default story.
  static func library(folders: [String]) throws -> SeedLibrary {
    var stories = [Sandboxes.defaultName: standard]
    for folder in folders {
      for name in try Files.names(in: folder) {
        let path = "\(folder)/\(name)"
        if Files.isFolder(path) {
          stories[name, default: []] += try files(in: path)
        } else if isSeed(name) {
          stories[Sandboxes.defaultName, default: []].append(try file(path))
        }
      }
    }
    return SeedLibrary(sections: sections, stories: stories, readKey: SigningKey.init(pem:))
  }

  /// A seed from a path.
  static func file(_ path: String) throws -> SeedLibrary.File {
    SeedLibrary.File(name: path, bytes: try Files.read(path))
  }

  private static func files(in folder: String) throws -> [SeedLibrary.File] {
    try Files.names(in: folder).filter(isSeed).map { try file("\(folder)/\($0)") }
  }

  private static func isSeed(_ name: String) -> Bool { name.hasSuffix(".json") && name != "schema.json" }
}
