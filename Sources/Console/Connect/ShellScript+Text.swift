import ProviderKit

extension ShellScript {
  var ownNames: Set<String> { Set(statements.compactMap(\.setName)) }

  /// The script for a shell. Nil if the shell has no simple form for it. `earlier` are the variables that
  /// scripts before it have set.
  func text(for shell: Shell, after earlier: Set<String> = []) -> String? {
    let set = ownNames.union(earlier)
    let lines = statements.compactMap { ShellWriter(shell: shell, ownNames: set).text(of: $0) }
    return lines.count == statements.count ? lines.joined(separator: "\n") : nil
  }
}

extension ShellScript.Statement {
  /// The variable that it sets.
  fileprivate var setName: String? {
    switch self {
    case .assignment(let name, _), .capture(let name, _), .member(let name, _): name
    case .command: nil
    }
  }
}

private struct ShellWriter {
  let shell: Shell
  /// Those that scripts set; others are of the environment.
  let ownNames: Set<String>

  func text(of statement: ShellScript.Statement) -> String? {
    switch statement {
    case .assignment(let name, let word):
      switch shell {
      case .sh: "\(name)=\(text(of: word))"
      case .fish: "set \(name) \(text(of: word))"
      case .cmd: word.cmdText.flatMap { Shell.cmd.line(setting: name, to: $0) }
      case .powershell: "$\(name) = \(expression(word))"
      }
    case .capture(let name, let words):
      command(shell == .cmd ? words.map(\.inLine) : words).map { command in
        switch shell {
        case .sh: "\(name)=$(\(command))"
        case .fish: "set \(name) (\(command))"
        case .cmd: "for /f \"delims=\" %i in ('\(command)') do @set \(name)=%i"
        case .powershell: "$\(name) = \(command)"
        }
      }
    case .member(let name, let member):
      switch shell {
      case .sh: "\(name)=$(\(member.sed))"
      case .fish: "set \(name) (\(member.sed))"
      // It has nothing that reads JSON.
      case .cmd: Shell.cmd.line(setting: name, to: "PUT-THE-\(member.lastName)-HERE")
      case .powershell:
        "$\(name) = [regex]::Match(\(reference(to: member.variable, before: nil)), "
          + #"'.*"\#(member.name)":"([^"]*)"').Groups[1].Value"#
      }
    case .command(let words): command(words)
    }
  }

  private func command(_ words: [ShellScript.Word]) -> String? {
    guard shell == .powershell else {
      let texts = words.map(text(of:))
      return shell == .cmd && words.contains { $0.cmdText == nil } ? nil : joined(texts, words)
    }
    // Versions of PowerShell differ in how they pass quotes to programs, so the text goes through a pipe.
    let quoting = words.indices.filter { words[$0].hasQuote }
    guard let place = quoting.first else { return joined(words.map(text(of:)), words) }
    guard quoting.count == 1, place > 0, words[place - 1].pieces == [.text("-d")] else { return nil }
    var texts = words.map(text(of:))
    texts[place] = "'@-'"
    return "\(expression(words[place])) |\n  \(joined(texts, words))"
  }

  private func joined(_ texts: [String], _ words: [ShellScript.Word]) -> String {
    var line = ""
    for (place, (text, word)) in zip(texts, words).enumerated() {
      let separator = word.beginsLine ? " \(continuation)\n  " : place == 0 ? "" : " "
      line += separator + (place == 0 ? program(text) : text)
    }
    return line
  }

  private var continuation: String {
    switch shell {
    case .sh, .fish: #"\"#
    case .cmd: "^"
    case .powershell: "`"
    }
  }

  /// In PowerShell of Windows, `curl` alone is another command.
  private func program(_ name: String) -> String {
    name == "curl" && (shell == .cmd || shell == .powershell) ? "curl.exe" : name
  }

  /// An argument of a program.
  private func text(of word: ShellScript.Word) -> String {
    word.isPlain ? word.plainText : shell == .cmd ? Shell.cmd.quoted(word.cmdText ?? "") : expression(word)
  }

  /// A text in quotes that keep the variables.
  private func expression(_ word: ShellScript.Word) -> String {
    guard word.hasVariable else { return shell.quoted(word.plainText) }
    var text = ""
    for (place, piece) in word.pieces.enumerated() {
      switch piece {
      case .text(let part): text += part.map { escaped($0) }.joined()
      case .variable(let name): text += reference(to: name, before: word.firstCharacter(at: place + 1))
      }
    }
    return "\"\(text)\""
  }

  /// A character between double quotes.
  private func escaped(_ character: Character) -> String {
    switch shell {
    case .sh: "\"\\$`".contains(character) ? "\\\(character)" : String(character)
    case .fish: "\"\\$".contains(character) ? "\\\(character)" : String(character)
    case .cmd: String(character)
    case .powershell:
      "\"“”„".contains(character)
        ? "\(character)\(character)"
        : "$`".contains(character)
          ? "`\(character)" : String(character)
    }
  }

  private func reference(to name: String, before next: Character?) -> String {
    let name = shell == .powershell && !ownNames.contains(name) ? "env:\(name)" : name
    if shell == .cmd { return "%\(name)%" }
    let isApart = next.map { !($0.isLetter || $0.isNumber || "_:?[".contains($0)) } ?? true
    if isApart { return "$\(name)" }
    // fish has no braces between quotes.
    return shell == .fish ? "$\(name)\"\"" : "${\(name)}"
  }
}

extension ShellScript.Member {
  fileprivate var lastName: Substring { name.split(separator: "\"").last ?? "" }
}

extension ShellScript.Word {
  fileprivate var hasVariable: Bool {
    pieces.contains { if case .variable = $0 { true } else { false } }
  }

  fileprivate var hasQuote: Bool {
    pieces.contains { if case .text(let text) = $0 { text.contains("\"") } else { false } }
  }

  /// The text of a word without variables.
  fileprivate var plainText: String {
    pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }

  /// True if no shell needs quotes around it.
  fileprivate var isPlain: Bool {
    !hasVariable && !plainText.isEmpty
      && plainText.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:/=+".contains($0)) }
  }

  /// With variables as `cmd` writes them. Line breaks are left out of JSON; nil for others.
  fileprivate var cmdText: String? {
    let text = pieces.map {
      switch $0 {
      case .text(let text): text
      case .variable(let name): "%\(name)%"
      }
    }.joined()
    guard text.contains(where: \.isNewline) else { return text }
    guard text.first == "{" else { return nil }
    return text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined()
  }

  fileprivate var inLine: Self { Self(pieces: pieces) }

  fileprivate func firstCharacter(at place: Int) -> Character? {
    guard pieces.indices.contains(place), case .text(let text) = pieces[place] else { return nil }
    return text.first
  }
}
