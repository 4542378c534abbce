extension String {
  /// On one line, truncated.
  func shortened(to limit: Int) -> String {
    let line = onOneLine
    return line.count > limit ? "\(line.prefix(max(0, limit - 1)))…" : line
  }

  /// Fills up with spaces to this many characters.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  var withoutTrailingSpaces: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  /// In lines of at most this many characters, broken at spaces where there are any.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
      while line.count > width {
        lines.append(String(line.prefix(width)))
        line = String(line.dropFirst(width))
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// `2026-01-05 10:20:30` for a time of the control API.
  var asTime: String { prefix(19).map { $0 == "T" ? " " : String($0) }.joined() }
}
