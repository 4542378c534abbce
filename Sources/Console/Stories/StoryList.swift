import Basics
import Markup

/// Stories as a list, newest first.
struct StoryList {
  private let stories: [VerificationStory]
  private let now: Timestamp
  private let layout: Layout
  /// True for the time of each, false for its age.
  var showsTimes = false
  /// Without stories.
  var placeholder = "Nothing yet."

  init(_ stories: [VerificationStory], now: Timestamp, _ layout: Layout) {
    (self.stories, self.now, self.layout) = (stories, now, layout)
  }

  var html: HTML {
    ol(.class("stories"), .id("stories")) {
      if stories.isEmpty { li(.class("empty")) { placeholder } }
      for (story, divider) in zip(stories, dividers) {
        divider
        html(of: story)
      }
    }
  }

  private var dividers: [HTML] {
    showsTimes
      ? TimeDividers(stories.map(\.at), layout).html : Array(repeating: HTML(), count: stories.count)
  }

  private func html(of story: VerificationStory) -> HTML {
    li(.id(story.id), .class(story.isRefused ? "story refused" : "story"), .init("data-item", story.id)) {
      a(.href(layout.url(story.path))) {
        span(.class("story-head")) {
          ProviderMark(story.provider, story.provider.isEmpty ? "Unknown path" : nil).html
          " "
          span(.class(story.pill)) { story.state }
          " "
          time(.init("datetime", story.at.iso8601), .title(story.at.dateAndTime)) {
            showsTimes ? story.at.timeOfDay : story.at.age(at: now)
          }
        }
        if let destination = story.destination {
          span(.class("story-number")) {
            destination
            if let way = story.way { span(.class("dim")) { " \(way)" } }
          }
        }
      }
      if !story.progress.isEmpty { dots(story) }
      if let reason = story.reason { p(.class("why")) { Reason(reason, layout).html } }
    }
  }

  /// The name of each dot says the same as its colour.
  private func dots(_ story: VerificationStory) -> HTML {
    let names = zip(story.parts, story.progress).map { "\($0) \($1.inWords)" }.joined(separator: ", ")
    return span(.class("dots"), .init("role", "img"), .label(names), .title(names)) {
      for part in story.progress { span(.class("dot-\(part.rawValue)")) { "" } }
    }
  }
}

extension VerificationStory.Progress {
  fileprivate var inWords: String {
    switch self {
    case .done: "done"
    case .failed: "failed"
    case .waiting: "in progress"
    case .ahead: "not yet"
    }
  }
}

extension Timestamp {
  /// `now`, `2 min`, `3 h`
  func age(at now: Timestamp) -> String {
    let text = ago(at: now)
    return text == "just now" ? "now" : text.replacing(" ago", with: "")
  }
}
