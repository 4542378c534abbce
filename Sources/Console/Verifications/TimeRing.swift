import Basics
import Markup

/// The time that is left, as a ring. The script counts the text down while the sandbox's clock runs.
struct TimeRing {
  private let start: Timestamp
  private let end: Timestamp
  private let now: Timestamp
  /// False for a moment of the past.
  private let isLive: Bool

  private static let radius = 19
  /// Of the circle.
  private static let length = 119.4

  init(from start: Timestamp, to end: Timestamp, now: Timestamp, isLive: Bool) {
    (self.start, self.end, self.now, self.isLive) = (start, end, now, isLive)
  }

  var html: HTML {
    let rest = Double((end - now).milliseconds) / Double(max(1, (end - start).milliseconds))
    let shown = Int((min(1, max(0, rest)) * Self.length).rounded())
    return div(.class("ring")) {
      svg(.init("viewBox", "0 0 46 46"), .init("aria-hidden", "true")) {
        circle(.class("whole"), nil)
        circle(.class("rest"), "\(shown) \(Int(Self.length.rounded(.up)))")
      }
      Countdown(to: end, now: now, isLive: isLive, isShort: true).html
    }
  }

  private func circle(_ name: Attribute, _ dashes: String?) -> HTML {
    svgCircle(
      name, .init("cx", "23"), .init("cy", "23"), .init("r", String(Self.radius)),
      .init("stroke-dasharray", ifPresent: dashes))
  }
}

/// The time that is left. The script counts it down while the sandbox's clock runs.
struct Countdown {
  private let end: Timestamp
  private let now: Timestamp
  /// `5:40` instead of `5 min 40 s`.
  private let isShort: Bool
  private let isLive: Bool

  init(to end: Timestamp, now: Timestamp, isLive: Bool, isShort: Bool = false) {
    (self.end, self.now, self.isLive, self.isShort) = (end, now, isLive, isShort)
  }

  var html: HTML {
    let seconds = max(0, (end - now).wholeSeconds)
    let (minutes, rest) = (seconds / 60, seconds % 60)
    return span(
      .class("countdown"), .init("data-until", ifPresent: isLive ? String(end.milliseconds) : nil),
      .init("data-short", ifPresent: isShort ? "" : nil)
    ) { isShort ? "\(minutes):\(rest < 10 ? "0" : "")\(rest)" : "\(minutes) min \(rest) s" }
  }
}
