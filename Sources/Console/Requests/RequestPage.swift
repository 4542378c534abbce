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
  /// The ordinal of the request that this one repeats, else of the last of the same operation before it.
  private let previous: Int?
  private let isRepeated: Bool
  /// With the request that the address names.
  private let comparison: RequestComparison?

  var title: String { "\(exchange.method) \(exchange.shownTarget)" }

  private static let eventLimit = 100
  /// Among how many earlier requests that of the same operation is looked for.
  private static let searched = 500

  init(_ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]) throws {
    let id = request[parameter: "id"]
    guard let exchange = Self.exchange(id, in: sandbox) else {
      throw try NotFound("request \(id) in the journal", request, sandbox)
    }
    details = try RequestDetails(exchange, request, sandbox, providers: providers)
    let effects = exchange.effects
    events = try sandbox.events.after(effects.newestBefore, limit: Self.eventLimit)
      .filter { effects.contains($0.ordinal) }
    webhooks = try WebhookSummary.all(enqueuedBy: events, in: sandbox)
    let repeated = try request.query["again"].flatMap { Self.exchange($0, in: sandbox)?.ordinal }
    isRepeated = repeated != nil
    previous =
      repeated
      ?? sandbox.journal.exchanges(before: exchange.ordinal, limit: Self.searched)
      .first { $0.route != nil && $0.owner == exchange.owner && $0.route == exchange.route }?.ordinal
    comparison = try request.query["compare"].flatMap { Self.exchange($0, in: sandbox) }
      .map { [details] in RequestComparison(MaskedExchange($0, in: sandbox), details.masked) }
  }

  /// By its number, or by its id in the control API.
  private static func exchange(_ id: String, in sandbox: Sandbox) -> Journal.Exchange? {
    (Int(id) ?? Journal.Exchange.ordinal(of: id)).flatMap(sandbox.journal.find)
  }

  func content(_ layout: Layout) -> HTML {
    let again = SendAgainForm(details.masked, layout)
    div(.class("page-head")) {
      h1 { exchange.route ?? title }
      span(.class(exchange.isRefused ? "pill bad" : "pill ok")) {
        exchange.status == 0 ? "no answer" : String(exchange.status)
      }
      p(.class("actions")) {
        if let again { again.button }
        if let previous {
          a(.class("button"), .href("?compare=\(previous)#differences")) {
            isRepeated ? "Compare with request \(previous)" : "Compare with the last"
          }
        }
        details.copies
      }
    }
    p(.class("soft request-line")) {
      if !exchange.owner.isEmpty { ProviderMark(exchange.owner).html }
      code { title }
      time(.init("datetime", exchange.at.iso8601)) { exchange.at.dateAndTime }
      if let client { span { "by \(client)" } }
      if let verification = exchange.effects.verification { VerificationMark(verification, layout).html }
    }
    if let why = exchange.why { div(.class("reason-box")) { Explanation(why).html } }
    dl(.class("facts")) { details.remarks }
    if let note = details.copyNote { p(.class("help")) { note } }
    if let again { again.html }
    if let comparison { comparison.html(layout) }
    div(.class("exchange")) {
      section(.class("panel")) {
        h2 { "Request" }
        details.requestContent
      }
      section(.class("panel")) {
        h2 {
          "Answer: \(exchange.status)"
          if exchange.delay > .zero { span(.class("soft")) { " after \(exchange.delay.inWords)" } }
        }
        details.answerContent
      }
    }
    if !events.isEmpty { effects(layout) }
  }

  /// Name and version of the program that sent it, by its `User-Agent`, such as `twilio-python 9.8.1`.
  private var client: String? {
    let label = "user-agent:"
    guard let line = details.masked.requestHead.first(where: { $0.lowercased().hasPrefix(label) }),
      let product = line.dropFirst(label.count).split(separator: " ").first
    else { return nil }
    return product.hasPrefix("Mozilla/")
      ? "a browser" : String(product.replacing("/", with: " ", maxReplacements: 1))
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
