/// A QR code: a square of dark and light modules.
package struct QRCode: Sendable {
  /// The number of modules in a row.
  package let size: Int
  /// Row by row; true is dark.
  private let modules: [Bool]

  /// The width of the light border that readers need, in modules. Source: ISO/IEC 18004, 6.3.8.
  private static let border = 4

  /// Nil if the text is empty, or too long for a QR code: more than 2,331 bytes.
  package init?(_ text: String) {
    guard let codewords = Codewords(Array(text.utf8)) else { return nil }
    size = Layout(version: codewords.version).size
    modules = Modules(codewords).isDark
  }

  /// False outside the square.
  package func isDark(row: Int, column: Int) -> Bool {
    guard 0..<size ~= row, 0..<size ~= column else { return false }
    return modules[row * size + column]
  }

  /// An SVG image with its border, black on white, one unit per module.
  package var svg: String {
    let width = size + 2 * Self.border
    var path = ""
    for row in 0..<size {
      for column in 0..<size where isDark(row: row, column: column) {
        path += "M\(column + Self.border) \(row + Self.border)h1v1h-1z"
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(width)" shape-rendering="crispEdges">\
      <rect width="\(width)" height="\(width)" fill="#fff"/><path d="\(path)"/></svg>

      """
  }

  /// The code for a terminal, with its border: two rows of modules per line of text. Light modules are drawn,
  /// so that a reader sees dark on light in a terminal with a dark background.
  package var terminalText: String {
    let range = -Self.border..<size + Self.border
    var text = ""
    for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
      for column in range {
        switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
        case (false, false): text += "█"
        case (false, true): text += "▀"
        case (true, false): text += "▄"
        case (true, true): text += " "
        }
      }
      text += "\n"
    }
    return text
  }
}
