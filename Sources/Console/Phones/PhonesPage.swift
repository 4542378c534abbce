import Domain
import HTTP
import Markup

/// The wall of handsets, with the newest requests next to it.
struct PhonesPage: Page {
  let title = "Phones"
  private let filter: String
  private let phones: [Phone]
  private let requests: [Journal.Exchange]

  /// Of all messages, the newest ones decide which handsets are shown and in which order.
  private static let messageLimit = 400
  /// Of all numbers with a record, in the order of the numbers.
  private static let recordLimit = 1000
  private static let phoneLimit = 60
  private static let messagesPerPhone = 3
  private static let requestLimit = 25

  init(_ request: Request, _ sandbox: Sandbox) throws {
    filter = try request.query["filter"] ?? ""
    let text = filter.lowercased()
    phones = try Self.owners(in: sandbox).lazy.filter { $0.matches(text) }.prefix(Self.phoneLimit)
      .map { try Phone($0, in: sandbox) }
    requests = Array(sandbox.journal.newestFirst.prefix(Self.requestLimit))
  }

  /// Whoever got a message, the newest message first; then the other mobile numbers with a record.
  private static func owners(in sandbox: Sandbox) throws -> [HandsetOwner] {
    let messages = try sandbox.messages.submitted(.init(), limit: messageLimit)
    let active = try Dictionary(grouping: messages, by: \.destination)
      .map { try HandsetOwner($0.key, messages: $0.value, in: sandbox) }
      .sorted { $0.newestMessage > $1.newestMessage }
    let known = Set(active.map(\.id))
    let others = try sandbox.subscribers.page(after: "", limit: recordLimit)
      .filter { $0.lineType == .mobile && !known.contains($0.number.description) }
    return active + others.map(HandsetOwner.init)
  }

  func content(_ layout: Layout) -> HTML {
    h1(.class("visually-hidden")) { "Phones" }
    FilterForm(text: filter, hint: "number, provider, channel or text").html
    div(.class("columns")) {
      section(.id("phones"), .class("wall"), .label("Phones")) {
        if phones.isEmpty { p(.class("empty")) { "No phone matches." } }
        for phone in phones { phone.card(layout, limit: Self.messagesPerPhone) }
      }
      aside(.id("recent"), .class("recent")) {
        h2 { a(.href(layout.url("/console/timeline"))) { "Timeline" } }
        RequestList(requests, layout).html
      }
    }
  }
}
