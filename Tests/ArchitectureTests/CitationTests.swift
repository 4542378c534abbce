import Foundation
import Testing

/// A reference to a section of a contract, such as `telesign.md 4.2`.
private struct Citation: Hashable {
  /// `telesign`
  let document: String
  /// `4.2`
  let section: String
}

/// The documents in `Docs/Contracts`.
private enum Contracts {
  /// The numbers of each document's headings and numbered paragraphs: `["telesign": ["1", "1.1", …]]`.
  static let sections: [String: Set<String>] = {
    let documents = Project.documents.filter { $0.path.hasPrefix("Docs/Contracts/") }
    return Dictionary(
      uniqueKeysWithValues: documents.map { document in
        let name = document.path.split(separator: "/").last?.dropLast(".md".count) ?? ""
        return (String(name), Set(document.lines.compactMap(number)))
      })
  }()

  private static func number(ofHeading line: String) -> String? {
    (line.firstMatch(of: #/^(?:#+ |\*\*)(\d+(?:\.\d+)*)\.? /#)?.1).map(String.init)
  }

  /// The document that "contract 4.1" means in a provider's files and in its system tests.
  static func document(of path: String) -> String? {
    let folders = path.split(separator: "/").map { $0.lowercased() }
    if folders.count > 3, folders[1] == "providers" {
      return providers.first { $0.folder == folders[2] }?.document
    }
    guard folders.first == "tests", let file = folders.last, file.hasSuffix(".py") else { return nil }
    let name = file.replacing("test_", with: "", maxReplacements: 1)
    let provider = providers.first { name.hasPrefix($0.folder) || name.hasPrefix(firstWord(of: $0.document)) }
    return provider?.document ?? sections.keys.first { name.hasPrefix(firstWord(of: $0)) }
  }

  private static func firstWord(of document: String) -> Substring { document.prefix { $0 != "-" } }

  /// The rows of the table in `Docs/Contracts/README.md`: a document, and the provider's folder in lower
  /// case.
  private static let providers: [(document: String, folder: String)] = {
    let page = Project.documents.first { $0.path == "Docs/Contracts/README.md" }
    return (page?.lines ?? []).compactMap { line in
      line.firstMatch(of: #/^\| \[([^\]]+)\].*`Sources\/Providers\/(\w+)`/#).map {
        (String($0.1), $0.2.lowercased())
      }
    }
  }()
}

@Suite("Architecture · citations")
struct CitationTests {
  @Test("a cited section is a heading of a document in Docs/Contracts")
  func sectionsExist() {
    let files = Project.files.filter { $0.path != "Tests/ArchitectureTests/CitationTests.swift" }
    expectNone((files + Project.goldens + Project.tables).flatMap { findings(in: $0) })
  }

  @Test("a golden names its source")
  func goldensNameSources() {
    expectNone(
      Project.goldens.filter { !isSource($0.lines[0]) }.map {
        Finding(
          path: $0.path, line: 1, why: "the source is neither a contract, a decision, a page nor our own API")
      })
  }

  @Test("a cited decision is a heading of Docs/Decisions.md")
  func decisionsExist() {
    let page = Project.documents.first { $0.path == "Docs/Decisions.md" }
    let known = Set((page?.lines ?? []).compactMap { $0.firstMatch(of: #/^## (\d{4}) /#)?.1 })
    let citation = #/(?:[Dd]ecision|Decisions\.md) (0\d{3})/#
    expectNone(
      (Project.files + Project.goldens + Project.documents).flatMap { file in
        file.lines.enumerated().flatMap { number, line in
          line.matches(of: citation).map(\.1).filter { !known.contains($0) }.map {
            Finding(path: file.path, line: number + 1, why: "Docs/Decisions.md has no decision \($0)")
          }
        }
      })
  }

  @Test("nothing refers to a document outside the repository")
  func documentsAreHere() {
    let absent = #"\b(?:DESIGN|STYLE|ENGINE|PLAN)(?:\.md)? \d|\bcontracts/|\.\./shared"#
    let files =
      Project.files + Project.goldens + Project.documents.filter { !$0.path.hasPrefix("Docs/Contracts/") }
    expectNone(
      files.filter { $0.path != "Tests/ArchitectureTests/CitationTests.swift" }.flatMap { file in
        file.lineNumbers(matching: absent, inComments: true)
          .map { Finding(path: file.path, line: $0, why: "cites a document that is not in the repository") }
      })
  }

  @Test(
    "citations are read",
    arguments: [
      ("/// Source: contract 4.1 and 4.3.", ["4.1", "4.3"]), ("// (contract 99).", ["99"]),
      ("/// Source: contract 2.5,\n  /// 4.9 and 6; 10.1.", ["2.5", "4.9", "6", "10.1"]),
      ("/// Source: contract 3.3, quirks 2, 5 and 8; 10.1.", ["3.3", "10.1"]),
      ("/// Source: contract 14, 2xx and 5xx.", ["14"]), ("/// Up to 3.5", []),
    ])
  func grammar(text: String, sections: [String]) {
    let file = TextFile(path: "Sources/Providers/Telesign/A.swift", text: text)

    #expect(citations(in: file).map(\.citation.section) == sections)
    #expect(citations(in: file).allSatisfy { $0.citation.document == "telesign" })
  }

  private func isSource(_ line: String) -> Bool {
    let isContract = Contracts.sections.keys.contains { line.starts(with: "# Source: \($0).md ") }
    return isContract
      || line.contains(
        #/^# Source: (Docs\/Decisions\.md \d{4}|Docs\/Adding-a-provider\.md|\/control\/openapi\.json|.+, read \d{4}-)/#
      )
  }

  private func findings(in file: TextFile) -> [Finding] {
    citations(in: file).compactMap { citation, line in
      guard let sections = Contracts.sections[citation.document] else {
        return Finding(
          path: file.path, line: line,
          why: "contract \(citation.section): name the document, such as `carrier.md`")
      }
      guard !sections.contains(citation.section) else { return nil }
      return Finding(
        path: file.path, line: line, why: "\(citation.document).md has no section \(citation.section)")
    }
  }

  /// The citations of a file, with their line numbers.
  private func citations(in file: TextFile) -> [(citation: Citation, line: Int)] {
    // A citation may go on in the next line of a comment.
    let text = file.lines.joined(separator: "\n")
    guard text.contains("ontract") || text.contains(".md") else { return [] }
    let names = Contracts.sections.keys.joined(separator: "|")
    let number = #"\d+(?:\.\d+)*(?![\w%])"#
    let gap = #"(?:\s|///?|#)+"#
    let pattern =
      "(?:\\b(\(names))\\.md`?|\\b[Cc]ontract,?)\(gap)(?:sections?\(gap))?"
      + "(\(number)(?:(?:,|;|\(gap)and|\(gap)to)\(gap)(?:quirks?\(gap)\\d+(?:(?:,|\(gap)and)\(gap)\\d+)*|\(number)))*)"
    guard let regex = try? NSRegularExpression(pattern: pattern) else { return [] }
    let whole = text as NSString
    return regex.matches(in: text, range: NSRange(location: 0, length: whole.length)).flatMap { match in
      let named = match.range(at: 1).location == NSNotFound ? nil : whole.substring(with: match.range(at: 1))
      let document = named ?? Contracts.document(of: file.path) ?? ""
      let line = whole.substring(to: match.range.location).count { $0 == "\n" } + 1
      return whole.substring(with: match.range(at: 2))
        .replacing(#/quirks?\s+\d+(?:(?:,|\s+and)\s+\d+)*/#, with: "")
        .matches(of: #/\d+(?:\.\d+)*/#)
        .map { (Citation(document: document, section: String($0.0)), line) }
    }
  }
}
