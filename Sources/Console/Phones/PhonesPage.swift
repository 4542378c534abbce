import Markup
import ProviderKit

/// The wall of handsets, with the newest verifications next to it.
struct PhonesPage: Page {
  /// A tab that is not in sight shows the newest code, too.
  var title: String { phones.first?.liveCode.map { "\($0) · Phones" } ?? "Phones" }

  private let filter: PhoneFilter
  private let view: PhonesView
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
  /// Those that can send a test code, that of the workshop first.
  private let testCodeProviders: [String]
  /// The ordinal before which there are more phones; nil if all are shown.
  private let earlier: Int?
  /// True if there are newer ones.
  private let isOlder: Bool

  /// So many of the newest messages are read as a whole.
  static let messageLimit = 400
  /// So many decide which handsets are shown and in which order; older ones are on further pages.
  static let searchedMessages = 4000
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
    view = try KeptChoice<PhonesView>(request, PhonesView.field).value ?? .cards
    self.providers = names
    self.appProviders = appProviders
    now = sandbox.clock.now
    let workshop = try sandbox.workshopPlace?.workshop
    testCodeProviders = sandbox.testCodeProviders.sorted {
      $0 == workshop?.flavour && $1 != workshop?.flavour
    }
    let before = try request.query["before"].flatMap(Int.init)
    isOlder = before != nil
    var (owners, oldest) = try Self.owners(in: sandbox, before: before ?? .max, filter, providers)
    var others: [HandsetOwner] = []
    if let workshop, filter.isEmpty, before == nil {
      (owners, others) = try Self.split(owners, by: workshop, in: sandbox)
    }
    let shown = owners.prefix(Self.phoneLimit)
    earlier = shown.count < owners.count ? shown.last { $0.isActive }?.newestOrdinal ?? oldest : oldest
    phones = try shown.filter(\.isActive).map { try Phone($0, in: sandbox) }
    quietPhones = try shown.filter { !$0.isActive }.map { try Phone($0, in: sandbox) }
    otherPhones = try others.prefix(Self.phoneLimit).map { try Phone($0, in: sandbox) }
    stories = try StoryFeed(of: sandbox, limit: Self.storyLimit, providers: providers).stories
  }

  /// Whoever received or sent something before an ordinal, and nothing since: the newest first. Then the
  /// other mobile numbers with a record. Returns also the ordinal before which nobody has looked.
  private static func owners(
    in sandbox: Sandbox, before: Int, _ filter: PhoneFilter, _ providers: [any Provider.Type]
  ) throws -> (owners: [HandsetOwner], oldest: Int?) {
    let found = try sandbox.messages.phones(
      before: before, amongNewest: searchedMessages, with: filter.textInMessages, filter.messages)
    let counts = Dictionary(found.phones.map { ($0.id, $0.count) }) { first, _ in first }
    var all = Messages.Filter()
    all.before = before
    let newest = try sandbox.messages.submitted(all, limit: messageLimit).filter { !$0.isRemoved }
    let messages = Dictionary(grouping: newest.filter { !$0.isFromHandset }, by: \.destination)
    let sent = Dictionary(grouping: newest.filter(\.isFromHandset), by: \.sender)
    let named = try sandbox.silentSessions.newest(sessionLimit).filter { $0.number != nil }
    let sessions = Dictionary(grouping: named) { $0.number?.description ?? "" }
    let challenges = Dictionary(
      grouping: try sandbox.challenges.withoutPush(limit: challengeLimit), by: \.holder)
    let known = Set(messages.keys).union(sent.keys).union(sessions.keys).union(challenges.keys)
    var active = try known.map { id in
      try HandsetOwner(
        id, messages[id] ?? [], sent: sent[id] ?? [], sessions[id] ?? [], challenges[id] ?? [], in: sandbox,
        providers: providers)
    }.filter { filter.matches($0) && $0.newestOrdinal < before }
    let shown = Set(active.map(\.id))
    active += try found.phones.filter { !shown.contains($0.id) }.prefix(phoneLimit + 1).map {
      try owner($0.id, before: before, in: sandbox, providers)
    }
    if before != .max { active = try active.filter { try !hasMessages($0.id, from: before, in: sandbox) } }
    if filter.isEmpty, found.oldest == nil {
      for place in active.indices { active[place].messageCount = counts[active[place].id] ?? 0 }
    }
    active.sort { $0.newestOrdinal > $1.newestOrdinal }
    guard before == .max else { return (active, found.oldest) }
    var others = try sandbox.subscribers.page(after: "", limit: recordLimit)
      .filter { $0.lineType == .mobile && !known.contains($0.number.description) }
      .map(HandsetOwner.init).filter { !counts.keys.contains($0.id) && filter.matches($0) }
    if found.oldest != nil {
      others = try others.prefix(phoneLimit).filter { try !hasMessages($0.id, from: 0, in: sandbox) }
    }
    return (active + others, found.oldest)
  }

  /// A phone whose messages are older than those that were read.
  private static func owner(
    _ id: String, before: Int, in sandbox: Sandbox, _ providers: [any Provider.Type]
  ) throws -> HandsetOwner {
    var own = Messages.Filter()
    (own.destination, own.before) = (id, before)
    let messages = try sandbox.messages.submitted(own, limit: messagesPerPhone + 1).filter { !$0.isRemoved }
    return try HandsetOwner(id, messages, sent: [], [], [], in: sandbox, providers: providers)
  }

  private static func hasMessages(_ id: String, from ordinal: Int, in sandbox: Sandbox) throws -> Bool {
    var own = Messages.Filter()
    (own.destination, own.after) = (id, ordinal - 1)
    return try !sandbox.messages.submitted(own, limit: 1).isEmpty
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
      h1 { "Phones" }
      if !phones.isEmpty {
        span(.class("pill live")) { "\(count) active" }
        links(.class("seg"), .label("View"), to: PhonesView.allCases, title: \.title) {
          "?\(filter.query)\(PhonesView.field)=\($0.rawValue)"
        } isCurrent: {
          $0 == view
        }
      }
      p(.class("actions")) {
        if !phones.isEmpty, !testCodeProviders.isEmpty {
          button(.type("button"), .init("data-open", Self.testCode)) { "Send a test code" }
        }
        ActionButton.clearInboxes(layout).html
        button(.type("button"), .class("primary"), .init("data-open", AddPhoneForm.id)) { "Add a phone" }
      }
    }
    filter.form(providers: providers, view)
    div(.class(view == .list && !phones.isEmpty ? "columns whole" : "columns")) {
      div {
        // The script shows it while the order of the phones is held.
        button(.type("button"), .id("newer"), .class("newer"), .init(flag: "hidden")) { "New ↑" }
        if view == .list, !phones.isEmpty {
          MessageList(phones, limit: Self.messagesPerPhone, layout).html
        } else {
          section(.id("phones"), .class("wall"), .label("Phones")) {
            for phone in phones { phone.card(layout, limit: Self.messagesPerPhone) }
            if phones.isEmpty { emptyWall(layout) }
          }
        }
        if isOlder || earlier != nil {
          p(.class("further")) {
            if isOlder { a(.href(layout.url("/"))) { "Newest phones" } }
            if let earlier { a(.href("?\(filter.query)before=\(earlier)")) { "Older phones" } }
          }
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
    if !phones.isEmpty {
      dialog(
        .id(Self.testCode), .init("aria-labelledby", "\(Self.testCode)-title"), .init(flag: "data-kept")
      ) {
        h2(.id("\(Self.testCode)-title")) { "Send a test code" }
        TestCodeForm(layout, providers: testCodeProviders).html
        p(.class("actions")) { button(.type("button"), .init("data-close", Self.testCode)) { "Close" } }
      }
    }
  }

  private static let testCode = "send-test-code"

  /// Of the whole sandbox where nothing is filtered, as in the rail.
  private var count: String { earlier == nil ? String(phones.count) : "\(phones.count)+" }

  /// The content without phones: what will be here, and how to begin.
  private func emptyWall(_ layout: Layout) -> HTML {
    div(.class("panel nothing")) {
      if !filter.isEmpty {
        p(.class("empty")) {
          earlier == nil
            ? "No phone matches."
            : "No phone matches among \(Self.searchedMessages) messages: see older ones."
        }
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
