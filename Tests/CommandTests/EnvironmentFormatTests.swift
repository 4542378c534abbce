import Testing

@testable import ringfence

@Suite("Command · EnvironmentFormat")
struct EnvironmentFormatTests {
  private static let awkward = #"it's "$HOME" \ `x`"#

  private func text(_ format: EnvironmentFormat, _ value: String) -> String {
    format.text(of: [.init(name: "A", value: value, purpose: .sandbox)])
  }

  @Test(
    "each form quotes in its own way",
    arguments: [
      (.dotenv, #"A="it's \"$HOME\" \\ `x`""#), (.sh, #"export A='it'\''s "$HOME" \ `x`'"#),
      (.cmd, #"set "A=it's "$HOME" \ `x`""#), (.powershell, #"$env:A = 'it''s "$HOME" \ `x`'"#),
      (.fish, #"set -gx A 'it\'s "$HOME" \\ `x`'"#), (.json, #"{"A":"it's \"$HOME\" \\ `x`"}"#),
      (.compose, #"environment:\#n  A: "it's \"$$HOME\" \\ `x`""#), (.github, #"A=it's "$HOME" \ `x`"#),
    ] as [(EnvironmentFormat, String)])
  func quoting(format: EnvironmentFormat, expected: String) {
    #expect(text(format, Self.awkward) == expected + "\n")
  }

  @Test("dotenv quotes only where necessary")
  func dotenv() {
    #expect(text(.dotenv, "http://127.0.0.1:5550/s/ci-17") == "A=http://127.0.0.1:5550/s/ci-17\n")
    #expect(text(.dotenv, "two words") == "A='two words'\n")
    #expect(text(.dotenv, "") == "A=\n")
    #expect(text(.dotenv, "it's\nso") == #"A="it's\nso""# + "\n")
  }

  @Test("in a batch file, a percent sign is written twice, and a value of several lines is left out")
  func batchFile() {
    #expect(text(.cmd, "100%") == #"set "A=100%%""# + "\n")
    #expect(text(.cmd, "one\ntwo") == "rem A has several lines, which a variable here cannot have\n")
    #expect(text(.powershell, "one\ntwo") == "$env:A = 'one\ntwo'\n")
  }

  @Test("a value of several lines is enclosed in a delimiter that it does not contain")
  func github() {
    #expect(text(.github, "one\nEND\ntwo") == "A<<END_\none\nEND\ntwo\nEND_\n")
  }
}
