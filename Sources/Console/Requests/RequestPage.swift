import Control
import Markup
import ProviderKit

/// One request with its answer and what it caused, secrets masked.
struct RequestPage: Page {
  private let details: RequestDetails
  private var exchange: Journal.Exchange { details.exchange }
  private let events: [Event]
  private let webhooks: [WebhookSummary]
  /// With which others it can be compared.
  private let others: [(ordinal: Int, name: String)]
  /// With the request that the address names.
  private let comparison: RequestComparison?
  /// True for bodies and header fields as they were sent.
  private let isRaw: Bool

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
    others =
      repeated.map { [($0, "request \($0)")] } ?? Self.earlier(exchange, in: sandbox)
    isRaw = try request.query["bodies"] == "raw"
    comparison = try request.query["compare"].flatMap { Self.exchange($0, in: sandbox) }
      .map { [details] in RequestComparison(MaskedExchange($0, in: sandbox), details.masked) }
  }

  /// By its number, or by its id in the control API.
  private static func exchange(_ id: String, in sandbox: Sandbox) -> Journal.Exchange? {
    (Int(id) ?? Journal.Exchange.ordinal(of: id)).flatMap(sandbox.journal.find)
  }

  /// The last of the same operation and, if it was refused, the last that was not.
  private static func earlier(
    _ exchange: Journal.Exchange, in sandbox: Sandbox
  ) -> [(ordinal: Int, name: String)] {
    let same = sandbox.journal.exchanges(before: exchange.ordinal, limit: searched)
      .filter { $0.route != nil && $0.owner == exchange.owner && $0.route == exchange.route }
    guard let last = same.first else { return [] }
    let success = last.isRefused ? same.first { !$0.isRefused } : nil
    return [(last.ordinal, "the last")] + (success.map { [($0.ordinal, "the last that succeeded")] } ?? [])
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
        for other in others {
          a(.class("button"), .href("?compare=\(other.ordinal)#differences")) { "Compare with \(other.name)" }
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
    if let why = exchange.why {
      div(.class("reason-box")) {
        Explanation(why, layout).html
        if let change = exchange.change { p { Reason(change, layout).html } }
      }
    }
    dl(.class("facts")) { details.remarks }
    if let note = details.copyNote { p(.class("help")) { note } }
    if let again { again.html }
    if let comparison { comparison.html(layout) }
    bodyChoice
    div(.class("exchange")) {
      section(.class("panel")) {
        h2 { "Request" }
        HTML.gap
      }
      section(.class("panel")) {
        h2 {
          "Answer: \(exchange.status)"
          if exchange.delay > .zero { span(.class("soft")) { " after \(exchange.delay.inWords)" } }
        }
        HTML.gap
      }
    }
    if !events.isEmpty { effects(layout) }
  }

  func gaps(_ layout: Layout) -> [GapFilling] {
    [
      filling { details.requestContent(isRaw: isRaw) }, filling { details.answerContent(isRaw: isRaw) },
    ]
  }

  private var bodyChoice: HTML {
    nav(.class("seg bodies"), .label("Bodies")) {
      for (title, address, isChosen) in [("Readable", "?", !isRaw), ("Raw", "?bodies=raw", isRaw)] {
        a(.href(address), .init("aria-current", ifPresent: isChosen ? "true" : nil)) { title }
      }
    }
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
