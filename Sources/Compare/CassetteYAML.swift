import JSON

/// YAML as recorders in Python and Ruby write their cassettes: mappings and lists in block style, with plain,
/// quoted and literal texts, and bytes in Base64. A list or mapping in flow style is empty.
///
/// Bytes become an object: `{"base64_string": "aGk="}`.
struct CassetteYAML {
  private struct Line {
    /// Of spaces.
    var indent: Int
    /// Without the indent.
    let whole: Substring
    /// Also without spaces at the end.
    var text: Substring
    let number: Int
  }

  private var lines: [Line] = []
  /// The index of the line that is read next.
  private var next = 0
  private var depth = 0

  private static let depthLimit = 32

  /// True for what begins like a cassette in YAML.
  static func isLikely(_ bytes: [UInt8]) -> Bool {
    ["---", "interactions:", "http_interactions:"].contains { bytes.starts(with: $0.utf8) }
  }

  static func parse(_ bytes: [UInt8]) throws(FieldError) -> JSON {
    var reader = CassetteYAML()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FieldError(path: "$", expected: "UTF-8", found: "other bytes")
    }
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      let whole = line.drop { $0 == " " }
      let end = whole.lastIndex { $0 != " " }.map(whole.index(after:)) ?? whole.startIndex
      reader.lines.append(
        Line(
          indent: line.utf8.count - whole.utf8.count, whole: whole, text: whole[..<end], number: index + 1))
    }
    if reader.lines.first?.text == "---" { reader.next = 1 }
    let document = try reader.block(deeperThan: -1)
    reader.skipBlankLines()
    guard reader.next == reader.lines.count else { throw reader.mismatch("a name, and a colon") }
    return document
  }

  private func mismatch(_ expected: String) -> FieldError {
    let line = lines[min(next, lines.count - 1)]
    return FieldError(
      path: "line \(line.number)", expected: expected, found: line.text.isEmpty ? "the end" : "something else"
    )
  }

  private mutating func skipBlankLines() {
    while next < lines.count, lines[next].text.isEmpty || lines[next].text.hasPrefix("#") { next += 1 }
  }

  // MARK: Blocks

  /// The value that begins with the next line, whose indent must be greater; null if there is none.
  private mutating func block(deeperThan indent: Int) throws(FieldError) -> JSON {
    skipBlankLines()
    guard next < lines.count, lines[next].indent > indent else { return .null }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw mismatch("at most \(Self.depthLimit) levels") }
    let own = lines[next].indent
    if Self.isItem(lines[next].text) { return try list(at: own) }
    if try key(of: lines[next].text) != nil { return try mapping(at: own) }
    return try value(lines[next].text, deeperThan: indent)
  }

  private static func isItem(_ text: Substring) -> Bool { text == "-" || text.hasPrefix("- ") }

  private mutating func list(at indent: Int) throws(FieldError) -> JSON {
    var items: [JSON] = []
    while next < lines.count, lines[next].indent == indent, Self.isItem(lines[next].text) {
      // What follows the hyphen is like a line of its own.
      let rest = lines[next].text.dropFirst()
      let content = rest.drop { $0 == " " }
      if content.isEmpty {
        next += 1
      } else {
        lines[next].indent += 1 + rest.count - content.count
        lines[next].text = content
      }
      items.append(try block(deeperThan: indent))
      skipBlankLines()
    }
    return .array(items)
  }

  private mutating func mapping(at indent: Int) throws(FieldError) -> JSON {
    var members: [JSON.Member] = []
    var names: Set<String> = []
    while next < lines.count, lines[next].indent == indent, let key = try key(of: lines[next].text) {
      guard names.insert(key.name).inserted else { throw mismatch("a name that is not there already") }
      let value: JSON
      if key.rest.isEmpty {
        next += 1
        skipBlankLines()
        // The items of a list may be as far left as its name.
        let isList = next < lines.count && lines[next].indent == indent && Self.isItem(lines[next].text)
        value = isList ? try list(at: indent) : try block(deeperThan: indent)
      } else {
        value = try self.value(key.rest, deeperThan: indent)
      }
      members.append(.init(name: key.name, value: value))
      skipBlankLines()
    }
    return .object(members)
  }

  /// The name at the beginning of a line, and what follows the colon; nil if it has none.
  private func key(of text: Substring) throws(FieldError) -> (name: String, rest: Substring)? {
    guard let quote = text.first, quote == "'" || quote == "\"" else {
      guard let colon = text.indices.first(where: { Self.endsKey(text, at: $0) }) else { return nil }
      return (String(text[..<colon]), text[text.index(after: colon)...].drop { $0 == " " })
    }
    let inner = text.dropFirst()
    guard let end = Self.end(of: inner, quote: quote) else { return nil }
    let after = inner[inner.index(after: end)...]
    guard let colon = after.indices.first, Self.endsKey(after, at: colon) else { return nil }
    return (try unquoted([inner[..<end]], quote: quote), after.dropFirst().drop { $0 == " " })
  }

  private static func endsKey(_ text: Substring, at index: Substring.Index) -> Bool {
    guard text[index] == ":" else { return false }
    let after = text.index(after: index)
    return after == text.endIndex || text[after] == " "
  }

  // MARK: Values

  /// The value that begins with this text, which is the end of the next line. Its further lines are deeper.
  private mutating func value(_ text: Substring, deeperThan indent: Int) throws(FieldError) -> JSON {
    switch text.first {
    case "'": return .string(try quoted(text, quote: "'"))
    case "\"": return .string(try quoted(text, quote: "\""))
    case "|": return .string(try literal(text.dropFirst(), deeperThan: indent))
    case "!":
      let tag = text.prefix { $0 != " " }
      guard tag == "!!binary" || tag == "!binary" else { throw mismatch("a value without the tag \(tag)") }
      let rest = text.dropFirst(tag.count).drop { $0 == " " }
      // No second tag, so that a line of tags ends here.
      guard rest.first != "!", case .string(let bytes) = try value(rest, deeperThan: indent) else {
        throw mismatch("Base64")
      }
      return .object([.init("base64_string", bytes.filter { !$0.isWhitespace })])
    case "&", "*", ">", "@", "`", "%": throw mismatch("a text, a list, or names with values")
    case "?" where text.dropFirst().first ?? " " == " ": throw mismatch("a name on the line of its value")
    case "{", "[":
      guard text == "{}" || text == "[]" else { throw mismatch("block style") }
      next += 1
      return text == "{}" ? .object([]) : .array([])
    default: return plain(text, deeperThan: indent)
    }
  }

  private mutating func plain(_ text: Substring, deeperThan indent: Int) -> JSON {
    var parts = [Self.withoutComment(text)]
    next += 1
    while next < lines.count, lines[next].text.isEmpty || lines[next].indent > indent {
      parts.append(Self.withoutComment(lines[next].text))
      next += 1
    }
    while parts.last?.isEmpty == true, parts.count > 1 { parts.removeLast() }
    let whole = Self.folded(parts)
    switch whole {
    case "", "~", "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return Int64(whole).map(JSON.integer) ?? .string(whole)
    }
  }

  private static func withoutComment(_ text: Substring) -> Substring {
    if text.hasPrefix("#") { return "" }
    return text.firstRange(of: " #").map { text[..<$0.lowerBound] } ?? text
  }

  private mutating func literal(_ indicators: Substring, deeperThan indent: Int) throws(FieldError) -> String
  {
    let keep = indicators.last
    let digit = indicators.first?.wholeNumberValue
    guard indicators.allSatisfy({ "-+0123456789".contains($0) }) else { throw mismatch("|, |- or |+") }
    next += 1
    var content: [Substring] = []
    var own = digit.map { max(indent, 0) + $0 }
    while next < lines.count, lines[next].text.isEmpty || lines[next].indent > indent {
      let line = lines[next]
      if !line.text.isEmpty, own == nil { own = line.indent }
      content.append(String(repeating: " ", count: max(0, line.indent - (own ?? line.indent))) + line.whole)
      next += 1
    }
    let end = content.reversed().prefix { $0.isEmpty }.count
    let text = content.dropLast(end).joined(separator: "\n")
    return switch keep {
    case "-": text
    case "+": text + String(repeating: "\n", count: end + 1)
    default: text.isEmpty ? "" : text + "\n"
    }
  }

  // MARK: Quotes

  /// The text in quotes, which may end on a later line.
  private mutating func quoted(_ text: Substring, quote: Character) throws(FieldError) -> String {
    var parts: [Substring] = []
    var rest = text.dropFirst()
    while true {
      if let end = Self.end(of: rest, quote: quote) {
        parts.append(rest[..<end])
        let after = Self.withoutComment(rest[rest.index(after: end)...])
        guard after.allSatisfy({ $0 == " " }) else { throw mismatch("the end of the line after the text") }
        next += 1
        return try unquoted(parts, quote: quote)
      }
      parts.append(rest)
      guard next + 1 < lines.count else { throw mismatch("a text that ends with \(quote)") }
      next += 1
      rest = lines[next].text
    }
  }

  private static func end(of text: Substring, quote: Character) -> Substring.Index? {
    var index = text.startIndex
    while index < text.endIndex {
      let after = text.index(after: index)
      switch text[index] {
      case "\\" where quote == "\"": index = after < text.endIndex ? text.index(after: after) : after
      case quote where quote == "'" && after < text.endIndex && text[after] == "'":
        index = text.index(after: after)
      case quote: return index
      default: index = after
      }
    }
    return nil
  }

  private func unquoted(_ parts: [Substring], quote: Character) throws(FieldError) -> String {
    if quote == "'" { return Self.folded(parts).replacing("''", with: "'") }
    var text = ""
    // A backslash at the end of a line joins it with the next one, without a space.
    var line: [Substring] = []
    for part in parts {
      let isJoined = part.reversed().prefix { $0 == "\\" }.count % 2 == 1
      line.append(isJoined ? part.dropLast() : part)
      if isJoined {
        text += Self.folded(line)
        line = []
      }
    }
    return try unescaped(text + Self.folded(line))
  }

  /// The end of a line is a space; each empty line after it, a new line.
  private static func folded(_ parts: [Substring]) -> String {
    var text = ""
    var breaks = 0
    for (index, part) in parts.enumerated() {
      if index > 0 { breaks += 1 }
      if part.isEmpty, index > 0, index < parts.count - 1 { continue }
      if breaks > 0 { text += breaks == 1 ? " " : String(repeating: "\n", count: breaks - 1) }
      text += part
      breaks = 0
    }
    return text
  }

  private static let escapes: [Character: String] = [
    "0": "\0", "a": "\u{7}", "b": "\u{8}", "t": "\t", "n": "\n", "v": "\u{B}", "f": "\u{C}", "r": "\r",
    "e": "\u{1B}", " ": " ", "\"": "\"", "/": "/", "\\": "\\", "N": "\u{85}", "_": "\u{A0}", "L": "\u{2028}",
    "P": "\u{2029}",
  ]
  private static let hexDigits: [Character: Int] = ["x": 2, "u": 4, "U": 8]

  private func unescaped(_ text: String) throws(FieldError) -> String {
    guard text.contains("\\") else { return text }
    var (shown, rest) = ("", text[...])
    while let backslash = rest.firstIndex(of: "\\") {
      shown += rest[..<backslash]
      rest = rest[rest.index(after: backslash)...]
      guard let letter = rest.popFirst() else { break }
      if let one = Self.escapes[letter] {
        shown += one
      } else {
        var code = try self.code(letter, &rest)
        // JSON's pairs: some writers escape a character beyond 16 bits as two.
        if 0xD800..<0xDC00 ~= code, rest.hasPrefix("\\u") {
          rest = rest.dropFirst(2)
          code = 0x10000 + (code - 0xD800) << 10 + (try self.code("u", &rest) & 0x3FF)
        }
        guard let scalar = Unicode.Scalar(code) else { throw mismatch("a character after \\\(letter)") }
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown + rest
  }

  private func code(_ letter: Character, _ rest: inout Substring) throws(FieldError) -> UInt32 {
    let digits = rest.prefix(Self.hexDigits[letter] ?? 0)
    guard digits.count == Self.hexDigits[letter], let code = UInt32(digits, radix: 16) else {
      throw mismatch("no escape such as \\\(letter)")
    }
    rest = rest.dropFirst(digits.count)
    return code
  }
}
