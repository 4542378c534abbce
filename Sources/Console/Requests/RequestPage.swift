import Control
import Domain
import HTTP
import Markup
import ProviderKit

/// One request with its answer and what it caused, secrets masked.
struct RequestPage: Page {
  private let details: RequestDetails
  private var exchange: Journal.Exchange { details.exchange }
  private let events: [Event]
  private let webhooks: [WebhookSummary]
  /// The ordinal of the last request of the same operation before this one.
  private let previous: Int?
  /// With the request that the address names.
  private let comparison: RequestComparison?

  var title: String { "\(exchange.method) \(exchange.shownTarget)" }

  private static let eventLimit = 100
  /// Among how many earlier requests that of the same operation is looked for.
  private static let searched = 500

  init(_ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]) throws {
    let id = request[parameter: "id"]
    guard let exchange = Int(id).flatMap(sandbox.journal.find) else {
      throw try NotFound("request \(id) in the journal", request, sandbox)
    }
    details = try RequestDetails(exchange, request, sandbox, providers: providers)
    let effects = exchange.effects
    events = try sandbox.events.after(effects.newestBefore, limit: Self.eventLimit)
      .filter { effects.contains($0.ordinal) }
    webhooks = try WebhookSummary.all(enqueuedBy: events, in: sandbox)
    previous =
      sandbox.journal.exchanges(before: exchange.ordinal, limit: Self.searched)
      .first { $0.route != nil && $0.owner == exchange.owner && $0.route == exchange.route }?.ordinal
    comparison = try request.query["compare"].flatMap(Int.init).flatMap(sandbox.journal.find)
      .map { [details] in RequestComparison(MaskedExchange($0, in: sandbox), details.masked) }
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("page-head")) {
      h1 { exchange.route ?? title }
      span(.class(exchange.isRefused ? "pill bad" : "pill ok")) {
        exchange.status == 0 ? "no answer" : String(exchange.status)
      }
      p(.class("actions")) {
        if let previous {
          a(.class("button"), .href("?compare=\(previous)#differences")) { "Compare with the last" }
        }
        details.copyAsCurl
      }
    }
    p(.class("soft request-line")) {
      if !exchange.owner.isEmpty { ProviderMark(exchange.owner).html }
      code { title }
      time(.init("datetime", exchange.at.iso8601)) { exchange.at.dateAndTime }
      if let client { span { client } }
      if let verification = exchange.effects.verification { VerificationMark(verification, layout).html }
    }
    if let why = exchange.why { div(.class("reason-box")) { Explanation(why).html } }
    dl(.class("facts")) { details.remarks }
    if let comparison { comparison.html(layout) }
    div(.class("exchange")) {
      section(.class("panel")) {
        h2 { "Request" }
        details.requestContent
      }
      section(.class("panel")) {
        h2 { "Answer: \(exchange.status)" }
        details.answerContent
      }
    }
    if !events.isEmpty { effects(layout) }
  }

  /// The program that sent it, by its `User-Agent`.
  private var client: String? {
    let label = "user-agent:"
    return details.masked.requestHead.first { $0.lowercased().hasPrefix(label) }
      .map { String($0.dropFirst(label.count).drop { $0 == " " }) }
  }

  private func effects(_ layout: Layout) -> HTML {
    section(.class("card")) {
      h2 { "What it caused" }
      ol(.class("requests")) { for event in events { EventLine(event, layout).html } }
      for webhook in webhooks { webhook.html }
    }
  }
}

/// A name with its value in a list of facts.
struct Fact {
  private let name: String
  private let value: String

  init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  var html: HTML {
    HTML {
      dt { name }
      dd { value }
    }
  }
}
