import Control
import Markup
package import ProviderKit

/// A sandbox's requests, phones and verifications as one HTML file, for people who look at a run later: it
/// opens from disk, needs nothing else, and asks no host for anything.
///
/// It is produced in pieces, and has at most `sizeLimit` bytes: the bodies of later requests are left out
/// first.
package struct Report {
  /// Source: CONSOLE 4.
  static let sizeLimit = 20_000_000
  /// Beyond this, requests have one line each.
  private static let detailLimit = 12_000_000
  /// Beyond this, nothing is added.
  private static let lineLimit = 17_000_000
  private static let messageLimit = 2000
  private static let verificationLimit = 1000

  /// Of the newest verifications; older ones have a line each.
  private static let diagramLimit = 200

  private let sandbox: Sandbox
  private let providers: [any Provider.Type]
  private let messages: [Message]
  private let phones: [String: [Message]]
  private let verifications: [Verification]

  package init(of sandbox: Sandbox, providers: [any Provider.Type]) throws {
    self.sandbox = sandbox
    self.providers = providers
    messages = try sandbox.messages.submitted(.init(), limit: Self.messageLimit)
    phones = Dictionary(grouping: messages, by: \.destination)
    verifications = try sandbox.verifications.newest(Self.verificationLimit).reversed()
  }

  package func pieces() -> BodyPieces {
    let document = document
    var size = document.count
    let counted = { (filling: @escaping GapFilling) -> GapFilling in
      {
        let html = try filling()
        size += html?.bytes.count ?? 0
        return html
      }
    }
    // The first one that is not written yet; nil once all are.
    var next = sandbox.journal.exchanges(after: 0, limit: 1).first?.ordinal
    let requests: GapFilling = {
      guard let first = next else { return nil }
      return requestLine(from: first, &next, written: size)
    }
    let drawings = { (verifications: [Verification]) in
      filling(verifications) { size < Self.lineLimit ? drawing(of: $0) : HTML() }
    }
    return BodyPieces(
      document,
      filling: [
        drawings(drawn.filter(hasFailed)), filling(verifications) { row(of: $0) },
        drawings(drawn.filter { !hasFailed($0) }), filling(phones.keys.sorted()) { section(ofPhone: $0) },
        requests,
      ].map(counted))
  }

  private var drawn: [Verification] { verifications.suffix(Self.diagramLimit) }

  /// True for one that people look for: one that was never checked has only been left.
  private func hasFailed(_ verification: Verification) -> Bool {
    let state = verification.state(at: sandbox.clock.now)
    return state.isFailure && (state != .expired || verification.checks > 0)
  }

  /// The next request. Sets `next` to the one after it; nil at the end.
  private func requestLine(from first: Int, _ next: inout Int?, written: Int) -> HTML {
    guard let exchange = sandbox.journal.exchanges(after: first - 1, limit: 1).first else {
      next = nil
      return HTML()
    }
    next = exchange.ordinal + 1
    guard written < Self.lineLimit else {
      next = nil
      return li {
        "From request \(exchange.ordinal) on, nothing is shown: the report would be too large."
      }
    }
    return ReportedRequest(
      MaskedExchange(exchange, in: sandbox), test: sandbox.journal.test(of: exchange.ordinal)
    ).html(withDetails: written < Self.detailLimit)
  }

  /// A verification with its diagram, to unfold. One that was deleted meanwhile is left out.
  private func drawing(of verification: Verification) -> HTML {
    let subject = Subject(.verification(verification))
    guard let history = try? History(subject, in: sandbox, providers: providers) else { return HTML() }
    let diagram = Diagram(of: history, title: ProviderMark.title(of:))
    let state = subject.state(at: history.now)
    let url = { (number: Int) -> String? in
      guard case .request(let ordinal) = diagram.step(number)?.target else { return nil }
      return "#request-\(ordinal)"
    }
    return details(
      .class(state == .approved ? "panel reported ok" : "panel reported"),
      .id("verification-\(verification.ordinal)"), .init("data-item", String(verification.ordinal)),
      .init(flag: "open", hasFailed(verification))
    ) {
      summary {
        "\(subject.createdAt.timeOfDay) \(ProviderMark.title(of: subject.provider)) \(subject.way) "
        subject.shownDestination
        " "
        span(.class(state.pill)) { state.rawValue }
      }
      div(.class("sequence-scroll")) {
        DiagramDrawing(
          diagram: diagram, selection: nil, name: "sequence-\(verification.ordinal)", isOfPage: false,
          url: url
        ).html
      }
      DiagramList(diagram: diagram, name: "list-\(verification.ordinal)", url: url).html
    }
  }

  // MARK: The document

  private static let script = OwnCode(resource: PackageResources.report_js)

  private var document: [UInt8] {
    StandaloneDocument(title: "Report of \(sandbox.name)", script: Self.script).bytes {
      h1 { "Report of \(sandbox.name)" }
      p { "\(sandbox.clock.now.dateAndTime) on the sandbox's clock. \(counts)." }
      failedTests
      filterForm
      if drawn.contains(where: hasFailed) { h2 { "Failures" } }
      HTML.gap
      verificationTable
      HTML.gap
      h2 { "Phones" }
      if messages.isEmpty { p { "No message was sent." } }
      HTML.gap
      h2 { "Requests" }
      ol(.class("requests")) { HTML.gap }
    }
  }

  private var counts: String {
    let journal = sandbox.journal
    let kept = journal.lastOrdinal - (journal.exchanges(after: 0, limit: 1).first?.ordinal ?? 1) + 1
    let dropped = journal.lastOrdinal - kept
    let requests = dropped > 0 ? "\(kept) requests, \(dropped) older ones dropped" : "\(kept) requests"
    return "\(requests), \(messages.count) messages, \(verifications.count) verifications"
  }

  private var failedTests: HTML {
    let failed = sandbox.journal.tests.filter { $0.outcome == .failed }
    return HTML {
      if !failed.isEmpty {
        h2 { "Failed tests" }
        ul {
          for test in failed {
            li {
              if test.first <= test.last ?? 0 {
                a(.href("#request-\(test.first)")) { test.name }
              } else {
                "\(test.name): no request"
              }
            }
          }
        }
      }
    }
  }

  /// Shown by the script.
  private var filterForm: HTML {
    form(.id("filter"), .class("filter"), .init("role", "search"), .init(flag: "hidden")) {
      label(.init("for", "text")) { "Filter" }
      input(.type("search"), .id("text"), .init("placeholder", "test, provider, number, status or text"))
      label {
        input(.type("checkbox"))
        " only refused requests"
      }
      span(.id("shown"), .init("aria-live", "polite"))
    }
  }

  private func section(ofPhone phone: String) -> HTML {
    HTML {
      h3 { phone }
      ol(.class("messages")) { for message in phones[phone] ?? [] { line(of: message) } }
    }
  }

  private func line(of message: Message) -> HTML {
    let now = sandbox.clock.now
    let hasArrived = message.arrival(by: now) != nil
    return li(.class(hasArrived ? "message" : "message held"), .init("data-item", message.id)) {
      p(.class("from")) {
        "\(message.sender) · \(message.provider) · \(message.channel.rawValue) · \(message.submittedAt.timeOfDay)"
      }
      if !hasArrived { p(.class("why")) { "Not arrived: \(message.state(at: now).rawValue)." } }
      p(.class("text")) { message.text.shortened(to: 500) }
    }
  }

  private var verificationTable: HTML {
    HTML {
      h2 { "Verifications" }
      if verifications.isEmpty {
        p { "No verification was started." }
        HTML.gap
      } else {
        div(.class("wide")) {
          table {
            tableHead("Started", "Provider", "Destination", "Channels", "State", "Code", "Checks")
            tbody { HTML.gap }
          }
        }
        h2 { "What happened in the others" }
      }
    }
  }

  private func row(of verification: Verification) -> HTML {
    let cells = [
      verification.createdAt.timeOfDay, verification.claim.provider, verification.claim.destination,
      verification.attempts.all.map(\.channel.rawValue).joined(separator: ", "),
      verification.state(at: sandbox.clock.now).rawValue, verification.code, String(verification.checks),
    ]
    return tr(.init("data-item", String(verification.ordinal))) { for cell in cells { td { cell } } }
  }
}
