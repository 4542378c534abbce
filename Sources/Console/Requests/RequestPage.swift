import Control
import Domain
import HTTP
import JSON
import Markup
import ProviderKit

/// One request with its answer and what it caused, secrets masked.
struct RequestPage: Page {
  private let masked: MaskedExchange
  private var exchange: Journal.Exchange { masked.exchange }
  private let events: [Event]
  private let webhooks: [WebhookSummary]
  private let documentation: String?
  private let curl: String

  var title: String { "\(exchange.method) \(exchange.shownTarget)" }

  private static let eventLimit = 100

  init(_ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]) throws {
    let id = request[parameter: "id"]
    guard let exchange = Int(id).flatMap(sandbox.journal.find) else {
      throw try NotFound("request \(id) in the journal", request, sandbox)
    }
    masked = MaskedExchange(exchange, in: sandbox)
    let effects = exchange.effects
    events = try sandbox.events.after(effects.newestBefore, limit: Self.eventLimit)
      .filter { effects.contains($0.ordinal) }
    webhooks = try WebhookSummary.all(enqueuedBy: events, in: sandbox)
    let provider = providers.first { $0.name == exchange.owner }
    documentation =
      exchange.isRefused
      ? exchange.answer.flatMap { (provider as? any DocumentsErrors.Type)?.documentation(ofError: $0) } : nil
    let url = sandbox.baseURL(requestOrigin: request.origin)
    let variables = try provider.map { try ProviderVariable.all(of: $0, in: sandbox, at: url) } ?? []
    curl = CurlCommand(masked, at: url, variables).text
  }

  func content(_ layout: Layout) -> HTML {
    h1 { title }
    dl(.class("facts")) {
      Fact("Time", exchange.at.dateAndTime).html
      Fact("Provider", exchange.owner.isEmpty ? "none" : exchange.owner).html
      Fact("Operation", exchange.route ?? "none").html
      if let verification = exchange.effects.verification {
        dt { "Verification" }
        dd { VerificationMark(verification, layout).html }
      }
      if let why = exchange.why {
        dt { "Why" }
        dd { Explanation(why).html }
      }
      if let documentation {
        dt { "Documentation" }
        dd { a(.href(documentation), .init("rel", "noreferrer")) { documentation } }
      }
      if !exchange.unread.isEmpty { Fact("Not read", exchange.unread.joined(separator: ", ")).html }
      if !exchange.nearest.isEmpty { Fact("Similar routes", exchange.nearest.joined(separator: ", ")).html }
    }
    details(.class("program")) {
      summary { "As a curl command" }
      CopyableCode(curl).html
    }
    div(.class("exchange")) {
      part("Request", masked.requestHead, masked.requestBody)
      part("Answer: \(exchange.status)", masked.responseHead, masked.responseBody)
    }
    if !events.isEmpty { effects(layout) }
  }

  private func effects(_ layout: Layout) -> HTML {
    section(.class("card")) {
      h2 { "What it caused" }
      ol(.class("requests")) { for event in events { EventLine(event, layout).html } }
      for webhook in webhooks { webhook.html }
    }
  }

  private func part(_ name: String, _ fields: [String], _ text: String) -> HTML {
    section {
      h2 { name }
      details {
        summary { "\(fields.count) header fields" }
        pre { fields.joined(separator: "\n") }
      }
      BodyView(text, isForm: fields.contains { $0.lowercased().hasPrefix("content-type: application/x-www") })
        .html
    }
  }
}

extension Journal.Exchange {
  /// The body of the answer; nil if it is no JSON.
  fileprivate var answer: JSON? { try? JSON(parsing: responseBody) }
}

/// A reason in plain words. Of two strings that should be equal, the first difference is marked.
struct Explanation {
  private let lines: [String]
  private let compared: (expected: String, received: String)?

  init(_ why: String) {
    let lines = why.split(separator: "\n").map(String.init)
    func text(after label: String) -> String? {
      lines.first { $0.hasPrefix(label) }.map { String($0.dropFirst(label.count)) }
    }
    if let expected = text(after: "expected: "), let received = text(after: "received: ") {
      compared = (expected, received)
      self.lines = Array(lines.prefix { !$0.hasPrefix("expected: ") })
    } else {
      compared = nil
      self.lines = lines
    }
  }

  var html: HTML {
    HTML {
      for line in lines { p(.class("why")) { line } }
      if let compared {
        let common = zip(compared.expected, compared.received).prefix { $0 == $1 }.count
        dl(.class("compared")) {
          for (name, text) in [("expected", compared.expected), ("received", compared.received)] {
            dt { name }
            dd {
              code {
                String(text.prefix(common))
                mark { String(text.dropFirst(common).prefix(1)) }
                String(text.dropFirst(common + 1))
              }
            }
          }
        }
      }
    }
  }
}
