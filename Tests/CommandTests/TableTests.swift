import Testing

@testable import ringfence

@Suite("Command · Table")
struct TableTests {
  private func table(_ rows: [String]...) -> Table {
    var table = Table(["NAME", "TEXT"])
    for row in rows { table.add(row) }
    return table
  }

  @Test("columns are aligned, and lines have no spaces at their end")
  func aligned() {
    #expect(
      table(["a", "first"], ["longer", ""]).lines(width: 80) == [
        "NAME    TEXT", "a       first", "longer",
      ])
  }

  @Test("the widest column is cut where a row is too wide", arguments: [12, 20, 40])
  func cut(width: Int) {
    let lines = table(["ci-17", String(repeating: "x", count: 100)]).lines(width: width)

    #expect(lines[1].count == width && lines[1].hasPrefix("ci-17  x") && lines[1].hasSuffix("…"))
  }

  @Test("notes stand below their row, in as many lines as they need")
  func notes() {
    var table = table(["a", "b"])
    table.note("one two three four")
    table.add(["c", "d"])

    #expect(
      table.lines(width: 12, withHeader: false) == ["a     b", "  one two", "  three four", "c     d"])
  }

  @Test("control characters cannot reach the terminal")
  func control() {
    #expect(table(["a\u{1B}[31m", "b\nc"]).lines(width: 80)[1] == #"a\x1B[31m  b c"#)
  }

  @Test(
    "a text is broken at spaces, and within a word that is too long",
    arguments: [
      ("", []), ("one two", ["one two"]), ("one two three", ["one two", "three"]),
      ("a  \"  \"", ["a  \"  \""]),
      ("abcdefghijkl m", ["abcdefgh", "ijkl m"]),
    ])
  func wrapped(text: String, lines: [String]) {
    #expect(text.wrapped(to: 8) == lines)
  }
}
