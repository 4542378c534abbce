import Testing

/// The examples in doc comments: blocks that begin with three backticks and `swift`. Diagrams name no
/// language.
@Suite("Architecture · examples in doc comments")
struct UseTests {
  @Test("every example is code of a UsesTests.swift, which runs it")
  func examplesRun() {
    let files = Project.sources + Project.files.filter { $0.path.hasPrefix("Tests/Support/") }
    let uses = Project.files.filter { $0.path.hasSuffix("/UsesTests.swift") }

    expectNone(files.flatMap { findings(in: $0, uses) })
    for tool in ["Schema", "RecordTable", "Router", "Queries", "Operation", "SilentHops", "TestSandbox"] {
      let file = files.first { $0.path.hasSuffix("/\(tool).swift") }
      #expect(file.map { examples(in: $0).isEmpty } == false, "\(tool).swift has no example")
    }
  }

  @Test("an example that no test runs is found, and a diagram is none")
  func grammar() {
    let test = TextFile(path: "Tests/A/UsesTests.swift", text: "  let a = f(\n    1)\n  let b = 2")
    func found(_ text: String) -> [Int] {
      findings(in: TextFile(path: "Sources/A/A.swift", text: text), [test]).map(\.line)
    }

    #expect(found("/// ```swift\n/// let a = f(\n///   1)\n/// ```") == [])
    #expect(found("/// A.\n  /// ```swift\n  /// let a = f(\n  /// let b = 2\n  /// ```") == [2])
    #expect(found("/// ```\n/// a ──> b\n/// ```") == [])
  }

  private func findings(in file: TextFile, _ uses: [TextFile]) -> [Finding] {
    examples(in: file).filter { example in !uses.contains { trimmed($0.lines).contains(example.text) } }
      .map {
        Finding(path: file.path, line: $0.line, why: "no UsesTests.swift has the lines of this example")
      }
  }

  private func examples(in file: TextFile) -> [(line: Int, text: String)] {
    let comments = file.lines.map { $0.trimming("/// ") }
    return comments.indices.filter { comments[$0] == "```swift" }.map { start in
      (start + 1, trimmed(comments[(start + 1)...].prefix { $0 != "```" }))
    }
  }

  /// The lines without indentation, each with a line feed before and after it.
  private func trimmed(_ lines: some Sequence<String>) -> String {
    "\n" + lines.map { $0.trimming(" ") }.joined(separator: "\n") + "\n"
  }
}

extension String {
  /// The text without these characters at its start.
  fileprivate func trimming(_ characters: String) -> String { String(drop { characters.contains($0) }) }
}
