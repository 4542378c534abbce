import JSON

/// A table in a text file: a row per line, whose columns have at least two spaces between them.
///
/// Lines that begin with `# ` are comments. `-` is a cell without a value.
package struct TextTable {
  package struct Mistake: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  package struct Row: Sendable {
    /// Counted from 1.
    fileprivate let line: Int
    fileprivate let cells: [ArraySlice<UInt8>]

    package var count: Int { cells.count }

    package subscript(column: Int) -> String { String(decoding: cells[column], as: UTF8.self) }

    /// Nil for `-`.
    package func optional(_ column: Int) -> String? {
      cells[column].elementsEqual("-".utf8) ? nil : self[column]
    }

    /// What one space separates in a cell; none for `-`.
    package func words(_ column: Int) -> [String] {
      optional(column) == nil ? [] : wordBytes(column).map { String(decoding: $0, as: UTF8.self) }
    }

    package func number(_ column: Int) throws(Mistake) -> Int { try number(cells[column]) }

    /// The words of a cell as numbers.
    package func numbers(_ column: Int) throws(Mistake) -> [Int] {
      if optional(column) == nil { return [] }
      var numbers: [Int] = []
      for word in wordBytes(column) { numbers.append(try number(word)) }
      return numbers
    }

    package func mistake(expected: String) -> Mistake {
      Mistake("line \(line): expected \(expected)")
    }

    private func wordBytes(_ column: Int) -> [ArraySlice<UInt8>] {
      cells[column].split(separator: UInt8(ascii: " "))
    }

    private func number(_ word: ArraySlice<UInt8>) throws(Mistake) -> Int {
      let text = String(decoding: word, as: UTF8.self)
      guard let number = Int(text) else { throw mistake(expected: "a number; found \(text)") }
      return number
    }
  }

  package let rows: [Row]

  /// Throws if a row has another number of columns.
  package init(_ file: [UInt8], columns: ClosedRange<Int>) throws(Mistake) {
    var rows: [Row] = []
    for (number, line) in Self.lines(of: file) {
      let row = Row(line: number, cells: Self.cells(of: line))
      guard columns.contains(row.count) else {
        let expected =
          columns.count == 1 ? "\(columns.lowerBound)" : "\(columns.lowerBound) to \(columns.upperBound)"
        throw row.mistake(expected: "\(expected) columns; found \(row.count)")
      }
      rows.append(row)
    }
    self.rows = rows
  }

  /// The rows by an enumeration whose raw values are the first column. Throws unless each case has one row,
  /// and each row a case.
  package func rows<Name: CaseIterable & Hashable & RawRepresentable>(
    of _: Name.Type
  ) throws(Mistake) -> [Name: Row] where Name.RawValue: LosslessStringConvertible {
    var named: [Name: Row] = [:]
    for row in rows {
      guard let name = Name.RawValue(row[0]).flatMap(Name.init), named.updateValue(row, forKey: name) == nil
      else { throw row.mistake(expected: "a new code; found \(row[0])") }
    }
    for name in Name.allCases where named[name] == nil {
      throw Mistake("expected a row of \(name.rawValue)")
    }
    return named
  }

  /// The lines that are neither empty nor comments, with their numbers.
  package static func lines(of file: [UInt8]) -> [(number: Int, text: ArraySlice<UInt8>)] {
    file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .filter { !$1.isEmpty && !$1.starts(with: "# ".utf8) }.map { (number: $0 + 1, text: $1) }
  }

  private static func cells(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let space = UInt8(ascii: " ")
    var cells: [ArraySlice<UInt8>] = []
    var start = line.startIndex
    while start < line.endIndex {
      var end = start
      while end < line.endIndex, line[end] != space || end + 1 < line.endIndex && line[end + 1] != space {
        end += 1
      }
      cells.append(line[start..<end])
      start = line[end...].firstIndex { $0 != space } ?? line.endIndex
    }
    return cells
  }
}

/// What is read from a file that is part of the program. A mistake in it is one of ours: a test reads each of
/// these files.
package func embedded<Value>(_ read: () throws -> Value) -> Value {
  do {
    return try read()
  } catch {
    preconditionFailure("\(error)")
  }
}
