/// Rows of cells for people: aligned columns that fit the terminal.
struct Table {
  private let headers: [String]
  /// The least widths, for rows that are printed as they come.
  private let minimums: [Int]
  private var rows: [[String]] = []
  /// Lines below a row, by the number of rows until then.
  private var notes: [Int: [String]] = [:]

  static let gap = 2

  init(_ headers: [String], minimums: [Int] = []) {
    self.headers = headers
    self.minimums = minimums
  }

  var isEmpty: Bool { rows.isEmpty }

  mutating func add(_ cells: [String]) { rows.append(cells.map(\.onOneLine)) }

  /// Adds an indented text below the last row, in as many lines as it needs.
  mutating func note(_ text: String) { notes[rows.count, default: []].append(text.onOneLine) }

  /// Where a row is too wide, the widest columns are cut.
  func lines(width: Int = Terminal.width, withHeader: Bool = true) -> [String] {
    let widths = widths(in: width)
    var lines = withHeader ? [line(headers, widths)] : []
    for (index, row) in rows.enumerated() {
      lines.append(line(row, widths))
      for note in notes[index + 1] ?? [] {
        lines += note.wrapped(to: width - Self.gap).map { String(repeating: " ", count: Self.gap) + $0 }
      }
    }
    return lines
  }

  private func widths(in room: Int) -> [Int] {
    var widths = headers.indices.map { column in
      let cells = [headers[column]] + rows.map { $0[column] }
      return max(minimums.indices.contains(column) ? minimums[column] : 0, cells.map(\.count).max() ?? 0)
    }
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - room
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > 1 {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    zip(cells, widths).map { $0.shortened(to: $1).padded(to: $1 + Self.gap) }.joined().withoutTrailingSpaces
  }
}
