import ProviderKit
import Testing

@Suite("Providers · shells")
struct ShellTests {
  private static let awkward = [
    "plain", "two words", #"{"a":"b & c"}"#, #"it's "$HOME" \ `x`"#, #"C:\folder\"#, #"\\"quoted\\""#,
    "a^b|c<d>(e)",
    #"""#, "", "‘typographic’",
  ]

  @Test("each shell sets a variable in its own way")
  func variables() {
    #expect(Shell.sh.line(setting: "A", to: "it's") == #"export A='it'\''s'"#)
    #expect(Shell.fish.line(setting: "A", to: #"it's \"#) == #"set -gx A 'it\'s \\'"#)
    #expect(Shell.cmd.line(setting: "A", to: "a & b") == #"set "A=a & b""#)
    #expect(Shell.cmd.line(setting: "A", to: #"1 & "2 & 3" & 4"#) == #"set "A=1 & "2 ^& 3" & 4""#)
    #expect(Shell.cmd.line(setting: "A", to: #"1 & "2 > 3"#) == #"set "A=1 & "2 ^> 3^""#)
    #expect(Shell.powershell.line(setting: "A", to: "it's ‘so’") == "$env:A = 'it''s ‘‘so’’'")
  }

  @Test("cmd has no values of several lines")
  func lines() {
    for text in ["one\ntwo", "one\rtwo", "one\r\ntwo"] {
      #expect(Shell.cmd.line(setting: "A", to: text) == nil)
      #expect(Shell.powershell.line(setting: "A", to: text) == "$env:A = '\(text)'")
    }
  }

  @Test("a program on Windows gets from cmd what was quoted", arguments: awkward)
  func arguments(text: String) throws {
    let line = try #require(Self.readByCMD("\(Shell.cmd.quoted(text)) next"))

    #expect(Self.arguments(of: line) == [text, "next"])
  }

  @Test("a reader takes unquoted special characters for commands")
  func reader() {
    #expect(Self.readByCMD(#""a" & b"#) == nil)
    #expect(Self.arguments(of: #""a \"b\"" c\\d"#) == [#"a "b""#, #"c\\d"#])
  }

  /// What `cmd` passes on: carets outside of quotes are gone. Nil if it reads another command.
  private static func readByCMD(_ line: String) -> String? {
    var (text, isQuoted, isEscaped) = ("", false, false)
    for character in line {
      if isEscaped {
        isEscaped = false
      } else if character == "^", !isQuoted {
        isEscaped = true
        continue
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, "&|<>()".contains(character) {
        return nil
      }
      text.append(character)
    }
    return isQuoted ? nil : text
  }

  /// The arguments that a program sees. Source: Microsoft C language reference, "Parsing C command-line
  /// arguments".
  private static func arguments(of line: String) -> [String] {
    var arguments: [String] = []
    var (word, isQuoted, backslashes): (String?, Bool, Int) = (nil, false, 0)
    for character in line + " " {
      if character == "\\" {
        backslashes += 1
        continue
      }
      if character == "\"" {
        word = (word ?? "") + String(repeating: "\\", count: backslashes / 2)
        if backslashes.isMultiple(of: 2) { isQuoted.toggle() } else { word?.append("\"") }
      } else {
        if backslashes > 0 { word = (word ?? "") + String(repeating: "\\", count: backslashes) }
        if character == " ", !isQuoted {
          if let word { arguments.append(word) }
          word = nil
        } else {
          word = (word ?? "") + String(character)
        }
      }
      backslashes = 0
    }
    return arguments
  }
}
