import Testing

/// Names and phrases that were replaced by the field's words.
private enum Replaced {
  /// Declarations. The words themselves are ordinary English, or mean something else at some vendor.
  static let declarations = [
    "Absence", "Approach", "Circumstances", "Connection", "Course", "Escort", "Family", "Fence", "Follow",
    "Manner", "Mishap", "Passage", "Roster", "Shelf", "Slip", "Submission", "Timetable", "Trip", "Way",
    "Window",
    "come", "cross", "heed", "journey", "otherwise", "parting", "patience",
    "travel",
  ]

  /// Identifiers that mean nothing else.
  static let identifiers = [
    "areSound", "awaitEnd", "awaitedEnds", "drawingUntilFree", "furnish", "InnerLine", "isOne",
    "lastMissLocks",
    "lockBarsStart", "recognises", "refuseStranger", "ShelfCopies", "startsSendAgain", "UsualPlace",
  ]

  static let fragments = [
    #"\bsign\(&"#, #"\.signed\(in:"#, #"(\bis|==) \.here\b"#, #"\bcase \.?(barred|here|threshold)\b"#,
    "/control/shelf",
  ]

  static let phrases = [
    "a fault of the control API",
    "expected no such field",
    "a sandbox of its own",
    "no request reached the sandbox; a client",
    "does not go with the sandbox's own",
    "may be meant so",
    "what stands on OpenSSL",
    "lead nowhere from here",
    "nothing leaves it but to hosts",
    "there is no question to latest",
    "nor of it with a mistake",
    "The number behind all chance",
    "Where phones reach all this",
    "a sandbox that is thrown away",
    "newest ordinals of a sandbox are kept",
    "the first that applies decides",
    "takes back what a line may be without",
    "A number of fiction is what",
    "An assertion that is none",
    "Sees to it that",
    "What stands in the world instead",
    "What is told later and will not happen so",
  ]

  static let pattern = [
    #"\b(func|var|let|case|struct|class|enum|protocol|typealias|actor) `?(\#(declarations.joined(separator: "|")))\b"#,
    #"\b(\#(identifiers.joined(separator: "|")))\b"#,
    fragments.joined(separator: "|"),
    "(?i)(\(phrases.joined(separator: "|")))",
  ].joined(separator: "|")
}

@Suite("Architecture · language")
struct LanguageTests {
  @Test("names and phrases that were replaced do not come back")
  func replaced() {
    let own = "Tests/ArchitectureTests/LanguageTests.swift"
    expectNone(
      (Project.files + Project.documents).filter { file in
        file.path != own && !file.path.hasPrefix("Docs/Contracts/")
      }
      .flatMap { file in
        file.lineNumbers(matching: Replaced.pattern, inComments: true)
          .map { Finding(path: file.path, line: $0, why: "use the field's word; see LanguageTests.swift") }
      })
  }

  @Test(
    "a replaced name is found as a declaration, a replaced phrase anywhere",
    arguments: [
      ("struct Trip {", 1), ("  case here", 1), ("over here", 0), ("  func furnish() {}", 1),
      ("the trip of a request", 0),
      ("if fence == .here {", 1), ("// Sees to it that it ends.", 1), ("GET /control/shelf", 1),
    ])
  func finds(line: String, count: Int) {
    let file = TextFile(path: "Sources/A.swift", text: line)

    #expect(file.lineNumbers(matching: Replaced.pattern, inComments: true).count == count)
  }
}
