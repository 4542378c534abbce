import ArgumentParser
import Guides
import JSON

/// `ringfence docs [PAGE]`
struct DocsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "docs", abstract: "Print a page of the documentation, or list the pages.",
    discussion: "Needs no server. A server shows the same pages at /console/docs.")

  @Argument(
    help: "A page, such as carrier, twilio or recipes/go. Default: list all.",
    completion: .list(Guide.all.map { $0.path.lowercased() }))
  var page: String?

  func run() throws {
    guard let page else {
      var table = Table(["PAGE", "TITLE"])
      for guide in Guide.all { table.add([guide.path.lowercased(), guide.title]) }
      return Output.lines(table.lines())
    }
    guard let guide = Guide.named(page) else {
      throw CommandFailure("there is no page \(Guide.unknown(page))")
    }
    Output.lines(guide.lines.dropLast())
  }
}
