import Testing

/// Errors that providers name by their numbers. Others have an enumeration, which `ErrorTable` checks.
@Suite("Architecture · numbers of errors")
struct ErrorCodeTests {
  @Test(
    "a number in the code of a provider is in its Errors.txt", arguments: ["Telesign", "Twilio"])
  func numbersAreKnown(of provider: String) throws {
    let folder = "Sources/Providers/\(provider)/"
    let table = try #require(Project.file("\(folder)Errors.txt"))
    let known = Set(table.lines.map { $0.prefix { $0 != " " } })
    let files = Project.sources.filter { $0.path.hasPrefix(folder) }

    let found = files.flatMap { file in file.code.enumerated().map { (file.path, $0, $1) } }
      .flatMap { path, line, text in numbers(in: text).map { (path, line + 1, $0) } }

    #expect(found.count > 60)
    expectNone(
      found.filter { !known.contains($0.2) }.map { Finding(path: $0, line: $1, why: "no error \($2)") })
  }

  /// `APIError(code: 60202)`, `.message(21211, …)`, `Self(-40006, in: format)`, `(-30004, 10009, 3405)`.
  private func numbers(in line: String) -> [Substring] {
    let call = #/(?:APIError|Self|\.message)\((?:code: )?(-?\d{4,6})\b|\bcode: (\d{5,6})\b/#
    let reasons = #/: \((-\d{5}), (\d{5}), (\d{4})\)$/#
    return line.matches(of: call).compactMap { $0.1 ?? $0.2 }
      + line.matches(of: reasons).flatMap { [$0.1, $0.2, $0.3] }
  }
}
