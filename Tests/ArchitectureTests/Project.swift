import Foundation
import Testing

/// A text file of this repository, by lines.
struct TextFile {
  /// Relative to the repository.
  let path: String
  let lines: [String]
  /// The lines without comments and contents of string literals.
  let code: [String]

  /// Its target or test target: `Sources/<target>/…`, `Sources/Providers/<target>/…`.
  var target: String {
    let folders = path.split(separator: "/").map(String.init)
    guard folders.count > 3, folders[1] == "Providers" else { return folders.dropFirst().first ?? "" }
    let target = folders[0] == "Tests" ? "\(folders[2])Tests" : folders[2]
    return target == "Kit" ? "ProviderKit" : target
  }

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = path.hasSuffix(".swift") ? TextFile.code(of: lines) : lines
  }

  /// The numbers of the lines that match a pattern, from 1. Uses NSRegularExpression on the whole text, for
  /// speed.
  func lineNumbers(matching pattern: String, inComments: Bool = false) -> [Int] {
    let text = (inComments ? lines : code).joined(separator: "\n") as NSString
    guard let regex = try? NSRegularExpression(pattern: pattern, options: .anchorsMatchLines) else {
      preconditionFailure("invalid regular expression: \(pattern)")
    }
    let found = regex.matches(in: text as String, range: NSRange(location: 0, length: text.length))
    var (number, position) = (1, 0)
    return found.map { match in
      while position < match.range.location {
        if text.character(at: position) == 0x0A { number += 1 }
        position += 1
      }
      return number
    }
  }

  private static func code(of lines: [String]) -> [String] {
    // A debug build parses a literal each time.
    let (text, comment) = (#/"(\\.|[^"\\])*"/#, #///.*/#)
    var isInLongString = false
    return lines.map { line in
      guard isInLongString || line.contains(#"""#) || line.contains("//") else { return line }
      let pieces = line.components(separatedBy: #"""""#)
      let kept = pieces.enumerated().map { index, piece in
        if index > 0 { isInLongString.toggle() }
        return isInLongString ? "" : piece
      }
      return kept.joined().replacing(text, with: #""""#).replacing(comment, with: "")
    }
  }
}

/// A line that breaks a rule.
struct Finding: Hashable, CustomStringConvertible {
  let path: String
  let line: Int
  let why: String

  var description: String { "\(path):\(line): \(why)" }
}

/// The files of this repository.
enum Project {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Text files below `Sources` and `Tests`.
  static let files: [TextFile] = ["Sources", "Tests"].flatMap { folder in
    written(below: folder)
  }

  /// Swift files below `Sources`.
  static let sources = files.filter { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }

  /// The pages in the root folder and in `Tests`, and everything below `Docs`.
  static let documents =
    ["README.md", "CONTRIBUTING.md", "SECURITY.md", "Tests/README.md"].compactMap(file)
    + written(below: "Docs")

  /// The recorded exchanges below `Tests`.
  static let goldens = written(below: "Tests", kinds: ["http"]).filter { $0.path.contains("/Golden/") }
    .filter { !$0.path.hasPrefix("Tests/Fixtures/") }

  /// The tables that are part of the program.
  static let tables = written(below: "Sources", kinds: ["txt"])

  /// The providers: the folders of `Sources/Providers` other than the kit and the catalogue.
  static let providers =
    (try? FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Sources/Providers").path))?
    .filter { $0 != "Kit" && $0 != "Catalog" }.sorted() ?? []

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// Nil if there is no such file.
  static func file(_ path: String) -> TextFile? {
    (try? String(contentsOf: root.appending(path: path), encoding: .utf8))
      .map { TextFile(path: path, text: $0) }
  }

  private static let kinds: Set = ["swift", "c", "h", "sql", "py", "lua", "sh", "md"]

  private static func written(below folder: String, kinds: Set<String> = kinds) -> [TextFile] {
    let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path) ?? .init()
    return paths.compactMap { $0 as? String }.sorted()
      .filter { kinds.contains(($0 as NSString).pathExtension) }
      .compactMap { file("\(folder)/\($0)") }
  }
}

/// Records an issue for each finding: `file:line: why`.
func expectNone(_ findings: some Sequence<Finding>, at location: SourceLocation = #_sourceLocation) {
  for finding in findings { Issue.record("\(finding)", sourceLocation: location) }
}
