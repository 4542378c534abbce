import Basics
import Markup

/// A reason, for people: with times of day, and with a link to the rule that it names if that is still there.
struct Reason {
  private let text: String
  private let rules: [RunningRule]
  private let layout: Layout

  init(_ text: String, _ layout: Layout) {
    self.text = text.withTimes(at: layout.now)
    // `webhook fault 1` before `fault 1`.
    rules = layout.rules.sorted { $0.name.count > $1.name.count }
    self.layout = layout
  }

  var html: HTML {
    HTML {
      if let (rule, place) = mention {
        String(text[..<place.lowerBound])
        a(.href(layout.url("/console/break#\(rule.id)"))) { String(text[place]) }
        String(text[place.upperBound...])
      } else {
        text
      }
    }
  }

  private var mention: (RunningRule, Range<String.Index>)? {
    for rule in rules {
      for name in [rule.name, rule.name.capitalizedFirst] where !name.isEmpty {
        guard let place = text.firstRange(of: name) else { continue }
        let next = text[place.upperBound...].first
        if next?.isNumber != true { return (rule, place) }
      }
    }
    return nil
  }
}

extension String {
  /// With `10:47:00` instead of `2026-01-05T10:47:00Z`, and with the date if that is another day.
  func withTimes(at now: Timestamp) -> String {
    guard contains("T") else { return self }
    return split(separator: " ", omittingEmptySubsequences: false).map { word in
      let end = word.firstIndex(of: "Z").map { word.index(after: $0) } ?? word.endIndex
      guard let time = Timestamp(iso8601: String(word[..<end])) else { return String(word) }
      let isToday = time.dateAndTime.prefix(10) == now.dateAndTime.prefix(10)
      return (isToday ? time.timeOfDay : time.dateAndTime) + word[end...]
    }.joined(separator: " ")
  }
}
