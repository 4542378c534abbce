import Domain
import HTTP
import Markup

/// Selects lines of the timeline. It is part of the page's address, so a view can be shared.
struct TimelineFilter {
  enum Show: String, CaseIterable {
    case everything
    case requests
    case refusals
    case events
    case webhooks
  }

  /// In lower case; empty: all lines.
  let text: String
  /// Nil: those of all providers.
  let provider: String?
  let show: Show
  /// The text as it was entered.
  private let entered: String
  /// Only lines about this verification; nil: all.
  private let verification: Verification?

  init(_ query: Form) {
    entered = query["filter"] ?? ""
    text = entered.lowercased()
    let provider = query["provider"] ?? ""
    self.provider = provider.isEmpty ? nil : provider
    verification = nil
    show = query["show"].flatMap(Show.init) ?? .everything
  }

  /// All requests, and no events.
  static let requests = TimelineFilter(.requests)

  /// All requests and events of a verification.
  static func about(_ verification: Verification) -> TimelineFilter {
    TimelineFilter(.everything, about: verification)
  }

  private init(_ show: Show, about verification: Verification? = nil) {
    (text, entered, provider) = ("", "", nil)
    self.show = show
    self.verification = verification
  }

  var showsEvents: Bool { show != .requests && show != .refusals }

  func matches(_ line: Timeline.Line) -> Bool {
    let (texts, owner) =
      switch line.entry {
      case .request(let exchange): (exchange.searchableTexts, exchange.owner)
      case .event(let event): ([event.inWords, event.provider], event.provider)
      }
    guard provider == nil || owner == provider, isShown(line.entry), isAboutVerification(line) else {
      return false
    }
    return text.isEmpty
      || (texts + [line.destination ?? "", line.verificationName ?? ""]).contains {
        $0.lowercased().contains(text)
      }
  }

  /// Also true for an event of the same destination if the request that caused it is no longer in the
  /// journal.
  private func isAboutVerification(_ line: Timeline.Line) -> Bool {
    guard let verification else { return true }
    if let found = line.verification { return found == verification.ordinal }
    guard case .event(let event) = line.entry else { return false }
    return event.ordinal >= verification.ordinal && event.destination == verification.claim.destination
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
        .init(label: "Show", name: "show", options: Show.allCases.map(\.rawValue), chosen: show.rawValue),
        .init(label: "Provider", name: "provider", options: providers, chosen: provider, all: "all"),
      ]
    ).html
  }
}

extension Journal.Exchange {
  fileprivate var searchableTexts: [String] { [owner, route ?? "", target, String(status), why ?? ""] }
}

extension Timeline.Line {
  /// `V12`, as the lines of one verification are marked.
  var verificationName: String? { verification.map { "V\($0)" } }
}
