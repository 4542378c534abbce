import Basics
import Testing

@Suite("Domain · tables in text files")
struct TextTableTests {
  private func table(_ text: String, columns: ClosedRange<Int> = 2...3) throws -> [TextTable.Row] {
    try TextTable(Array(text.utf8), columns: columns).rows
  }

  @Test("two spaces or more separate columns, and comments are no rows")
  func rows() throws {
    let rows = try table("# Code, text.\n60202  Max attempts\n\n#1      -  30 31 \n")

    #expect(rows.map { $0[0] } == ["60202", "#1"])
    #expect(rows[0][1] == "Max attempts")
    #expect(try rows[0].number(0) == 60202)
    #expect(rows[1].optional(1) == nil)
    #expect(try rows[1].numbers(2) == [30, 31])
    #expect(rows[1].words(2) == ["30", "31"])
    #expect(try rows[1].numbers(1) == [])
  }

  @Test(
    "a row with another number of columns is a mistake, which names its line",
    arguments: [
      ("# Comment\none", "line 2: expected 2 to 3 columns; found 1"),
      ("a  b\n\na  b  c  d", "line 3: expected 2 to 3 columns; found 4"),
    ])
  func columns(text: String, mistake: String) {
    #expect(throws: TextTable.Mistake(mistake)) { try table(text) }
  }

  @Test("a cell that is no number is a mistake")
  func number() throws {
    let row = try #require(table("12a  1 x").first)

    #expect(throws: TextTable.Mistake("line 1: expected a number; found 12a")) { try row.number(0) }
    #expect(throws: TextTable.Mistake("line 1: expected a number; found x")) { try row.numbers(1) }
  }

  @Test(
    "an enumeration has a row for each case, and each row a case",
    arguments: [
      ("1  a\n2  b", nil), ("1  a", "expected a row of 2"),
      ("1  a\n2  b\n3  c", "line 3: expected a new code; found 3"),
      ("1  a\n2  b\n1  c", "line 3: expected a new code; found 1"),
    ])
  func named(text: String, mistake: String?) throws {
    enum Code: Int, CaseIterable { case one = 1, two }
    let table = try TextTable(Array(text.utf8), columns: 2...2)
    guard let mistake else {
      #expect(try table.rows(of: Code.self)[.two]?[1] == "b")
      return
    }
    #expect(throws: TextTable.Mistake(mistake)) { try table.rows(of: Code.self) }
  }
}
