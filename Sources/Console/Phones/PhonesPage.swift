import Markup
import ProviderKit

/// The wall of handsets, with the newest verifications next to it.
struct PhonesPage: Page {
  let title = "Phones"
  private let filter: PhoneFilter
  private let providers: [String]
  /// The providers with an app that can be on a phone.
  private let appProviders: [String]
  /// Those with something on them.
  private let phones: [Phone]
  /// Those with nothing on them; in a workshop, only those that a task names.
  private let quietPhones: [Phone]
  /// In a workshop, those without messages that no task names.
  private let otherPhones: [Phone]
  private let stories: [VerificationStory]
  private let now: Timestamp
  /// Those that can send a test code.
  private let testCodeProviders: [String]

  /// Of all messages, the newest ones decide which handsets are shown and in which order.
  static let messageLimit = 400
  /// Of all numbers with a record, in the order of the numbers.
  private static let recordLimit = 1000
  private static let phoneLimit = 60
  private static let sessionLimit = 100
  private static let challengeLimit = 100
  private static let messagesPerPhone = 3
  private static let storyLimit = 25

  init(
    _ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type], names: [String],
    appProviders: [String]
  ) throws {
    let filter = try PhoneFilter(request.query)
    self.filter = filter
    self.providers = names
    self.appProviders = appProviders
    now = sandbox.clock.now
    testCodeProviders = sandbox.testCodeProviders
    var owners = try Self.owners(in: sandbox, providers)
    var others: [HandsetOwner] = []
    if let workshop = try sandbox.workshopPlace?.workshop, filter.isEmpty {
      (owners, others) = try Self.split(owners, by: workshop, in: sandbox)
    }
    let shown = owners.lazy.filter { filter.matches($0) }.prefix(Self.phoneLimit)
    phones = try shown.filter(\.isActive).map { try Phone($0, in: sandbox) }
    quietPhones = try shown.filter { !$0.isActive }.map { try Phone($0, in: sandbox) }
    otherPhones = try others.prefix(Self.phoneLimit).map { try Phone($0, in: sandbox) }
    stories = try StoryFeed(of: sandbox, limit: Self.storyLimit, providers: providers).stories
  }

  /// Whoever received or sent something, the newest first; then the other mobile numbers with a record.
  private static func owners(
    in sandbox: Sandbox, _ providers: [any Provider.Type]
  ) throws -> [HandsetOwner] {
    let newest = try sandbox.messages.submitted(.init(), limit: messageLimit).filter { !$0.isRemoved }
    let messages = Dictionary(grouping: newest.filter { !$0.isFromHandset }, by: \.destination)
    let sent = Dictionary(grouping: newest.filter(\.isFromHandset), by: \.sender)
    let named = try sandbox.silentSessions.newest(sessionLimit).filter { $0.number != nil }
    let sessions = Dictionary(grouping: named) { $0.number?.description ?? "" }
    let challenges = Dictionary(
      grouping: try sandbox.challenges.withoutPush(limit: challengeLimit), by: \.holder)
    let known = Set(messages.keys).union(sent.keys).union(sessions.keys).union(challenges.keys)
    let active = try known.map { id in
      try HandsetOwner(
        id, messages[id] ?? [], sent: sent[id] ?? [], sessions[id] ?? [], challenges[id] ?? [], in: sandbox,
        providers: providers)
    }.sorted { $0.newestOrdinal > $1.newestOrdinal }
    let others = try sandbox.subscribers.page(after: "", limit: recordLimit)
      .filter { $0.lineType == .mobile && !known.contains($0.number.description) }
    return active + others.map(HandsetOwner.init)
  }

  /// The phones that the tasks name come first, also without a record; then those with messages. Returns the
  /// rest apart.
  private static func split(
    _ owners: [HandsetOwner], by workshop: Workshop, in sandbox: Sandbox
  ) throws -> (shown: [HandsetOwner], others: [HandsetOwner]) {
    let numbers = workshop.phoneNumbers
    let ids = Set(numbers.map(\.description))
    let present = Set(owners.map(\.id))
    let named = owners.filter { ids.contains($0.id) }
    let silent = try numbers.filter { !present.contains($0.description) }
      .map { HandsetOwner(try sandbox.subscribers[$0]) }
    let rest = owners.filter { !ids.contains($0.id) }
    return (named + silent + rest.filter(\.isActive), rest.filter { !$0.isActive })
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("page-head")) {
      h1 { title }
      if !phones.isEmpty { span(.class("pill live")) { "\(phones.count) active" } }
      p(.class("actions")) {
        clearButton(layout)
        button(.type("button"), .class("primary"), .init("data-open", AddPhoneForm.id)) { "Add a phone" }
      }
    }
    filter.form(providers: providers)
    div(.class("columns")) {
      div {
        section(.id("phones"), .class("wall"), .label("Phones")) {
          for phone in phones { phone.card(layout, limit: Self.messagesPerPhone) }
          if phones.isEmpty { emptyWall(layout) }
        }
        if !quietPhones.isEmpty {
          section(.id("quiet-phones"), .class("quiet-phones")) {
            h2 { "Quiet phones" }
            ul(.class("plain")) { for phone in quietPhones { phone.quietLine(layout) } }
          }
        }
        if !otherPhones.isEmpty {
          details(.id("other-phones"), .class("other")) {
            summary { "Other phones (\(otherPhones.count))" }
            ul(.class("plain")) { for phone in otherPhones { phone.quietLine(layout) } }
          }
        }
      }
      aside(.id("recent"), .class("panel"), .label("Verifications")) {
        div(.class("aside-head")) {
          h2 { "Verifications" }
          a(.href(layout.url("/console/timeline"))) { "Timeline →" }
        }
        StoryList(stories, now: now, layout).html
      }
    }
    AddPhoneForm(layout, providers: appProviders).html
  }

  private func clearButton(_ layout: Layout) -> HTML {
    var button = ActionButton("Clear inboxes", delete: [layout.url("/control/inbox")])
    button.question = "Empty all inboxes? The messages are deleted."
    return button.html
  }

  /// The content without phones: what will be here, and how to begin.
  private func emptyWall(_ layout: Layout) -> HTML {
    div(.class("panel nothing")) {
      if !filter.isEmpty {
        p(.class("empty")) { "No phone matches." }
      } else {
        h2 { "No message yet" }
        p(.class("soft")) {
          "Texts, calls and pushes that your app causes appear here at once, with their codes."
        }
        if !testCodeProviders.isEmpty { TestCodeForm(layout, providers: testCodeProviders).html }
        p { a(.href(layout.url("/console/connect"))) { "Connect your app" } }
        p(.class("waiting")) { "Waiting for the first message…" }
      }
    }
  }
}
