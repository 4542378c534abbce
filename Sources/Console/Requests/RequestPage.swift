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

  var title: String { "\(exchange.method) \(exchange.shownTarget)" }

  private static let eventLimit = 100

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
      details.remarks
    }
    details.command
    div(.class("exchange")) {
      section {
        h2 { "Request" }
        details.requestContent
      }
      section {
        h2 { "Answer: \(exchange.status)" }
        details.answerContent
      }
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
