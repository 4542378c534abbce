import Catalog
import CatalogSupport
import Database
import Domain
import Foundation
import JSON
import Support

/// Makes the fresh sandbox of each input. Copying the rows of a first one takes a tenth of the time of
/// loading seeds. The numbers that most requests name have every optional fact.
struct SandboxTemplate {
  private let parts: TestSandbox.Parts
  /// The database of all inputs, one after the other. Its compiled statements stay valid.
  private let database: Database
  /// Replaces all rows by those of the first sandbox.
  private let restoreRows: String

  static func make() -> SandboxTemplate {
    do {
      return try SandboxTemplate()
    } catch {
      preconditionFailure("the first sandbox cannot be created: \(error)")
    }
  }

  private init() throws {
    parts = try TestSandbox.Parts(providers: catalog)
    database = try Database(.memory)
    let first = try TestSandbox.withConsole(in: database, parts: parts)
    try first.sandboxes.seeds.load(Self.filledSubscribers(), into: first.sandbox)
    try first.sandboxes.commit()
    // In the order of creation, so that a row never refers to a later one.
    let tables = try database.all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
    ) { $0.text(0) }
    try database.execute(script: "ATTACH ':memory:' AS first")
    var copies = ""
    for table in tables {
      try database.execute(script: "CREATE TABLE first.copy AS SELECT * FROM main.\(table)")
      if try database.first("SELECT 1 FROM first.copy", read: { $0.int(0) }) != nil {
        copies += "INSERT INTO main.\(table) SELECT * FROM first.\(table);"
      }
      try database.execute(script: "ALTER TABLE first.copy RENAME TO \(table)")
    }
    let deletions = tables.reversed().map { "DELETE FROM main.\($0);" }.joined()
    restoreRows = "BEGIN; \(deletions) \(copies) COMMIT"
  }

  private static let filled = [
    "+12025550100", "+12025550105", "+12025550150", "+15558675309", "+33639980050",
  ]

  /// A seed.
  private static func filledSubscribers() throws -> Fields {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../filled-subscriber.json")
    guard case .object(let facts) = try JSON(parsing: Array(Data(contentsOf: file))) else {
      throw FieldError(path: "filled-subscriber.json", expected: "an object", found: "another value")
    }
    let records = filled.map { JSON.object([.init("number", $0)] + facts) }
    return try Fields(.object([.init(name: "subscribers", value: .array(records))]))
  }

  func sandbox(stories: [String: [SeedLibrary.File]]) throws -> TestSandbox {
    try database.execute(script: restoreRows)
    return try TestSandbox.withConsole(in: database, parts: parts, seeds: stories)
  }
}
