import Control
import Domain
import HTTP
import Markup

/// One request with its answer, secrets masked.
struct RequestPage: Page {
  private let exchange: Journal.Exchange

  var title: String { "\(exchange.method) \(exchange.shownTarget)" }

  init(_ request: Request, _ sandbox: Sandbox) throws {
    let id = request[parameter: "id"]
    guard let exchange = Int(id).flatMap(sandbox.journal.find) else {
      throw try NotFound("request \(id) in the journal", request, sandbox)
    }
    self.exchange = exchange
  }

  func content(_ layout: Layout) -> HTML {
    h1 { title }
    dl(.class("facts")) {
      Fact("Time", exchange.at.dateAndTime).html
      Fact("Provider", exchange.owner).html
      Fact("Operation", exchange.route ?? "none").html
      if let why = exchange.why { Fact("Why", why).html }
      if !exchange.unread.isEmpty { Fact("Not read", exchange.unread.joined(separator: ", ")).html }
      if !exchange.nearest.isEmpty { Fact("Similar routes", exchange.nearest.joined(separator: ", ")).html }
    }
    div(.class("exchange")) {
      part("Request", Masking.head(exchange.requestHead), Masking.body(exchange.requestBody))
      part(
        "Answer: \(exchange.status)", Masking.head(exchange.responseHead), Masking.body(exchange.responseBody)
      )
    }
  }

  private func part(_ name: String, _ fields: [String], _ text: String) -> HTML {
    section {
      h2 { name }
      details {
        summary { "\(fields.count) header fields" }
        pre { fields.joined(separator: "\n") }
      }
      pre { text.isEmpty ? "(no body)" : Indentation.indent(text) }
    }
  }
}
