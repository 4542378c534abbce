import Testing

@testable import ringfence

@Suite("Arguments that people write")
struct ArgumentTests {
  @Test(
    "a number below zero is the value of its option, but not of another program's",
    arguments: [
      (["faults", "add", "--nth", "-1"], ["faults", "add", "--nth=-1"]),
      (["serve", "--port=1", "-1"], ["serve", "--port=1", "-1"]),
      (["clock", "advance", "-5m"], ["clock", "advance", "-5m"]),
      (["run", "--", "a", "--b", "-1"], ["run", "--", "a", "--b", "-1"]),
      (["run", "--", "-1"], ["run", "--", "-1"]),
    ])
  func negative(words: [String], joined: [String]) {
    #expect(NegativeSpan.joined(words) == joined)
  }

  @Test("an error names what to write, and leaves the user's words alone")
  func placeholders() {
    let error = "Error: The value '<x>' is invalid for '--history <history>'\nHelp:  --http <http>  Listen."
    let missing = HelpText.refusal("Error: Missing expected argument '<file>'")

    #expect(
      HelpText.refusal(error)
        == "Error: The value '<x>' is invalid for '--history COUNT'\nHelp:  --http ADDRESS:PORT  Listen.")
    #expect(missing == "Error: Missing expected argument 'FILE'")
  }

  @Test(
    "an option without a value is refused", arguments: ["seeds", "seed", "trusted-proxy", "data", "trust"])
  func empty(option: String) {
    #expect {
      try Configuration(flags: [option: " "]).requireValues()
    } throws: {
      "\($0)".contains("--\(option): expected a value; found none")
    }
  }
}
