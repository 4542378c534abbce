import Markup
import ProviderKit

/// What is behind an arrow of the diagram: a request, a webhook or a message.
struct StepPanel {
  private enum Content {
    case request(RequestDetails)
    case webhook(Webhook, WebhookAttempt?)
    case message(Message, DeliveryNotes.Note?)
  }

  /// What it shows of a request or a webhook.
  enum Part: String {
    case answer
    case request
    case curl

    fileprivate var title: String { self == .curl ? rawValue : rawValue.capitalizedFirst }

    /// The address of a step with this part.
    func address(ofStep number: Int) -> String {
      "?step=\(number)" + (self == .answer ? "" : "&show=\(rawValue)")
    }
  }

  private let content: Content
  private let step: Diagram.Step
  private let number: Int
  private let shown: Part
  private let now: Timestamp

  /// Nil for an arrow with nothing behind it.
  init?(
    _ step: Diagram.Step, number: Int, _ shown: Part, of history: History, _ request: Request,
    _ sandbox: Sandbox, providers: [any Provider.Type]
  ) throws {
    (self.step, self.number, self.shown) = (step, number, shown)
    now = history.now
    switch step.target {
    case .request(let ordinal):
      guard let exchange = history.exchanges.first(where: { $0.ordinal == ordinal }) else { return nil }
      content = .request(try RequestDetails(exchange, request, sandbox, providers: providers))
    case .webhook(let ordinal, let number):
      guard let found = history.webhooks.first(where: { $0.webhook.ordinal == ordinal }) else { return nil }
      content = .webhook(found.webhook, found.attempts.first { $0.number == number })
    case .message(let ordinal):
      guard let message = history.messages.first(where: { $0.ordinal == ordinal }) else { return nil }
      content = .message(message, history.notes[ordinal])
    case nil: return nil
    }
  }

  func html(_ layout: Layout) -> HTML {
    aside(.class("panel step-panel"), .id("step-panel"), .label("Chosen step")) {
      switch content {
      case .request(let details): request(details, layout)
      case .webhook(let sent, let attempt): webhook(sent, attempt, layout)
      case .message(let sent, let note): message(sent, note, layout)
      }
    }
  }

  private func head(_ name: String, _ result: String, isFailed: Bool) -> HTML {
    h2 {
      span { name }
      span(.class(isFailed ? "pill bad" : "pill ok")) { result }
    }
  }

  private func reason(_ text: String?, injected: String?, _ layout: Layout) -> HTML {
    HTML {
      if let text { div(.class("step-reason")) { Explanation(text.capitalizedFirst, layout).html } }
      if let injected { p(.class("injected")) { Reason("Caused on purpose: \(injected).", layout).html } }
    }
  }

  /// Links to the parts, and the one that is shown; without it, the first.
  private func tabs(_ parts: [(part: Part, content: HTML)]) -> HTML {
    let current = parts.first { $0.part == shown } ?? parts.first
    return HTML {
      nav(.class("tabs"), .label("Parts")) {
        for (part, _) in parts {
          a(
            .href(part.address(ofStep: number)), .init("data-step", String(number)),
            .init("aria-current", ifPresent: part == current?.part ? "true" : nil)
          ) { part.title }
        }
      }
      if let current { div(.class("part")) { current.content } }
    }
  }

  private func request(_ details: RequestDetails, _ layout: Layout) -> HTML {
    let exchange = details.exchange
    let isFailed = exchange.hasFailed
    return HTML {
      head(
        exchange.route ?? exchange.method, exchange.status == 0 ? "none" : String(exchange.status),
        isFailed: isFailed)
      reason(exchange.injection == nil ? exchange.why : nil, injected: exchange.injection, layout)
      if let change = exchange.change { p { Reason(change, layout).html } }
      tabs([
        (.answer, details.answerContent()),
        (
          .request,
          HTML {
            p(.class("target")) { code { "\(exchange.method) \(exchange.shownTarget)" } }
            details.requestContent()
          }
        ),
        (.curl, details.command),
      ])
      dl(.class("facts")) {
        Fact("Time", exchange.at.preciseTimeOfDay).html
        if step.at < exchange.at { Fact("Took", (exchange.at - step.at).inWords).html }
        details.remarks
      }
      p(.class("more")) {
        a(.href(layout.url("/console/requests/\(exchange.ordinal)"))) { "Full request" }
      }
    }
  }

  private func webhook(_ webhook: Webhook, _ attempt: WebhookAttempt?, _ layout: Layout) -> HTML {
    let status = attempt?.result.status
    let isFailed = !(status.map { (200...299).contains($0) } ?? false)
    return HTML {
      head(
        webhook.draft.kind, status.map { String($0) } ?? (attempt == nil ? webhook.state.rawValue : "none"),
        isFailed: isFailed)
      reason(attempt?.result.error ?? webhook.why, injected: webhook.fault?.text, layout)
      tabs(
        [
          webhook.request.map { (.request, request(of: webhook, $0)) },
          attempt.flatMap { sent in sent.result.body.isEmpty ? nil : (.answer, pre { sent.result.body }) },
        ].compactMap(\.self))
      dl(.class("facts")) {
        if let attempt {
          Fact("Time", attempt.at.preciseTimeOfDay).html
          Fact("Attempt", String(attempt.number)).html
        }
        Fact("State", webhook.state.rawValue).html
        if let next = webhook.nextAt { Fact("Next", next.preciseTimeOfDay).html }
      }
    }
  }

  private func request(of webhook: Webhook, _ sent: WebhookRequest) -> HTML {
    HTML {
      p(.class("target")) { code { "\(sent.method.rawValue) \(webhook.shownURL)" } }
      BodyView(
        String(decoding: sent.body, as: UTF8.self),
        isForm: sent.fields.contains { $0.value.hasPrefix("application/x-www") }
      ).html
    }
  }

  private func message(_ message: Message, _ note: DeliveryNotes.Note?, _ layout: Layout) -> HTML {
    let state = message.state(at: now)
    let arrival = message.arrival(by: now)
    return HTML {
      head(message.channel.title.capitalizedFirst, state.word, isFailed: state.isFailure)
      reason(
        arrival != nil || !state.isFailure
          ? nil : note?.scenario == nil ? note?.cause ?? state.reason : state.reason,
        injected: note?.scenario, layout)
      p(.class("text")) { message.text }
      dl(.class("facts")) {
        Fact("From", message.sender).html
        Fact("To", message.destination).html
        Fact("Sent", message.submittedAt.preciseTimeOfDay).html
        if let arrival { Fact("Arrived", arrival.preciseTimeOfDay).html }
        for receipt in message.receipts(by: now) {
          Fact(
            "Receipt",
            "\(receipt.state.word), \((message.submittedAt + receipt.after).preciseTimeOfDay)"
          ).html
        }
      }
      p(.class("more")) {
        a(.href(layout.url("/console/phones/\(PercentCoding.encode(message.destination))"))) { "Phone" }
      }
    }
  }
}
