import Carrier
import Catalog
import Database
import Domain
import Loop
import ProviderKit

/// Finds seeds. The default ones are part of the binary; others are folders.
enum SeedFiles {
  /// Subscribers, keys, then each provider's seed.
  private static let standard: [SeedLibrary.File] =
    [
      SeedLibrary.File(name: "Seeds/default/keys.json", bytes: PackageResources.keys_json),
      SeedLibrary.File(name: "Seeds/default/subscribers.json", bytes: PackageResources.subscribers_json),
    ] + catalog.map { SeedLibrary.File(name: "Seeds/default/\($0.name).json", bytes: $0.defaultSeed) }

  /// The default seed, and one for each subfolder of `folders`. Files directly in a folder extend the default seed.
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
    return SeedLibrary(
      sections: catalog.map { $0.seedSection }, names: catalog.map { $0.routeNames } + [Carrier.routeNames],
      files: stories, readKey: SigningKey.init(pem:))
  }

  static func file(_ path: String) throws -> SeedLibrary.File {
    SeedLibrary.File(name: path, bytes: try Files.read(path))
  }

  /// Sandboxes in memory as after a fresh start, for commands that need no server.
  static func freshSandboxes(origin: Sandbox.Configuration = .init()) throws -> Sandboxes {
    let settings = Sandboxes.Settings(makeKey: SigningKey.p256) {
      Timestamp(milliseconds: EventLoop.wallClockMilliseconds())
    }
    return try Sandboxes(
      in: Database(.memory), settings: settings, seeds: library(folders: []), defaultConfiguration: origin)
  }

  private static func files(in folder: String) throws -> [SeedLibrary.File] {
    try Files.names(in: folder).filter(isSeed).map { try file("\(folder)/\($0)") }
  }

  private static func isSeed(_ name: String) -> Bool { name.hasSuffix(".json") && name != "schema.json" }
}
