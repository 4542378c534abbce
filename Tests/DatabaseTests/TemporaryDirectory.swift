import Database
import Foundation

/// A new directory that ends with this object; a class because of that.
final class TemporaryDirectory {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "ringfence-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// How many bytes a file has; 0 when it is missing.
  func size(of name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
    return attributes?[.size] as? Int ?? 0
  }
}

/// SQLITE_CONSTRAINT_UNIQUE.
let uniqueConstraint: Int32 = 2067

extension Database {
  /// A connection in memory with `parent` and, referring to it no later than the commit, `child`.
  static func family() throws -> Database {
    let database = try Database(.memory)
    try database.execute(
      script: """
        CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT;
        CREATE TABLE child (
          id INTEGER PRIMARY KEY,
          parent INTEGER NOT NULL REFERENCES parent DEFERRABLE INITIALLY DEFERRED) STRICT
        """)
    return database
  }

  /// The keys in `parent`.
  var parents: [Int] {
    get throws { try all("SELECT id FROM parent ORDER BY id") { $0.int(0) } }
  }
}

/// The error that closures of these tests throw.
struct ResponseError: Error, Equatable {}
