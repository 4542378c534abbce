import ArgumentParser
import Control

/// `ringfence errors PROVIDER [CODE]`: how to produce each error, without a server.
struct ErrorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "errors", abstract: "List the errors of a provider, or show how to produce one.",
    discussion: """
      Needs no server: the commands that it prints are for the default sandbox of the server at --url, by \
      default at RINGFENCE_URL.
      """)

  @Argument(help: "The provider, such as twilio.", completion: .providers) var provider: String
  @Argument(help: "An error code of the provider, such as 60202.") var code: String?
  @Option(help: "The address of the server in the commands.") var url: String?
  @Flag(help: "Print JSON: the answer of GET /control/errors.") var json = false

  func run() throws {
    let sandboxes = try SeedFiles.freshSandboxes()
    do {
      let next = try sandboxes.seeds.documentedErrors(
        of: provider, code: code, in: sandboxes.defaultSandbox, at: knownURL ?? "${RINGFENCE_URL}")
      var pages: [ErrorPage] = []
      while let found = try next() { pages += found }
      if json { return Output.json(try JSON(parsing: ControlAPI.errorList.encode(pages))) }
      Output.line(code == nil ? Self.table(of: pages) : pages.map(details).joined(separator: "\n\n"))
    } catch let error as FieldError {
      throw ValidationError(error.found)
    }
  }

  private var knownURL: String? { url ?? Environment["RINGFENCE_URL"] }

  /// A line for each error: code, status, text.
  private static func table(of pages: [ErrorPage]) -> String {
    let width = pages.map(\.error.row.code.count).max() ?? 0
    return pages.map { line(of: $0, width: width) }.joined(separator: "\n")
  }

  private static func line(of page: ErrorPage, width: Int = 0) -> String {
    let row = page.error.row
    let notes = [row.format, page.error.isOnlyByFault ? "only by a fault" : nil].compactMap(\.self)
    return "\(row.code.padded(to: width))  \(row.status)  \(row.text)"
      + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
  }

  private func details(of page: ErrorPage) -> String {
    let error = page.error
    let lines: [String?] = [
      Self.line(of: page),
      error.routes.isEmpty ? nil : "routes: \(error.routes.joined(separator: ", "))",
      error.check.map { "check: \($0)" },
      error.explanation.isEmpty ? nil : "\n\(error.explanation)",
      page.commands.map { "\n\(setting)\($0)" },
    ]
    return lines.compactMap(\.self).joined(separator: "\n")
  }

  /// Lets the commands know the server, which can be on another port.
  private var setting: String { knownURL == nil ? "RINGFENCE_URL=\(DefaultAddresses.http)\n" : "" }
}
