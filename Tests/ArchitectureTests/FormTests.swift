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

  @Test("the tour lists about ten files, which exist and are short")
  func tourIsTrue() throws {
    let tour = try #require(Project.file("Docs/Tour.md"))
    let paths = tour.lines.flatMap { line in
      line.matches(of: #/`(Sources/[^`]+\.swift)`/#).map { String($0.1) }
    }

    #expect((8...12).contains(Set(paths).count), "the tour names \(Set(paths).count) files")
    for path in paths {
      let file = try #require(Project.file(path), "the tour names \(path), which does not exist")
      #expect(file.lines.count <= 300, "the tour names \(path): \(file.lines.count) lines, at most 300")
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
