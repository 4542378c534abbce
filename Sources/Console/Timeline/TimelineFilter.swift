import Markup
import ProviderKit

/// Selects lines of the timeline. It is part of the page's address, so a view can be shared.
struct TimelineFilter {
  enum Show: String, CaseIterable {
    case everything
    case requests
    case refusals
    case events
    case webhooks
  }

  /// How the timeline is shown.
  enum View: String, CaseIterable {
    /// One entry for each verification.
    case stories
    /// One line for each request and event.
    case requests

    var title: String { self == .stories ? "Stories" : "By request" }
  }

  let view: View
  /// Nil: all lines.
  let text: CaselessSearch?
  /// Nil: those of all providers.
  let provider: String?
  let show: Show
  /// The text as it was entered.
  private let entered: String

  init(_ query: Form) {
    entered = query["filter"] ?? ""
    text = entered.isEmpty ? nil : CaselessSearch(for: entered)
    let provider = query["provider"] ?? ""
    self.provider = provider.isEmpty ? nil : provider
    let chosen = query["show"].flatMap(Show.init)
    // A choice that stories do not have.
    let isOfRequests = chosen.map { !Self.showsOfStories.contains($0) } ?? false
    view = query["view"].flatMap(View.init) ?? (isOfRequests ? .requests : .stories)
    show = chosen ?? Self.usualShow(in: view)
  }

  /// Events repeat what the requests say.
  private static func usualShow(in view: View) -> Show { view == .stories ? .everything : .requests }

  private static let showsOfStories = [Show.everything, .refusals]

  /// True if it selects all lines.
  var isEmpty: Bool { text == nil && provider == nil && show == Self.usualShow(in: view) }

  var showsOnlyRefusals: Bool { show == .refusals }

  /// The address of the same lines in another view.
  func query(in other: View) -> String {
    let isUsual = show == Self.usualShow(in: view)
    let isPossible = other == .requests || Self.showsOfStories.contains(show)
    let fields = [
      ("view", other.rawValue), ("filter", entered), ("show", isUsual || !isPossible ? "" : show.rawValue),
      ("provider", provider ?? ""),
    ]
    return fields.filter { !$0.1.isEmpty }.map { "\($0.0)=\(PercentCoding.encode($0.1))" }
      .joined(separator: "&")
  }

  var showsEvents: Bool { show != .requests && show != .refusals }

  func matches(_ line: Timeline.Line) -> Bool {
    let (texts, owner) =
      switch line.entry {
      case .request(let exchange): (exchange.searchableTexts, exchange.owner)
      case .event(let event): ([event.inWords, event.provider], event.provider)
      }
    guard provider == nil || owner == provider, isShown(line.entry) else { return false }
    guard let text else { return true }
    return (texts + [line.destination ?? "", line.verificationName ?? ""]).contains(where: text.isFound)
  }

  func matches(_ story: VerificationStory) -> Bool {
    (provider == nil || story.provider == provider) && (!showsOnlyRefusals || story.isRefused)
      && (text.map(story.contains) ?? true)
  }

  private func isShown(_ entry: Timeline.Entry) -> Bool {
    switch (show, entry) {
    case (.everything, _), (.requests, .request), (.events, .event): true
    case (.refusals, .request(let exchange)): exchange.isRefused
    case (.webhooks, .event(let event)): event.isOfWebhook
    default: false
    }
  }

  func form(providers: [String]) -> HTML {
    FilterForm(
      text: entered, hint: "operation, number, status or reason",
      choices: [
        .init(
          label: "Show", name: "show",
          options: (view == .stories ? Self.showsOfStories : Show.allCases).map(\.rawValue),
          chosen: show.rawValue),
        .init(label: "Provider", name: "provider", options: providers, chosen: provider, all: "all"),
      ], kept: [("view", view.rawValue)]
    ).html
  }
}

extension Journal.Exchange {
  fileprivate var searchableTexts: [String] {
    [owner, route ?? "", operation ?? "", target, String(status), why ?? ""]
  }
}

extension Timeline.Line {
  /// `V12`, as the lines of one verification are marked.
  var verificationName: String? { verification.map { "V\($0)" } }
}
