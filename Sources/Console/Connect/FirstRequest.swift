import Domain
import Markup

/// The newest request to a provider, or a note that none has arrived yet. The page is updated when one does.
struct FirstRequest {
  private let newest: Journal.Exchange?

  init(_ newest: Journal.Exchange?) { self.newest = newest }

  func html(_ layout: Layout) -> HTML {
    section(.class("card"), .id("first-request"), .init("aria-live", "polite")) {
      if let newest {
        arrived(newest, layout)
      } else {
        p(.class("waiting")) { "Waiting for the first request…" }
      }
    }
  }

  private func arrived(_ exchange: Journal.Exchange, _ layout: Layout) -> HTML {
    let isFine = exchange.status < 400
    return HTML {
      p {
        strong {
          isFine ? "It works: a request arrived." : "A request arrived, and something is wrong with it."
        }
      }
      ol(.class("requests")) { RequestLine(exchange, layout).html }
      if !isFine, !exchange.nearest.isEmpty {
        p { "Similar routes: \(exchange.nearest.joined(separator: ", "))" }
      }
    }
  }
}
