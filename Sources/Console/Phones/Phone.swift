import Markup
import ProviderKit

/// Something on a handset.
protocol PhoneBubble {
  var ordinal: Int { get }
  var at: Timestamp { get }
  /// True if it shows a code that can be entered.
  var hasCode: Bool { get }
  /// The code while it can be entered.
  var liveCode: String? { get }
  /// `isNewest`: marks the code as the newest of several.
  func html(_ layout: Layout, isNewest: Bool, in place: BubblePlace) -> HTML
}

/// Where something on a handset is shown: on its card, or in a list of the messages of all phones.
enum BubblePlace {
  case card
  /// With a link to the phone; `now` is the sandbox's time.
  case list(phone: HTML, now: Timestamp)

  private static let lineLength = 80

  /// The name of the phone; empty on its card.
  var phone: HTML { if case .list(let phone, _) = self { phone } else { HTML() } }

  /// `10:20:30`; in a list with the day, if that is another one.
  func words(for time: Timestamp) -> String {
    guard case .list(_, let now) = self, time.iso8601.prefix(10) != now.iso8601.prefix(10) else {
      return time.timeOfDay
    }
    return time.dateAndTime
  }

  /// A whole text on a card, and as much as a line has in a list.
  func text(_ text: String) -> HTML {
    guard case .list = self else { return p(.class("text"), .init("dir", "auto")) { text } }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return p(.class("text"), .init("dir", "auto"), .title(text)) { line.shortened(to: Self.lineLength) }
  }
}

extension PhoneBubble {
  var liveCode: String? { nil }
}

struct Phone {
  private let owner: HandsetOwner
  /// Oldest first.
  let bubbles: [any PhoneBubble]
  private let now: Timestamp

  init(_ owner: HandsetOwner, in sandbox: Sandbox) throws {
    self.owner = owner
    now = sandbox.clock.now
    let time = now
    let messages: [any PhoneBubble] = try owner.messages.map { try Bubble($0, in: sandbox) }
    let others: [any PhoneBubble] =
      owner.sessions.map { SilentBubble($0, now: time) }
      + owner.challenges.map { ChallengeBubble($0, now: time) } + owner.sent.map { SentBubble($0) }
    bubbles = (messages + others).sorted { $0.ordinal < $1.ordinal }
  }

  var name: String { owner.name }

  func lockScreen(in sandbox: Sandbox) throws -> LockScreen { try LockScreen(owner, in: sandbox) }

  /// A card on the wall. `limit`: of the messages that are shown, the newest ones.
  func card(_ layout: Layout, limit: Int) -> HTML {
    let others = owner.sessions.count + owner.challenges.count
    let rest = (owner.messageCount.map { $0 + others } ?? bubbles.count) - min(limit, bubbles.count)
    let text = owner.messageCount == nil ? "Earlier messages" : "\(rest) earlier"
    return card(
      layout, bubbles.suffix(limit), earlier: rest > 0 ? (text, address(layout)) : nil,
      heading: h2 { a(.href(address(layout))) { name } })
  }

  /// The card that is a page's subject, with all messages. `senders`: suggestions for the receiver of a text.
  /// `earlier`: the ordinal before which there are more.
  func page(_ layout: Layout, senders: [String], earlier: Int?) -> HTML {
    card(
      layout, bubbles[...], senders: senders,
      earlier: earlier.map { ("Earlier messages", "\(address(layout))?before=\($0)") }, heading: h1 { name })
  }

  private func card(
    _ layout: Layout, _ shown: ArraySlice<any PhoneBubble>, senders: [String]? = nil,
    earlier: (text: String, href: String)?, heading: HTML
  ) -> HTML {
    article(
      .class("phone"), .id("phone-\(owner.id)"), .init("data-item", owner.id), .init("tabindex", "-1")
    ) {
      header {
        p(.class("status-line")) {
          time(.init(flag: "data-time")) { now.hourAndMinute }
          span { network }
        }
        div(.class("name")) {
          heading
          button(
            .type("button"), .class("quiet pin"), .init("data-pin", owner.id), .init("data-key", "p"),
            .init("aria-pressed", "false"), .label("Pin \(name)")
          ) { "Pin" }
        }
        if name != owner.id { p(.class("line")) { line } }
        if let subscriber = owner.subscriber { badges(of: subscriber) }
      }
      if let earlier {
        p(.class("earlier")) { a(.href(earlier.href)) { earlier.text } }
      }
      if !shown.isEmpty {
        ol(.class("messages"), .label("Messages")) {
          for (bubble, divider) in zip(shown, dividers(of: shown, layout)) {
            divider
            bubble.html(layout, isNewest: bubble.ordinal == newestCode, in: .card)
          }
        }
      }
      if owner.subscriber != nil {
        // A reply needs a message to answer.
        if let senders { writeForm(layout, senders) } else if !owner.messages.isEmpty { replyForm(layout) }
      }
    }
  }

  private func dividers(of shown: ArraySlice<any PhoneBubble>, _ layout: Layout) -> [HTML] {
    var dividers = TimeDividers(shown.map(\.at), layout)
    dividers.beginsWithDay = false
    return dividers.html
  }

  /// One line of a list, for something on the phone.
  func line(_ layout: Layout, _ bubble: any PhoneBubble) -> HTML {
    let link = a(.class("of-phone"), .href(address(layout))) { name }
    return bubble.html(layout, isNewest: bubble.ordinal == newestCode, in: .list(phone: link, now: now))
  }

  /// One line, for a phone that received nothing.
  func quietLine(_ layout: Layout) -> HTML {
    li(.class("quiet"), .id("phone-\(owner.id)"), .init("data-item", owner.id)) {
      a(.href(address(layout))) { owner.subscriber?.number.internationalFormat ?? owner.id }
      if let country = owner.subscriber?.country { span(.class("dim")) { country } }
      if let subscriber = owner.subscriber { badges(of: subscriber) }
    }
  }

  /// `Sandpiper Mobile · roaming`
  private var network: String {
    guard let subscriber = owner.subscriber else { return "" }
    return subscriber.operatorName + (subscriber.roaming.isOn ? " · roaming" : "")
  }

  /// `+1 202 555 0100 · US`
  private var line: String {
    [owner.subscriber?.number.internationalFormat ?? owner.id.shortened(to: 40), owner.subscriber?.country]
      .compactMap(\.self).joined(separator: " · ")
  }

  /// The newest code, while it can be entered.
  var liveCode: String? { bubbles.last(where: \.hasCode)?.liveCode }

  /// The ordinal of the newest message with a code; nil if there are fewer than two.
  private var newestCode: Int? {
    let withCode = bubbles.filter(\.hasCode)
    return withCode.count > 1 ? withCode.last?.ordinal : nil
  }

  private func address(_ layout: Layout) -> String {
    layout.url("/console/phones/\(PercentCoding.encode(owner.id))")
  }

  private func badges(of subscriber: Subscriber) -> HTML {
    let badges = subscriber.badges(at: now)
    return HTML {
      if !badges.isEmpty {
        ul(.class("badges")) { for badge in badges { li(.class("pill warn")) { badge } } }
      }
    }
  }

  private func replyURL(_ layout: Layout) -> String {
    layout.url("/control/inbox/\(PercentCoding.encode(owner.id))/reply")
  }

  /// A text to any sender; that of the newest message is entered.
  private func writeForm(_ layout: Layout, _ senders: [String]) -> HTML {
    form(.class("reply write"), .init("data-post", replyURL(layout))) {
      field("To") {
        input(
          .name("to"), .value(owner.messages.last?.sender ?? ""), .init("list", "senders"),
          .init("placeholder", "a number, short code or name"), .init(flag: "required"),
          .init("autocomplete", "off"))
      }
      datalist(.id("senders")) { for sender in senders { option(.value(sender)) { "" } } }
      input(
        .name("text"), .label("Text from \(name)"), .init("placeholder", "Text"), .init(flag: "required"),
        .init("autocomplete", "off"))
      button(.type("submit")) { "Send" }
    }
  }

  private func replyForm(_ layout: Layout) -> HTML {
    form(.class("reply"), .init("data-post", replyURL(layout))) {
      input(
        .name("text"), .label("Reply from \(name)"), .init("placeholder", "Reply"), .init(flag: "required"),
        .init("autocomplete", "off"))
      button(.type("submit")) { "Send" }
    }
  }
}

extension Subscriber {
  /// Each property in which this line differs from an ordinary one, in a few words.
  func badges(at now: Timestamp) -> [String] {
    var badges: [String] = []
    if lineType != .mobile { badges.append(lineType.rawValue.replacing("_", with: " ")) }
    if isDeactivated(at: now) { badges.append("out of service") }
    if suspended { badges.append("suspended") }
    if simCard == .missing { badges.append("no SIM card") }
    if simCard == .neverConnected { badges.append("never connected") }
    if roaming.isOn { badges.append("roaming") }
    if !reach.sms { badges.append("no texts") }
    if !reach.data { badges.append("no data") }
    if ported { badges.append("ported") }
    if let swap = simSwaps.last { badges.append("SIM swapped \(swap.ago(at: now))") }
    if !optOut.isEmpty { badges.append("opted out") }
    return badges
  }
}

extension Timestamp {
  /// `2 h ago`
  func ago(at now: Timestamp) -> String {
    let seconds = max(0, (now - self).wholeSeconds)
    return switch seconds {
    case ..<60: "just now"
    case ..<3600: "\(seconds / 60) min ago"
    case ..<86_400: "\(seconds / 3600) h ago"
    default: "\(seconds / 86_400) d ago"
    }
  }
}
