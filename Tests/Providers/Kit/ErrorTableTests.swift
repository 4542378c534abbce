import Basics
import Domain
import HTTP
import Testing

@testable import ProviderKit

@Suite("Kit · tables of errors")
struct ErrorTableTests {
  private func table(_ text: String) throws -> ErrorTable { try ErrorTable(Array(text.utf8)) }

  @Test("a row has a code, a status and a text, and may have a format and a title")
  func rows() throws {
    let table = try table(
      """
      1  429  Too many
      2  400  -
      1  404  problem  Not found
      3  422  problem  Title  Not valid
      """)

    #expect(
      table.rows == [
        ErrorRow("1", 429, "Too many"), ErrorRow("2", 400, ""),
        ErrorRow("1", 404, "Not found", in: "problem"),
        ErrorRow("3", 422, "Not valid", in: "problem"),
      ])
    #expect(table["1"]?.status == 429)
    #expect(table["2"]?.text == nil)
    #expect(table["1", in: "problem"]?.text == "Not found")
    #expect(table["3", in: "problem"]?.title == "Title")
    #expect(table["3"] == nil)
  }

  @Test(
    "malformed rows are mistakes",
    arguments: [
      ("1  429", "line 1: expected 3 to 5 columns; found 2"),
      ("1  no  Text", "line 1: expected a number; found no"),
      ("1  42  Text", "line 1: expected a status"),
      ("1  400  a\n1  404  b", "line 2: expected a new code; found 1 once more"),
    ])
  func malformed(text: String, mistake: String) {
    #expect(throws: TextTable.Mistake(mistake)) { try table(text) }
  }

  @Test("every named error needs its row")
  func names() throws {
    enum Name: String, ErrorName {
      case found, missing
      static var table: ErrorTable { preconditionFailure("not asked") }
    }

    #expect(throws: TextTable.Mistake("Errors.txt: expected a row of missing")) {
      try table("found  400  -").checkNames(Name.self)
    }
  }
}
