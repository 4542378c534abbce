import Basics
import Markup

/// What stands before the items of a list: the day where another one begins, and a band where the clock was
/// moved.
struct TimeDividers {
  private let times: [Timestamp]
  private let layout: Layout
  /// False for a list whose first item needs no day if that is today.
  var beginsWithDay = true

  /// In a list, newest first or oldest first.
  init(_ times: [Timestamp], _ layout: Layout) { (self.times, self.layout) = (times, layout) }

  /// One for each item.
  var html: [HTML] {
    var last: Timestamp?
    return times.map { time in
      defer { last = time }
      return HTML {
        if let last { band(last, time) }
        if isNewDay(time, after: last) { li(.class("day")) { span { time.weekdayAndDate } } }
      }
    }
  }

  private func isNewDay(_ time: Timestamp, after last: Timestamp?) -> Bool {
    if let last { return last.day != time.day }
    return beginsWithDay || time.day != layout.now.day
  }

  /// As in a diagram, shorter pauses are not mentioned, and those of a running clock only if they are long.
  @HTMLBuilder private func band(_ one: Timestamp, _ other: Timestamp) -> HTML {
    let pause = one < other ? other - one : one - other
    if pause >= .seconds(layout.isClockFrozen ? 60 : 3600) {
      li(.class("moved")) {
        span { "\(pause.inWords) \(layout.isClockFrozen ? "pass: the clock was moved" : "pass")" }
      }
    }
  }
}

extension Timestamp {
  /// `2026-01-05`
  fileprivate var day: Substring { iso8601.prefix(10) }

  /// `Monday, 2026-01-05`
  fileprivate var weekdayAndDate: String {
    let days = (milliseconds / 86_400_000) - (milliseconds % 86_400_000 < 0 ? 1 : 0)
    // 1970-01-01 was a Thursday.
    let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    return "\(names[Int((days % 7 + 7) % 7)]), \(day)"
  }
}
