import ProviderKit

/// A few commands for a POSIX shell, which can be shown for another one: assignments, and calls of programs
/// such as curl. Everything else, such as a pipe, is not understood.
struct ShellScript {
  /// A text or a variable's name.
  enum Piece: Equatable {
    case text(String)
    case variable(String)
  }

  struct Word: Equatable {
    var pieces: [Piece]
    /// True if the word is the first one of a line that continues the command.
    var beginsLine = false
  }

  enum Statement: Equatable {
    /// `NAME=word`
    case assignment(name: String, Word)
    /// `NAME=$(words)`
    case capture(name: String, [Word])
    /// `NAME=$(echo "$ANSWER" | sed …)`: a member of the JSON text in a variable. See `Member`.
    case member(name: String, Member)
    case command([Word])
  }

  /// The value of a text member of compact JSON, found by its name: the last one of this name.
  struct Member: Equatable {
    ///
    /// `secret`, or with the object that it is in, if others have one of this name: `binding":{"secret`
    let name: String
    /// The variable with the JSON.
    let variable: String

    /// Between the variable's name and the member's.
    fileprivate static let middle = #"" | sed -n 's/.*""#
    fileprivate static let end = #"":"\([^"]*\)".*/\1/p')"#

    /// What finds it in a POSIX shell and in fish.
    var sed: String { #"echo "$\#(variable)\#(Self.middle)\#(name)\#(Self.end.dropLast())"# }
  }

  var statements: [Statement]

  /// Nil if it contains something that is not understood.
  init?(_ text: String) {
    var parser = ShellParser(text)
    guard let statements = parser.statements() else { return nil }
    self.statements = statements
  }

  /// The variables that it sets to a text, with these texts.
  var constants: [String: String] {
    statements.reduce(into: [:]) { constants, statement in
      guard case .assignment(let name, let word) = statement, word.pieces.count == 1,
        case .text(let value)? = word.pieces.first
      else { return }
      constants[name] = value
    }
  }

  /// The same with the values of some variables, without the lines that set them.
  func with(_ values: [String: String]) -> ShellScript {
    func filled(_ word: Word) -> Word {
      var word = word
      word.pieces = word.pieces.map { piece in
        guard case .variable(let name) = piece, let value = values[name] else { return piece }
        return .text(value)
      }
      return word
    }
    var script = self
    script.statements = statements.compactMap { statement in
      switch statement {
      case .assignment(let name, let word):
        values[name] == nil ? .assignment(name: name, filled(word)) : nil
      case .capture(let name, let words):
        values[name] == nil ? .capture(name: name, words.map(filled)) : nil
      case .member(let name, _): values[name] == nil ? statement : nil
      case .command(let words): .command(words.map(filled))
      }
    }
    return script
  }
}

/// Reads a script character by character.
private struct ShellParser {
  private let characters: [Character]
  private var place = 0
  /// True if something was read that `ShellScript` has no words for.
  private var isBeyond = false

  init(_ text: String) { characters = Array(text) }

  private var next: Character? { place < characters.count ? characters[place] : nil }

  private func isAhead(_ text: String) -> Bool { characters.dropFirst(place).starts(with: text) }

  mutating func statements() -> [ShellScript.Statement]? {
    var statements: [ShellScript.Statement] = []
    while true {
      while let character = next, character.isWhitespace { place += 1 }
      guard next != nil else { break }
      guard let statement = statement() else { return nil }
      statements.append(statement)
    }
    return isBeyond ? nil : statements
  }

  private mutating func statement() -> ShellScript.Statement? {
    guard let name = assignedName() else {
      let words = words(until: nil)
      return isBeyond || words.isEmpty ? nil : .command(words)
    }
    if let member = member() { return isAtEndOfLine ? .member(name: name, member) : nil }
    if isAhead("$(") {
      place += 2
      let words = words(until: ")")
      guard next == ")" else { return nil }
      place += 1
      return isAtEndOfLine && !words.isEmpty && !isBeyond ? .capture(name: name, words) : nil
    }
    let words = words(until: nil)
    return words.count == 1 && !isBeyond ? .assignment(name: name, words[0]) : nil
  }

  /// Passes `$(echo "$ANSWER" | sed -n 's/.*"member":"\([^"]*\)".*/\1/p')`; nil if that is not ahead.
  private mutating func member() -> ShellScript.Member? {
    let start = place
    let member = pass("$(echo \"$") ? memberOfVariable() : nil
    if member == nil { place = start }
    return member
  }

  private mutating func memberOfVariable() -> ShellScript.Member? {
    let variable = characters.dropFirst(place).prefix(while: isOfName)
    place += variable.count
    guard pass(ShellScript.Member.middle) else { return nil }
    var name = ""
    while let character = next, isOfName(character) || "\":{,-".contains(character),
      !isAhead(ShellScript.Member.end)
    {
      name.append(character)
      place += 1
    }
    guard pass(ShellScript.Member.end) else { return nil }
    return ShellScript.Member(name: name, variable: String(variable))
  }

  private mutating func pass(_ text: String) -> Bool {
    guard isAhead(text) else { return false }
    place += text.count
    return true
  }

  private var isAtEndOfLine: Bool { next.map(\.isNewline) ?? true }

  /// Passes `NAME=`; nil if the statement does not begin with it.
  private mutating func assignedName() -> String? {
    let name = characters.dropFirst(place).prefix(while: isOfName)
    let end = place + name.count
    guard !name.isEmpty, name.first?.isNumber == false, end < characters.count, characters[end] == "=" else {
      return nil
    }
    place = end + 1
    return String(name)
  }

  private func isOfName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_")
  }

  /// The words up to the end of the line, or to a character that ends them.
  private mutating func words(until end: Character?) -> [ShellScript.Word] {
    var words: [ShellScript.Word] = []
    var beginsLine = false
    while let character = next, character != end, !character.isNewline, !isBeyond {
      if isAhead("\\\n") {
        place += 2
        beginsLine = true
      } else if character.isWhitespace {
        place += 1
      } else {
        words.append(.init(pieces: pieces(until: end), beginsLine: beginsLine))
        beginsLine = false
      }
    }
    return words
  }

  private mutating func pieces(until end: Character?) -> [ShellScript.Piece] {
    var pieces: [ShellScript.Piece] = []
    var text = ""
    func flush() { if !text.isEmpty { pieces.append(.text(text)) } }
    var isQuoted = false
    while let character = next, !isBeyond {
      if !isQuoted, character.isWhitespace || character == end || isAhead("\\\n") { break }
      place += 1
      switch character {
      case "\"": isQuoted.toggle()
      case "'" where !isQuoted:
        let quote = characters.dropFirst(place).prefix { $0 != "'" }
        text += String(quote)
        place += quote.count + 1
        isBeyond = place > characters.count
      case "\\":
        guard let escaped = next else { break }
        if isQuoted, !"\"\\$`".contains(escaped) { text.append(character) }
        text.append(escaped)
        place += 1
      case "$":
        flush()
        text = ""
        pieces.append(.variable(variableName()))
      case "`": isBeyond = true
      case let character where !isQuoted && "|&;<>()#".contains(character): isBeyond = true
      default: text.append(character)
      }
    }
    if isQuoted { isBeyond = true }
    flush()
    return pieces
  }

  /// After a dollar: `NAME` or `{NAME}`.
  private mutating func variableName() -> String {
    let isBraced = next == "{"
    if isBraced { place += 1 }
    let name = characters.dropFirst(place).prefix(while: isOfName)
    place += name.count
    if isBraced, next != "}" { isBeyond = true }
    if isBraced { place += 1 }
    if name.isEmpty { isBeyond = true }
    return String(name)
  }
}
