/// A shell in which people type commands.
package enum Shell: String, CaseIterable, Sendable {
  /// Every POSIX shell.
  case sh
  case fish
  /// The command prompt of Windows.
  case cmd
  case powershell

  /// The name as people write it.
  package var title: String { self == .powershell ? "PowerShell" : rawValue }

  /// The line that sets an environment variable. Nil if the shell cannot have such a value: a line of `cmd`
  /// ends with its first line break.
  package func line(setting name: String, to value: String) -> String? {
    switch self {
    case .sh: "export \(name)=\(value.shellQuoted)"
    case .fish: "set -gx \(name) \(quoted(value))"
    case .cmd: value.contains(where: \.isNewline) ? nil : "set \(Self.withCarets("\"\(name)=\(value)\""))"
    case .powershell: "$env:\(name) = \(quoted(value))"
    }
  }

  /// A text as one word. For `cmd`, an argument of a program; it must have no line break.
  package func quoted(_ text: String) -> String {
    switch self {
    case .sh: text.shellQuoted
    case .fish: "'\(text.replacing(#"\"#, with: #"\\"#).replacing("'", with: #"\'"#))'"
    case .cmd: Self.withCarets(Self.programArgument(text))
    // PowerShell reads typographic quotes like the plain one.
    case .powershell: "'\(text.map { "'‘’‚‛".contains($0) ? "\($0)\($0)" : String($0) }.joined())'"
    }
  }

  /// A word as programs on Windows take it from their command line: backslashes count before a quote only.
  /// Source: Microsoft C language reference, "Parsing C command-line arguments".
  private static func programArgument(_ text: String) -> String {
    var argument = "\""
    var backslashes = 0
    for character in text {
      if character == "\"" { argument += String(repeating: #"\"#, count: backslashes + 1) }
      backslashes = character == #"\"# ? backslashes + 1 : 0
      argument.append(character)
    }
    return argument + String(repeating: #"\"#, count: backslashes) + "\""
  }

  /// What `cmd` reads as this text. For it, every quote begins or ends a part in which only quotes and
  /// percent signs are special; elsewhere a caret takes the meaning from the next character.
  private static func withCarets(_ text: String) -> String {
    var (line, isQuoted) = ("", false)
    for (place, character) in text.enumerated() {
      let isLast = place == text.count - 1
      if character == "\"", isLast, !isQuoted {
        // It would begin a part that does not end.
        line += "^"
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, "&|<>()^".contains(character) {
        line += "^"
      }
      line.append(character)
    }
    return line
  }
}

extension String {
  /// The text as one word of a POSIX shell.
  package var shellQuoted: String { "'\(replacing("'", with: #"'\''"#))'" }
}
