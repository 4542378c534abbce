package import Control
import Markup
package import ProviderKit
import Snapshots

/// A verification as a file for a colleague or for us: what happened and why it failed, in one page that
/// needs no script, with the state in it that `ringfence open` restores.
package struct SharedVerification {
  private let subject: Subject
  private let history: History
  private let diagram: Diagram
  private let phone: LockScreen?
  /// The requests with their answers, the newest first.
  private let requests: [(details: RequestDetails, command: String)]
  private let versions: String

  /// Of the diagram.
  private static let rowLimit = 60
  /// Of the requests that are shown.
  private static let requestLimit = 12
  /// Of the bodies in the state, in bytes.
  private static let bodyLimit = 1 << 20
  /// The largest body that is shown: masking reads all of it.
  private static let shownBody = 32 << 10

  /// Nil if nothing has this ordinal. `version`: that of Ringfence.
  package static func file(
    _ ordinal: Int, _ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type], version: String
  ) throws -> SharedFile? {
    guard let subject = try Subject(ordinal, in: sandbox, providers: providers) else { return nil }
    let history = try History(subject, in: sandbox, providers: providers)
    let shared = try SharedVerification(history, request, sandbox, providers: providers, version)
    return SharedFile(try history.sharedPart(in: sandbox, providers, bodyLimit: bodyLimit)) {
      shared.document(state: $0)
    }
  }

  private init(
    _ history: History, _ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type],
    _ version: String
  ) throws {
    (self.history, subject) = (history, history.subject)
    diagram = Diagram(of: history, title: ProviderMark.title(of:))
    var phone = try LockScreen(of: history, in: sandbox)
    phone?.isLive = false
    self.phone = phone
    requests = try history.exchanges.suffix(Self.requestLimit).reversed().map { exchange in
      let details = try RequestDetails(exchange, request, sandbox, providers: providers)
      return (details, exchange.bodySizes.request <= Self.shownBody ? details.commandText : "(a large body)")
    }
    versions = "Ringfence \(version), tables of version \(DatabaseSchema.version)"
  }

  private var state: Verification.State { history.state }

  /// The newest request that failed; nil if none has.
  private var failure: (details: RequestDetails, command: String)? {
    requests.first { $0.details.exchange.hasFailed }
  }

  private func document(state packed: String?) -> [UInt8] {
    StandaloneDocument(title: "\(subject.shownDestination) \(state.rawValue)").bytes {
      div(.class("page-head")) {
        h1 { subject.shownDestination }
        span(.class(state.pill)) { state.rawValue }
        span(.class("soft")) {
          "\(ProviderMark.title(of: subject.provider)) · \(subject.way.capitalizedFirst) · "
          "started \(subject.createdAt.dateAndTime) UTC on the sandbox's clock"
        }
      }
      if let reason = failure?.details.exchange.why {
        section(.class("reason-box"), .label("Why")) { p { reason.capitalizedFirst } }
      }
      div(.class("shared")) {
        section(.class("panel sequence-panel"), .label("What happened")) {
          div(.class("sequence-scroll")) { drawing }
          DiagramList(diagram: diagram) { _ in nil }.html
        }
        if let phone { phone.html(nil) }
      }
      if let failure { exchange(failure, isOpen: true) }
      h2 { "All requests" }
      for each in requests { exchange(each, isOpen: false) }
      h2 { "About this file" }
      dl(.class("facts")) {
        Fact("Made by", versions).html
        Fact("Made at", "\(history.now.dateAndTime) UTC on the sandbox's clock").html
        if let id = history.ids.first { Fact("Id", id).html }
        Fact("Secrets", "are masked; credentials and keys are not in it").html
        dt { "Open" }
        dd { opening(hasState: packed != nil) }
      }
      if let packed { template(.id(SharedFile.elementID)) { packed } }
    }
  }

  private var drawing: HTML {
    DiagramDrawing(diagram: diagram, selection: nil, isOfPage: false, rowLimit: Self.rowLimit) { _ in nil }
      .html
  }

  @HTMLBuilder private func opening(hasState: Bool) -> HTML {
    if hasState {
      code { "ringfence open FILE" }
      " makes a sandbox with this state, or drop the file on the page Sandboxes"
    } else {
      "not possible: the state was too large for a file"
    }
  }

  private func exchange(_ shown: (details: RequestDetails, command: String), isOpen: Bool) -> HTML {
    let exchange = shown.details.exchange
    let status = exchange.status == 0 ? "none" : String(exchange.status)
    return details(.class("panel reported"), .init(flag: "open", isOpen)) {
      summary {
        "\(exchange.at.preciseTimeOfDay) \(exchange.requestSummary) "
        span(.class(exchange.hasFailed ? "pill bad" : "pill ok")) { status }
      }
      if let why = exchange.why { p(.class("why")) { why.shortened(to: 600) } }
      part(
        "Request", ["\(exchange.method) \(shown.details.masked.target)"] + shown.details.masked.requestHead,
        exchange.bodySizes.request
      ) { shown.details.masked.requestBody }
      part("Answer", shown.details.masked.responseHead, exchange.bodySizes.response) {
        shown.details.masked.responseBody
      }
      h3 { "curl" }
      pre { shown.command.shortened(to: Self.textLimit) }
    }
  }

  /// Of each text, in characters.
  private static let textLimit = 1500

  private func part(_ name: String, _ fields: [String], _ size: Int, _ text: () -> String) -> HTML {
    let shown = size <= Self.shownBody ? Indentation.indent(text()) : "(\(size) bytes)"
    return HTML {
      h3 { name }
      pre { (fields + ["", shown]).joined(separator: "\n").shortened(to: Self.textLimit) }
    }
  }
}

extension History {
  /// What a file about the subject has of the sandbox.
  fileprivate func sharedPart(
    in sandbox: Sandbox, _ providers: [any Provider.Type], bodyLimit: Int
  ) throws -> SharedPart {
    let masking = Masking(sandbox.secretNames(of: subject.provider))
    var ordinals: Set<Int> = [subject.ordinal]
    ordinals.formUnion(messages.map(\.ordinal))
    ordinals.formUnion(sessions.map(\.ordinal))
    ordinals.formUnion(challenges.map(\.ordinal))
    ordinals.formUnion(webhooks.map(\.webhook.ordinal))
    ordinals.formUnion(events.map(\.ordinal))
    var rest = bodyLimit
    let masked = exchanges.reversed().map { exchange in
      rest -= exchange.bodySizes.request + exchange.bodySizes.response
      return MaskedExchange(exchange, in: sandbox).shared(withBodies: rest >= 0)
    }
    return try SharedPart(
      of: sandbox, providers: providers.map { $0.name }, provider: subject.provider,
      destination: subject.destination, ordinals: ordinals, ids: ids, exchanges: masked.reversed(),
      masking: SharedPart.Masks(url: masking.target, body: { masking.body($0) }))
  }
}

extension MaskedExchange {
  /// The same request without its secrets.
  fileprivate func shared(withBodies hasBodies: Bool) -> Journal.Exchange {
    let lines = { (fields: [String]) in Array(fields.map { $0 + "\r\n" }.joined().utf8) }
    return Journal.Exchange(
      at: exchange.at, owner: exchange.owner, route: exchange.route, method: exchange.method, target: target,
      requestHead: lines(requestHead), requestBody: hasBodies ? Array(requestBody.utf8) : [],
      status: exchange.status, responseHead: lines(responseHead),
      responseBody: hasBodies ? Array(responseBody.utf8) : [], why: exchange.reason, unread: exchange.unread,
      nearest: exchange.nearest, effects: exchange.effects, delay: exchange.delay)
  }
}
