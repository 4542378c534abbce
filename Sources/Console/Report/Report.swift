import Control
package import Domain
package import HTTP
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
  private static let requestsPerPiece = 50

  /// Of the newest verifications; older ones have a line each.
  private static let diagramLimit = 200

  private let sandbox: Sandbox
  private let providers: [any Provider.Type]
  private let messages: [Message]
  private let verifications: [Verification]

  package init(of sandbox: Sandbox, providers: [any Provider.Type]) throws {
    self.sandbox = sandbox
    self.providers = providers
    messages = try sandbox.messages.submitted(.init(), limit: Self.messageLimit)
    verifications = try sandbox.verifications.newest(Self.verificationLimit).reversed()
  }

  package func pieces() -> BodyPieces { BodyPieces(parts()) }

  /// The document in pieces; nil after the last one.
  private func parts() -> () -> [UInt8]? {
    var parts = HTML.split(document)[...]
    var size = parts.reduce(0) { $0 + $1.count }
    // Nil once all requests are written.
    var next = sandbox.journal.exchanges(after: 0, limit: 1).first?.ordinal
    var undrawn = verifications.suffix(Self.diagramLimit)[...]
    let count = parts.count
    return {
      // The first gap is for the requests, the second one for the diagrams.
      if parts.count == count - 1, let first = next {
        let lines = requestLines(from: first, &next, written: size)
        size += lines.count
        return lines
      }
      if parts.count == count - 2, let verification = undrawn.popFirst() {
        let drawing = size < Self.lineLimit ? self.drawing(of: verification) : []
        size += drawing.count
        return drawing
      }
      return parts.popFirst()
    }
  }

  /// The next requests. Sets `next` to the one after them; nil at the end.
  private func requestLines(from first: Int, _ next: inout Int?, written: Int) -> [UInt8] {
    let exchanges = sandbox.journal.exchanges(after: first - 1, limit: Self.requestsPerPiece)
    next = exchanges.count < Self.requestsPerPiece ? nil : exchanges.last.map { $0.ordinal + 1 }
    var html = HTML()
    for exchange in exchanges {
      guard written + html.bytes.count < Self.lineLimit else {
        next = nil
        html.append(
          li { "From request \(exchange.ordinal) on, nothing is shown: the report would be too large." })
        return html.bytes
      }
      let line = ReportedRequest(
        MaskedExchange(exchange, in: sandbox), test: sandbox.journal.test(of: exchange.ordinal))
      html.append(line.html(withDetails: written + html.bytes.count < Self.detailLimit))
    }
    return html.bytes
  }

  /// A verification with its diagram, to unfold. One that was deleted meanwhile is left out.
  private func drawing(of verification: Verification) -> [UInt8] {
    let subject = Subject(.verification(verification))
    guard let history = try? History(subject, in: sandbox, providers: providers) else { return [] }
    let diagram = Diagram(of: history, title: ProviderMark.title(of:))
    let state = subject.state(at: history.now)
    let url = { (number: Int) -> String? in
      guard case .request(let ordinal) = diagram.step(number)?.target else { return nil }
      return "#request-\(ordinal)"
    }
    return details(
      .class(state == .approved ? "panel reported ok" : "panel reported"),
      .id("verification-\(verification.ordinal)"), .init("data-item", String(verification.ordinal))
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
    }.bytes
  }

  // MARK: The document

  private static let script = OwnCode(resource: PackageResources.report_js)

  private var document: [UInt8] {
    StandaloneDocument(title: "Report of \(sandbox.name)", script: Self.script).bytes {
      h1 { "Report of \(sandbox.name)" }
      p { "\(sandbox.clock.now.dateAndTime) on the sandbox's clock. \(counts)." }
      failedTests
      filterForm
      h2 { "Requests" }
      ol(.class("requests")) { HTML.gap }
      phones
      verificationTable
      HTML.gap
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

  private var phones: HTML {
    let byPhone = Dictionary(grouping: messages, by: \.destination)
    return HTML {
      h2 { "Phones" }
      if byPhone.isEmpty { p { "No message was sent." } }
      for phone in byPhone.keys.sorted() {
        h3 { phone }
        ol(.class("messages")) { for message in byPhone[phone] ?? [] { line(of: message) } }
      }
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
      if verifications.isEmpty { p { "No verification was started." } }
      if !verifications.isEmpty {
        div(.class("wide")) {
          table {
            thead {
              tr { for name in Self.columns { th(.init("scope", "col")) { name } } }
            }
            tbody { for verification in verifications { row(of: verification) } }
          }
        }
        h2 { "What happened in them" }
      }
    }
  }

  private static let columns = [
    "Started", "Provider", "Destination", "Channels", "State", "Code", "Checks",
  ]

  private func row(of verification: Verification) -> HTML {
    let cells = [
      verification.createdAt.timeOfDay, verification.claim.provider, verification.claim.destination,
      verification.attempts.all.map(\.channel.rawValue).joined(separator: ", "),
      verification.state(at: sandbox.clock.now).rawValue, verification.code, String(verification.checks),
    ]
    return tr(.init("data-item", String(verification.ordinal))) { for cell in cells { td { cell } } }
  }
}
