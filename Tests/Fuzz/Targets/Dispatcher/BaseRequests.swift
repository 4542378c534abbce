import Foundation
import JSON

/// The requests of `Requests.json`, which `Tests/Fuzz/collect_requests.py` writes.
struct BaseRequests: Sendable {
  struct Entry: Sendable {
    let group: String
    let method: String
    let target: String
    let headers: [(name: String, value: String)]
    let body: String
  }

  /// Names of fields in queries, sorted by hash.
  let queryNames: [String]
  /// Names of fields in bodies, by group.
  private let bodyNames: [String: [String]]
  private let stories: Ring<JSON>
  private let provider: Ring<Entry>
  private let control: Ring<Entry>
  private let world: Ring<Entry>

  static func load() -> BaseRequests {
    // Not embedded: compiling a literal of this size takes a minute.
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Requests.json")
    do {
      return try BaseRequests(
        Fields(Array(Data(contentsOf: file))),
        provider: ProcessInfo.processInfo.environment["RINGFENCE_FUZZ_PROVIDER"])
    } catch {
      preconditionFailure("Requests.json: \(error)")
    }
  }

  private init(_ fields: Fields, provider wanted: String?) throws {
    var rings: [String: Ring<Entry>] = [:]
    for fields in try fields.objects("requests") {
      let entry = try Entry(fields)
      let ring =
        switch entry.group {
        case "control", "carrier": "control"
        case "world": "world"
        default: "provider"
        }
      if ring == "provider", let wanted, wanted != entry.group { continue }
      rings[ring, default: Ring()].add(entry, named: "\(entry.group)/\(try fields.string("name"))")
    }
    guard let provider = rings["provider"], let control = rings["control"], let world = rings["world"] else {
      throw FieldError(
        path: "requests", expected: "requests of \(wanted ?? "providers"), control and world",
        found: "\(rings.keys.sorted())")
    }
    (self.provider, self.control, self.world) = (provider, control, world)
    queryNames = try Self.names(fields, "queryNames")
    bodyNames = try fields.objects("bodyNames").reduce(into: [:]) { result, fields in
      result[try fields.string("group")] = try Self.names(fields, "names")
    }
    var stories = Ring<JSON>()
    for fields in try fields.objects("stories") {
      stories.add(try JSON(parsing: Array(fields.string("body").utf8)), named: try fields.string("name"))
    }
    self.stories = stories
  }

  private static func names(_ fields: Fields, _ member: String) throws -> [String] {
    var names = Ring<String>()
    for name in try fields.strings(member) { names.add(name, named: name) }
    return names.values
  }

  /// Never empty.
  func bodyNames(of group: String) -> [String] {
    let names = bodyNames[group] ?? []
    return names.isEmpty ? queryNames : names
  }

  func story(_ choice: UInt16) -> JSON { stories[choice] }

  func request(for record: Record) -> Entry {
    switch record.pool {
    case .provider: provider[record.choice]
    case .control: control[record.choice]
    case .world: world[record.choice]
    }
  }
}

/// Values found by a hash of their names: a new golden moves few of the others, so the corpus stays useful.
private struct Ring<Value: Sendable>: Sendable {
  private var entries: [(hash: UInt16, value: Value)] = []

  var values: [Value] { entries.map(\.value) }

  mutating func add(_ value: Value, named name: String) {
    let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let short = UInt16(truncatingIfNeeded: hash ^ hash >> 16)
    entries.insert((short, value), at: position(of: short))
  }

  /// The first value whose hash is not less.
  subscript(choice: UInt16) -> Value {
    let position = position(of: choice)
    return entries[position == entries.count ? 0 : position].value
  }

  private func position(of hash: UInt16) -> Int {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = entries[middle].hash < hash ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}

extension BaseRequests.Entry {
  fileprivate init(_ fields: Fields) throws {
    group = try fields.string("group")
    method = try fields.string("method")
    target = try fields.string("target")
    body = try fields.string("body")
    headers = try fields.objects("headers").map { (try $0.string("name"), try $0.string("value")) }
  }
}
