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
  private static let phoneLimit = 60
  private static let messagesPerPhone = 3
  private static let requestLimit = 25

  init(_ request: Request, _ sandbox: Sandbox) throws {
    filter = try request.query["filter"] ?? ""
    let messages = try sandbox.messages.submitted(.init(), limit: Self.messageLimit)
    let byDestination = Dictionary(grouping: messages, by: \.destination)
    let recorded = try sandbox.subscribers.page(after: "", limit: Self.phoneLimit)
      .filter { $0.lineType == .mobile }.map(\.number.description)
    let active = byDestination.keys.sorted { one, other in
      let (last, otherLast) = (
        byDestination[one]?.last?.ordinal ?? 0, byDestination[other]?.last?.ordinal ?? 0
      )
      return last > otherLast
    }
    let all = active + recorded.filter { byDestination[$0] == nil }
    let wanted = filter
    phones = try all.prefix(Self.phoneLimit).map { holder in
      try Phone(holder, messages: byDestination[holder] ?? [], in: sandbox)
    }.filter { $0.matches(wanted) }
    requests = sandbox.journal.exchanges(after: 0).suffix(Self.requestLimit).reversed()
  }

  func content(_ layout: Layout) -> HTML {
    h1(.class("visually-hidden")) { "Phones" }
    form(.class("filter"), .init("role", "search")) {
      label(.init("for", "filter")) { "Filter" }
      input(
        .type("search"), .id("filter"), .name("filter"), .value(filter), .init("data-key", "/"),
        .init("placeholder", "number, provider, channel or text"))
    }
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

/// One handset, full screen: for a real phone that plays this one.
struct PhonePage: Page {
  private let phone: Phone
  private let verifications: [Verification]
  private let now: Timestamp

  var title: String { phone.name }

  private static let messageLimit = 100
  /// For each provider.
  private static let verificationLimit = 5

  init(_ request: Request, _ sandbox: Sandbox, providers: [String]) throws {
    let holder = request[parameter: "number"]
    var filter = Messages.Filter()
    filter.destination = holder
    let messages = try sandbox.messages.submitted(filter, limit: Self.messageLimit)
    guard !messages.isEmpty || PhoneNumber(holder) != nil else {
      throw try NotFound("phone \(holder)", request, sandbox)
    }
    phone = try Phone(holder, messages: messages, in: sandbox)
    now = sandbox.clock.now
    verifications = try providers.flatMap {
      try sandbox.verifications.list($0, of: holder, before: .max, limit: Self.verificationLimit)
    }.sorted { $0.ordinal > $1.ordinal }
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("single")) {
      section(.id("phones"), .label("Phone")) { phone.card(layout) }
      if !verifications.isEmpty {
        section(.class("recent"), .id("verifications")) {
          h2 { "Verifications" }
          ul(.class("requests")) { for verification in verifications { line(of: verification, layout) } }
        }
      }
    }
  }

  private func line(of verification: Verification, _ layout: Layout) -> HTML {
    li(.id("verification-\(verification.ordinal)")) {
      a(.href(layout.url("/console/verifications/\(verification.ordinal)"))) {
        time(.init("datetime", verification.createdAt.iso8601)) { verification.createdAt.timeOfDay }
        " \(verification.claim.provider) \(verification.channel.rawValue): "
        strong { verification.state(at: now).rawValue }
      }
    }
  }
}
