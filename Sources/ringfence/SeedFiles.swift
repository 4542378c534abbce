import Carrier
import Catalog
import Database
import Loop
import ProviderKit

/// Finds seeds. The default ones are part of the binary; others are folders.
enum SeedFiles {
  /// Subscribers, keys, then each provider's seed.
  private static let standard: [SeedLibrary.File] =
    [
      shipped("keys", PackageResources.keys_json), shipped("subscribers", PackageResources.subscribers_json),
    ] + catalog.map { shipped($0.name, $0.defaultSeed) }

  private static func shipped(_ name: String, _ bytes: [UInt8]) -> SeedLibrary.File {
    SeedLibrary.File(name: "Seeds/default/\(name).json", bytes: bytes, isShipped: true)
  }

  /// The default seed, and one for each subfolder of `folders`. Files directly in a folder extend the default
  /// seed.
  static func library(folders: [String]) throws -> SeedLibrary {
    var seeds = [Sandboxes.defaultName: standard]
    var stories: [SeedLibrary.File] = []
    for folder in folders {
      for name in try Files.names(in: folder) {
        let path = "\(folder)/\(name)"
        if Files.isFolder(path) {
          let found = try files(in: path)
          if name == workshops { stories += found } else { seeds[name, default: []] += found }
        } else if isSeed(name) {
          seeds[Sandboxes.defaultName, default: []].append(try file(path))
        }
      }
    }
    var library = SeedLibrary(
      sections: catalog, names: catalog.map { $0.routeNames } + [Carrier.routeNames],
      files: seeds,
      stories: Dictionary(uniqueKeysWithValues: standardStories.map { (storyName($0), $0) }),
      readKey: ShippedKey.read)
    for file in stories { try library.add(story: storyName(file), file) }
    return library
  }

  static let workshops = "workshops"

  private static let standardStories = [
    SeedLibrary.File(name: "Seeds/workshops/first-sign-in.json", bytes: PackageResources.first_sign_in_json),
    SeedLibrary.File(
      name: "Seeds/workshops/when-it-goes-wrong.json", bytes: PackageResources.when_it_goes_wrong_json),
    SeedLibrary.File(name: "Seeds/workshops/same-person.json", bytes: PackageResources.same_person_json),
    SeedLibrary.File(
      name: "Seeds/workshops/without-a-code.json", bytes: PackageResources.without_a_code_json),
  ]

  /// The file's name without `.json`.
  private static func storyName(_ file: SeedLibrary.File) -> String {
    let name = file.name.split(separator: "/").last ?? ""
    return String(name.dropLast(".json".count))
  }

  /// True for a file in a folder of stories.
  static func isStory(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().last.map(String.init) == workshops
  }

  /// What a user of `--seeds` should know: named seeds that are not loaded, and files that are not read.
  static func notes(about folders: [String], loading loaded: [String]) throws -> [String] {
    try folders.flatMap { folder in
      let names = try Files.names(in: folder)
      let notes = try names.flatMap { try self.notes(about: $0, in: folder, loading: loaded) }
      return names.isEmpty ? ["--seeds: \(folder) is empty"] : notes
    }
  }

  private static func notes(
    about name: String, in folder: String, loading loaded: [String]
  ) throws -> [String] {
    let path = "\(folder)/\(name)"
    guard Files.isFolder(path) else { return isSeed(name) || isKnown(name) ? [] : [unread(path)] }
    let names = try Files.names(in: path)
    guard names.contains(where: isSeed) else { return ["--seeds: \(path) has no seed; seeds end in .json"] }
    var found = names.filter { !isSeed($0) && !isKnown($0) }.map { unread("\(path)/\($0)") }
    if !loaded.contains(name), name != workshops {
      found.append(
        "--seeds: the seed \(name) is not loaded. Use --seed \(name), or POST /control/sandboxes "
          + #"{"seeds":["default","\#(name)"]}"#)
    }
    return found
  }

  private static func unread(_ path: String) -> String { "--seeds: \(path) is not read; seeds end in .json" }

  /// True for files that often lie beside seeds.
  private static func isKnown(_ name: String) -> Bool { schemas.contains(name) || name.hasSuffix(".md") }

  private static let schemas: Set = ["schema.json", "story-schema.json"]

  static func file(_ path: String) throws -> SeedLibrary.File {
    SeedLibrary.File(name: path, bytes: try Files.read(path))
  }

  /// Sandboxes in memory as after a fresh start, for commands that need no server.
  static func freshSandboxes(
    origin: Sandbox.Configuration = .init(), hooks: [ProviderHooks] = []
  ) throws -> Sandboxes {
    let settings = Sandboxes.Settings(makeKey: SigningKey.p256) {
      Timestamp(milliseconds: EventLoop.wallClockMilliseconds())
    }
    return try Sandboxes(
      in: Database(.memory), settings: settings, seeds: library(folders: []), hooks: hooks,
      defaultConfiguration: origin)
  }

  /// The seeds and stories in a folder and in those within it; a file alone.
  static func all(_ path: String) throws -> [String] {
    guard Files.isFolder(path) else { return [path] }
    let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
    let found = try Files.names(in: folder).sorted().filter {
      isSeed($0) || Files.isFolder("\(folder)/\($0)")
    }
    .flatMap { try all("\(folder)/\($0)") }
    guard !found.isEmpty else { throw CommandFailure("\(path) has no seed; seeds end in .json") }
    return found
  }

  private static func files(in folder: String) throws -> [SeedLibrary.File] {
    try Files.names(in: folder).filter(isSeed).map { try file("\(folder)/\($0)") }
  }

  private static func isSeed(_ name: String) -> Bool { name.hasSuffix(".json") && !schemas.contains(name) }
}
