import Control
import Domain
import HTTP
import Markup

/// Requests, newest first.
struct TimelinePage: Page {
  let title = "Timeline"
  private let filter: String
  private let requests: [Journal.Exchange]

  private static let limit = 200

  init(_ request: Request, _ sandbox: Sandbox) throws {
    filter = try request.query["filter"] ?? ""
    let text = filter.lowercased()
    requests = Array(sandbox.journal.newestFirst.lazy.filter { $0.matches(text) }.prefix(Self.limit))
  }

  func content(_ layout: Layout) -> HTML {
    h1 { "Timeline" }
    FilterForm(text: filter, hint: "provider, operation, number or status").html
    RequestList(requests, layout).html
  }
}

/// Requests as a list of links to each one's page.
struct RequestList {
  private let requests: [Journal.Exchange]
  private let layout: Layout

  init(_ requests: [Journal.Exchange], _ layout: Layout) {
    self.requests = requests
    self.layout = layout
  }

  var html: HTML {
    ol(.class("requests"), .id("requests")) {
      if requests.isEmpty { li(.class("empty")) { "No request yet." } }
      for request in requests { RequestLine(request, layout).html }
    }
  }
}

/// A request in a list, with a link to its page.
struct RequestLine {
  private let request: Journal.Exchange
  private let layout: Layout

  init(_ request: Journal.Exchange, _ layout: Layout) {
    self.request = request
    self.layout = layout
  }

  var html: HTML {
    li(
      .id("request-\(request.ordinal)"), .class(request.status < 400 ? "ok" : "refused"),
      .init("data-item", String(request.ordinal))
    ) {
      a(.href(layout.url("/console/requests/\(request.ordinal)"))) {
        time(.init("datetime", request.at.iso8601)) { request.at.timeOfDay }
        " "
        span(.class("status")) { String(request.status) }
        " \(request.owner) \(request.route ?? "\(request.method) \(request.shownTarget)")"
      }
      if let why = request.why { span(.class("why")) { why } }
    }
  }
}

extension Journal.Exchange {
  /// Path and query, secrets masked.
  var shownTarget: String { Masking.target(target) }

  /// True if provider, operation, target, status or reason contains the text, which is in lower case.
  func matches(_ text: String) -> Bool {
    text.isEmpty
      || [owner, route ?? "", target, String(status), why ?? ""].contains { $0.lowercased().contains(text) }
  }
}
