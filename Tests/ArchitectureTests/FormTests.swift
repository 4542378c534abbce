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
  @Test("no other file extends a provider's RequestContext")
  func contextsAreInOneFile() {
    let others = Project.sources.filter {
      $0.path.hasPrefix("Sources/Providers/") && !$0.path.hasSuffix("/RequestContext.swift")
    }
    expectNone(
      others.flatMap { file in
        file.lineNumbers(matching: #"^extension RequestContext\b"#).map {
          Finding(path: file.path, line: $0, why: "extends RequestContext: use a type of this file")
        }
      })
  }

  /// `Sending.begin(stored)` says which file to open, `proceed(stored)` does not. Handlers are found by the
  /// tables of routes.
  @Test("a provider's free functions are private, handlers in a table of routes, or make those")
  func verbsAreInTypes() {
    let sources = Project.sources.filter { Project.providers.contains($0.target) }
    let tables = sources.filter { !$0.lineNumbers(matching: #"\bRoute<Sandbox>"#).isEmpty }
    func isInTable(_ name: Substring, of target: String) -> Bool {
      tables.contains {
        $0.target == target
          && !$0.lineNumbers(matching: #"[( ]\#(name)[),]|\{ .*\btry \#(name)\("#).isEmpty
      }
    }
    for file in sources {
      let makers = file.lineNumbers(
        matching: #"^(package )?func \w+[^{]*-> (RequestHandler|\(Request, Sandbox\)|Route<Sandbox>)"#)
      for line in file.lineNumbers(matching: #"^(package )?func \w+"#) where !makers.contains(line) {
        let name = file.code[line - 1].firstMatch(of: /func (\w+)/)?.1 ?? ""
        guard !isInTable(name, of: file.target) else { continue }
        expectNone([
          Finding(path: file.path, line: line, why: "\(name) belongs into a type named as its file")
        ])
      }
    }
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

  @Test("the recipe for a provider names every capability")
  func recipeIsComplete() throws {
    let capabilities = try #require(Project.file("Sources/Providers/Kit/Capabilities.swift"))
    let recipe = try #require(Project.file("Docs/Adding-a-provider.md")).lines.joined(separator: "\n")
    let members = capabilities.lines.prefix { $0 != "}" }
      .compactMap { $0.firstMatch(of: /^  static (?:var|func) (\w+)/)?.1 }

    #expect(members.count > 20)
    #expect(members.filter { !recipe.contains("`\($0)`") && !recipe.contains("`\($0)(") } == [])
  }

  /// `ringfence docs carrier`, or `/control/docs/Carrier.md`: who installed the program has no `Docs`.
  @Test("a message that names a page names its address in the program")
  func pagesAreInTheProgram() {
    expectNone(
      Project.sources.flatMap { file in
        file.lines.enumerated().filter { _, line in
          line.contains("Docs/")
            && line.firstMatch(of: #/^\s*//|Docs\/\w+(\/\w+)?\.md/#)?.0.contains("Docs") == true
        }
        .map {
          Finding(path: file.path, line: $0.offset + 1, why: "names a page of Docs: ringfence docs PAGE")
        }
      })
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
