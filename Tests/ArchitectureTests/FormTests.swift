import Testing

@Suite("Architecture · form")
struct FormTests {
  /// The schema is a list of tables, and one file on purpose.
  @Test("no file but the schema is longer than 400 lines")
  func filesAreShort() {
    expectNone(
      Project.files.filter { $0.lines.count > 401 && !$0.path.hasSuffix("/schema.sql") }.map { file in
        Finding(
          path: file.path, line: 401, why: "\(file.lines.count) lines, at most 400: split the file by topic")
      })
  }

  /// `context.send(draft)` does not say which file to open, `draft.send(for: context)` does.
  @Test("a provider has at most one extension of RequestContext outside its file")
  func contextsAreInOneFile() {
    let extensions = Project.sources
      .filter { $0.path.hasPrefix("Sources/Providers/") && !$0.path.hasSuffix("/RequestContext.swift") }
      .flatMap { file in
        file.lineNumbers(matching: #"^extension RequestContext\b"#).map { (file.target, file.path, $0) }
      }
    let byProvider = Dictionary(grouping: extensions) { $0.0 }.values.filter { $0.count > 1 }
    expectNone(
      byProvider.joined().map { _, path, line in
        Finding(path: path, line: line, why: "extends RequestContext: use a type or function of this file")
      })
  }

  @Test("the tour lists ten files, which exist")
  func tourIsTrue() throws {
    let tour = try #require(Project.file("Docs/Tour.md"))
    let paths = tour.lines.compactMap { $0.firstMatch(of: #/^[0-9]+\. `(Sources/[^`]+\.swift)`/#)?.1 }

    #expect(paths.count == 10)
    for path in paths {
      #expect(Project.exists(String(path)), "the tour names \(path), which does not exist")
    }
  }

  @Test("paths in documents exist")
  func documentsNameWhatExists() {
    let path = #/`((?:Sources|Tests|Docs|Seeds)\/[^`*<…]+)`/#
    expectNone(
      Project.documents.flatMap { document in
        document.lines.enumerated().flatMap { number, line in
          line.matches(of: path).map { String($0.1) }
            .filter { !Project.exists($0) }
            .map { Finding(path: document.path, line: number + 1, why: "names \($0), which does not exist") }
        }
      })
  }
}
