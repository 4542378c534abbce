import Control
import Markup
import ProviderKit

/// What happened, newest first: as stories, or as requests and events.
struct TimelinePage: Page {
  private enum Content {
    case stories(StoryFeed)
    case requests(Timeline)
  }

  let title = "Timeline"
  private let filter: TimelineFilter
  private let content: Content
  private let providers: [String]
  private let now: Timestamp
  /// True if there is something newer.
  private let isOlder: Bool

  private static let limit = 200

  init(_ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type], names: [String]) throws {
    filter = try TimelineFilter(request.query)
    now = sandbox.clock.now
    self.providers = names
    let before = try request.query["before"].flatMap(StoryPosition.init)
    isOlder = before != nil
    switch filter.view {
    case .stories:
      content = .stories(
        try StoryFeed(
          of: sandbox, filter, limit: Self.limit, before: before ?? .newest, providers: providers))
    case .requests:
      content = .requests(try Timeline(of: sandbox, filter, limit: Self.limit, before: before ?? .newest))
    }
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("page-head")) {
      h1 { "Timeline" }
      links(.class("seg"), .label("View"), to: TimelineFilter.View.allCases, title: \.title) {
        "?\(filter.query(in: $0))"
      } isCurrent: {
        $0 == filter.view
      }
      a(.class("button"), .href(layout.url("/console/follow"))) { "Follow on a projector" }
    }
    filter.form(providers: providers)
    switch content {
    case .stories(let feed):
      section(.class("panel story-panel"), .label("Stories")) {
        if feed.stories.isEmpty, filter.isEmpty, !isOlder {
          empty.html(layout)
        } else {
          p(.class("legend"), .init("aria-hidden", "true")) {
            for part in VerificationStory.parts { span { part } }
          }
          list(of: feed.stories, layout)
        }
      }
      further(feed.earlier)
    case .requests(let timeline):
      section(.class("card")) {
        if timeline.lines.isEmpty, filter.isEmpty, !isOlder {
          empty.html(layout)
        } else {
          TimelineList(timeline, layout).html
        }
      }
      further(timeline.earlier)
    }
  }

  @HTMLBuilder private func further(_ earlier: StoryPosition?) -> HTML {
    if isOlder || earlier != nil {
      p(.class("further")) {
        if isOlder { a(.href("?\(filter.query(in: filter.view))")) { "Newest" } }
        if let earlier { a(.href("?\(filter.query(in: filter.view))&before=\(earlier.text)")) { "Older" } }
      }
    }
  }

  private func list(of stories: [VerificationStory], _ layout: Layout) -> HTML {
    var list = StoryList(stories, now: now, layout)
    list.showsTimes = true
    list.placeholder = "Nothing matches."
    return list.html
  }

  private let empty = EmptyState(
    title: "Nothing happened yet",
    text: "What your app asks appears here at once: what was sent, what arrived, and what came of it.",
    waiting: "Waiting for the first request…")
}

/// A timeline as a list. The lines of one verification have the same mark, which leads to its page.
struct TimelineList {
  private let timeline: Timeline
  private let layout: Layout

  init(_ timeline: Timeline, _ layout: Layout) {
    self.timeline = timeline
    self.layout = layout
  }

  var html: HTML {
    ol(.class("requests"), .id("requests")) {
      if timeline.lines.isEmpty {
        li(.class("empty")) { "Nothing matches." }
      } else {
        li(.class("columns-head"), .init("aria-hidden", "true")) {
          for name in ["Time", "Operation", "Number", "Status", "Duration"] { span { name } }
        }
      }
      for (line, divider) in zip(timeline.lines, dividers) {
        divider
        switch line.entry {
        case .request(let exchange):
          RequestLine(exchange, verification: line.verification, destination: line.destination, layout).html
        case .event(let event): EventLine(event, verification: line.verification, layout).html
        }
      }
    }
  }
}

extension TimelineList {
  private var dividers: [HTML] { TimeDividers(timeline.lines.map(\.entry.at), layout).html }
}

extension Timeline.Entry {
  fileprivate var at: Timestamp {
    switch self {
    case .request(let exchange): exchange.at
    case .event(let event): event.at
    }
  }
}

/// A request in a list, with a link to its page.
struct RequestLine {
  private let request: Journal.Exchange
  private let verification: Int?
  private let destination: String?
  private let layout: Layout

  init(
    _ request: Journal.Exchange, verification: Int? = nil, destination: String? = nil, _ layout: Layout
  ) {
    self.request = request
    self.verification = verification
    self.destination = destination
    self.layout = layout
  }

  var html: HTML {
    li(
      .id("request-\(request.ordinal)"), .class(request.isRefused ? "refused" : "ok"),
      .init("data-item", String(request.ordinal))
    ) {
      VerificationMark(verification, layout).html
      a(.class("line"), .href(layout.url("/console/requests/\(request.ordinal)"))) {
        time(.init("datetime", request.at.iso8601)) { request.at.timeOfDay }
        " "
        ProviderMark(request.owner).html
        " "
        span(.class("what"), .title(request.route ?? "")) {
          request.operation ?? "\(request.method) \(request.shownTarget)"
        }
        if let destination { span(.class("about")) { " \(destination)" } }
        " "
        span(.class("status")) { request.status == 0 ? "none" : String(request.status) }
        " "
        span(.class("duration")) { request.delay > .zero ? request.delay.inWords : "" }
      }
      if let why = request.why { span(.class("why")) { Reason(why.firstLine, layout).html } }
    }
  }
}

/// An event in a list.
struct EventLine {
  private let event: Event
  private let verification: Int?
  private let layout: Layout

  init(_ event: Event, verification: Int? = nil, _ layout: Layout) {
    self.event = event
    self.verification = verification
    self.layout = layout
  }

  var html: HTML {
    li(.id("event-\(event.ordinal)"), .class("event")) {
      VerificationMark(verification, layout).html
      div(.class("line")) {
        time(.init("datetime", event.at.iso8601)) { event.at.timeOfDay }
        " "
        ProviderMark(event.provider).html
        " "
        span(.class("what")) { event.inWords }
        span(.class("about")) { " \(event.destination)" }
      }
    }
  }
}

/// A link to the verification of a line, in the colour that all its lines have.
struct VerificationMark {
  private let verification: Int?
  private let layout: Layout

  /// The number of classes `tone-0`, `tone-1`, … in the stylesheet.
  private static let tones = 7

  init(_ verification: Int?, _ layout: Layout) {
    self.verification = verification
    self.layout = layout
  }

  var html: HTML {
    HTML {
      if let verification {
        a(
          .class("tone tone-\(verification % Self.tones)"), .title("The verification"),
          .label("Verification \(verification)"),
          .href(layout.url("/console/verifications/\(verification)"))
        ) { "" }
      } else {
        span(.class("tone")) { "" }
      }
    }
  }
}

extension Journal.Exchange {
  /// Its operation in words: `Create verification`, `Fetch SNA check`.
  var operation: String? { route.map { $0.wordsOfName.capitalizedFirst } }

  /// Path and query, secrets masked.
  var shownTarget: String { Masking.common.target(target) }
}

extension String {
  /// `createVerification` as `create verification`. Abbreviations stay: `listSenderIDs` is `list sender IDs`.
  fileprivate var wordsOfName: String {
    let letters = Array(self)
    let isCapital = { letters.indices.contains($0) && letters[$0].isUppercase }
    var words = ""
    for (at, letter) in letters.enumerated() {
      // The `s` after an abbreviation does not begin a word with its last letter.
      let isPlural =
        isCapital(at - 1) && !isCapital(at + 2) && letters.indices.contains(at + 1) && letters[at + 1] == "s"
      let isInAbbreviation = isCapital(at) && (isCapital(at + 1) || isPlural || at + 1 == letters.count)
      let begins = isCapital(at) && (!isCapital(at - 1) || !isInAbbreviation)
      if begins, at > 0 { words.append(" ") }
      words += isInAbbreviation ? String(letter) : letter.lowercased()
    }
    return words
  }

  var firstLine: String { split(separator: "\n").first.map(String.init) ?? self }
}
