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
    let wanted = try request.query["filter"] ?? ""
    filter = wanted
    requests = sandbox.journal.exchanges(after: 0).reversed().lazy.filter { $0.matches(wanted) }
      .prefix(Self.limit).map(\.self)
  }

  func content(_ layout: Layout) -> HTML {
    h1 { "Timeline" }
    form(.class("filter"), .init("role", "search")) {
      label(.init("for", "filter")) { "Filter" }
      input(
        .type("search"), .id("filter"), .name("filter"), .value(filter), .init("data-key", "/"),
        .init("placeholder", "provider, operation, number or status"))
    }
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
      for request in requests { line(request) }
    }
  }

  private func line(_ request: Journal.Exchange) -> HTML {
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

  /// True if provider, operation, target, status or reason contains the text.
  func matches(_ text: String) -> Bool {
    guard !text.isEmpty else { return true }
    return [owner, route ?? "", target, String(status), why ?? ""].contains {
      $0.lowercased().contains(text.lowercased())
    }
  }
}
