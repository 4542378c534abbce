import Domain
import HTTP
import Markup

/// The wall of handsets, with the newest requests next to it.
struct PhonesPage: Page {
  let title = "Phones"
  private let filter: PhoneFilter
  private let providers: [String]
  private let phones: [Phone]
  private let requests: Timeline

  /// Of all messages, the newest ones decide which handsets are shown and in which order.
  private static let messageLimit = 400
  /// Of all numbers with a record, in the order of the numbers.
  private static let recordLimit = 1000
  private static let phoneLimit = 60
  private static let sessionLimit = 100
  private static let messagesPerPhone = 3
  private static let requestLimit = 25

  init(_ request: Request, _ sandbox: Sandbox, providers: [String]) throws {
    let filter = try PhoneFilter(request.query)
    self.filter = filter
    self.providers = providers
    phones = try Self.owners(in: sandbox).lazy.filter { filter.matches($0) }.prefix(Self.phoneLimit)
      .map { try Phone($0, in: sandbox) }
    requests = try Timeline(of: sandbox, .requests, limit: Self.requestLimit)
  }

  /// Whoever received something, the newest first; then the other mobile numbers with a record.
  private static func owners(in sandbox: Sandbox) throws -> [HandsetOwner] {
    let messages = Dictionary(
      grouping: try sandbox.messages.submitted(.init(), limit: messageLimit), by: \.destination)
    let sessions = Dictionary(
      grouping: try sandbox.silentSessions.newest(sessionLimit), by: \.draft.number.description)
    let known = Set(messages.keys).union(sessions.keys)
    let active = try known.map { id in
      try HandsetOwner(id, messages[id] ?? [], sessions[id] ?? [], in: sandbox)
    }.sorted { $0.newestOrdinal > $1.newestOrdinal }
    let others = try sandbox.subscribers.page(after: "", limit: recordLimit)
      .filter { $0.lineType == .mobile && !known.contains($0.number.description) }
    return active + others.map(HandsetOwner.init)
  }

  func content(_ layout: Layout) -> HTML {
    h1(.class("visually-hidden")) { "Phones" }
    filter.form(providers: providers)
    div(.class("columns")) {
      section(.id("phones"), .class("wall"), .label("Phones")) {
        if phones.isEmpty { p(.class("empty")) { "No phone matches." } }
        for phone in phones { phone.card(layout, limit: Self.messagesPerPhone) }
      }
      aside(.id("recent"), .class("recent")) {
        h2 { a(.href(layout.url("/console/timeline"))) { "Timeline" } }
        TimelineList(requests, layout).html
      }
    }
  }
}
