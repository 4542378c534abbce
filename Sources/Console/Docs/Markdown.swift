import Markup

/// Makes HTML of the Markdown that pages of `Docs` have: headings, paragraphs, lists, tables and programs.
struct Markdown {
  /// The ids of headings begin with this: others are those of the page's frame.
  static let anchor = "doc-"

  /// The address of a link; nil for one that is shown as text.
  let address: (String) -> String?

  func html(of lines: [String]) -> HTML { blocks(lines[...].map { Substring($0) }[...]) }

  // MARK: Blocks

  private func blocks(_ all: ArraySlice<Substring>) -> HTML {
    var (html, rest, seen) = (HTML(), all, [String: Int]())
    while let line = rest.first {
      if line.allSatisfy({ $0 == " " }) || line.hasPrefix("<!--") {
        rest = rest.dropFirst()
      } else if line.hasPrefix("```") {
        let text = rest.dropFirst().prefix { $0 != "```" }
        html.append(pre { code { text.joined(separator: "\n") } })
        rest = rest[text.endIndex...].dropFirst()
      } else if line.hasPrefix("#") {
        html.append(heading(line, &seen))
        rest = rest.dropFirst()
      } else if line.hasPrefix("|") {
        let rows = rest.prefix { $0.hasPrefix("|") }
        html.append(grid(rows))
        rest = rest[rows.endIndex...]
      } else if let marker = Self.marker(line) {
        html.append(list(&rest, isNumbered: marker.isNumbered))
      } else {
        let text = rest.prefix { !$0.isEmpty && !Self.beginsBlock($0) }
        html.append(p { inline(text.joined(separator: "\n")[...]) })
        rest = rest[text.endIndex...]
      }
    }
    return html
  }

  private static func beginsBlock(_ line: Substring) -> Bool {
    line.hasPrefix("```") || line.hasPrefix("#") || line.hasPrefix("|") || line.hasPrefix("<!--")
      || marker(line) != nil
  }

  /// `* `, `- ` or `1. ` at the start of a line: its width, and whether it is a number.
  private static func marker(_ line: Substring) -> (width: Int, isNumbered: Bool)? {
    if line.hasPrefix("* ") || line.hasPrefix("- ") { return (2, false) }
    let digits = line.prefix { $0.isNumber }
    return !digits.isEmpty && line.dropFirst(digits.count).hasPrefix(". ") ? (digits.count + 2, true) : nil
  }

  private func heading(_ line: Substring, _ seen: inout [String: Int]) -> HTML {
    let level = line.prefix { $0 == "#" }.count
    let text = line.dropFirst(level).drop { $0 == " " }
    let anchor = Self.anchor(of: text)
    let count = seen[anchor, default: 0]
    seen[anchor] = count + 1
    let tag = level == 1 ? h1 : level == 2 ? h2 : h3
    return tag(.id(Self.anchor + (count == 0 ? anchor : "\(anchor)-\(count)"))) { inline(text) }
  }

  /// As GitHub makes it: `Numbers and codes` becomes `numbers-and-codes`.
  private static func anchor(of text: Substring) -> String {
    let shown = text.replacing(/\[(.*?)\]\(.*?\)/) { $0.1 }.lowercased()
    return String(
      shown.filter { $0.isLetter || $0.isNumber || "_- ".contains($0) }.map { $0 == " " ? "-" : $0 })
  }

  private func grid(_ rows: ArraySlice<Substring>) -> HTML {
    let cells = rows.map(Self.cells)
    let isHeaded = cells.count > 1 && cells[1].allSatisfy { $0.allSatisfy { "-: ".contains($0) } }
    // It scrolls where it is too wide, with the keyboard, too.
    return div(.class("wide"), .init("tabindex", "0")) {
      table {
        if isHeaded {
          thead { tr { for cell in cells[0] { (cell.isEmpty ? td : th)([]) { inline(cell) } } } }
        }
        tbody {
          for row in cells.dropFirst(isHeaded ? 2 : 0) { tr { for cell in row { td { inline(cell) } } } }
        }
      }
    }
  }

  /// Between the bars of a row, of which those in code and after a backslash are text.
  private static func cells(_ row: Substring) -> [Substring] {
    var (cells, start, isCode, isEscaped) = ([Substring](), row.startIndex, false, false)
    for place in row.indices {
      switch row[place] {
      case _ where isEscaped: isEscaped = false
      case "\\": isEscaped = true
      case "`": isCode.toggle()
      case "|" where !isCode:
        cells.append(row[start..<place])
        start = row.index(after: place)
      default: break
      }
    }
    return cells.dropFirst().map { $0.trimmed }
  }

  /// Takes a list from the lines: its items, and what is indented below each.
  private func list(_ rest: inout ArraySlice<Substring>, isNumbered: Bool) -> HTML {
    var items = HTML()
    while let line = rest.first, let marker = Self.marker(line), marker.isNumbered == isNumbered {
      let indent = String(repeating: " ", count: marker.width)
      let more = rest.dropFirst().prefix { $0.isEmpty || $0.hasPrefix(indent) }
      let inner = [line.dropFirst(marker.width)] + more.map { $0.dropFirst(min(marker.width, $0.count)) }
      let isPlain =
        inner.dropFirst().allSatisfy { !$0.isEmpty && !Self.beginsBlock($0) }
        || more.allSatisfy(\.isEmpty)
      items.append(
        li { isPlain ? inline(inner.joined(separator: "\n")[...].trimmed) : blocks(inner[...]) })
      rest = rest[more.endIndex...]
    }
    let tag = isNumbered ? ol : ul
    return tag { items }
  }

  // MARK: Text

  private func inline(_ text: Substring) -> HTML {
    var (html, rest) = (HTML(), text)
    while let place = rest.firstIndex(where: { "\\`*![<".contains($0) }) {
      html.append(HTML { String(rest[..<place]) })
      rest = rest[place...]
      if let (piece, end) = piece(rest) {
        html.append(piece)
        rest = rest[end...]
      } else {
        html.append(HTML { String(rest.prefix(1)) })
        rest = rest.dropFirst()
      }
    }
    html.append(HTML { String(rest) })
    return html
  }

  /// What begins with a mark, and where it ends; nil for a mark that is text.
  private func piece(_ text: Substring) -> (HTML, String.Index)? {
    switch text.first {
    case "\\":
      let next = text.dropFirst().prefix(1)
      return next.isEmpty ? nil : (HTML { String(next) }, next.endIndex)
    case "`":
      return Self.between(text.prefix { $0 == "`" }, text).map { inner, end in
        (code { String(inner.count > 2 ? inner.trimmed : inner) }, end)
      }
    case "*":
      let fence: Substring = text.hasPrefix("**") ? "**" : "*"
      guard let (inner, end) = Self.between(fence, text), inner.first != " " else { return nil }
      let tag = fence == "*" ? em : strong
      return (tag { inline(inner) }, end)
    case "<":
      guard text.hasPrefix("<http"), let end = text.firstIndex(of: ">") else { return nil }
      let url = String(text[..<end].dropFirst())
      return (a(.href(url)) { url }, text.index(after: end))
    // Pictures are not built in.
    case "!": return text.hasPrefix("![") ? link(text.dropFirst()).map { (HTML(), $0.end) } : nil
    default:
      return link(text).map { label, target, end in
        (address(target).map { url in a(.href(url)) { inline(label) } } ?? inline(label), end)
      }
    }
  }

  /// The text after a fence, and where the fence that closes it ends.
  private static func between(_ fence: Substring, _ text: Substring) -> (Substring, String.Index)? {
    let after = text.dropFirst(fence.count)
    guard let end = after.firstRange(of: fence), !after[..<end.lowerBound].isEmpty else { return nil }
    return (after[..<end.lowerBound], end.upperBound)
  }

  /// `[label](target)`
  private func link(_ text: Substring) -> (label: Substring, target: String, end: String.Index)? {
    guard let middle = text.firstRange(of: "]("), let end = text[middle.upperBound...].firstIndex(of: ")")
    else { return nil }
    let label = text[..<middle.lowerBound].dropFirst()
    return (label, String(text[middle.upperBound..<end]), text.index(after: end))
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}
