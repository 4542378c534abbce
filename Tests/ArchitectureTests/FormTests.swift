import Testing

@Suite("Architecture · form")
struct FormTests {
  @Test("no file is longer than 400 lines")
  func filesAreShort() {
    expectNone(
      Project.files.filter { $0.lines.count > 401 }.map { file in
        Finding(
          path: file.path, line: 401, why: "\(file.lines.count) lines, at most 400: split the file by topic")
      })
  }

  @Test("Package.swift is shorter than 120 lines")
  func manifestIsShort() throws {
    let manifest = try #require(Project.file("Package.swift"))

    #expect(manifest.lines.count <= 120)
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
    expectNone(
      Project.documents.flatMap { document in
        document.lines.enumerated().flatMap { number, line in
          line.matches(of: #/`((?:Sources|Tests|Docs|Seeds)\/[^`*<…]+)`/#).map { String($0.1) }
            .filter { !Project.exists($0) }
            .map { Finding(path: document.path, line: number + 1, why: "names \($0), which does not exist") }
        }
      })
  }
}
