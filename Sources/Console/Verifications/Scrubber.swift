import Basics
import Markup
import ProviderKit

/// A verification as a line with a mark for each thing that happened, and a slider that chooses the moment to
/// show. Long pauses are short on it.
struct Scrubber {
  private struct Mark {
    let at: Timestamp
    let place: Int
    let isFailed: Bool
  }

  /// The ordinal of the verification.
  private let id: Int
  private let marks: [Mark]
  private let pauses: [(from: Int, to: Int, words: String)]
  /// Nil: now.
  let moment: Timestamp?
  /// Other parts of the address.
  private let kept: [(name: String, value: String)]

  /// The places are from 0 to this.
  private static let length = 1000
  /// A gap of 2^n milliseconds is so many times as wide as one of no time: n plus this.
  private static let shortest = 3

  /// `query`: the moment is `at`, in milliseconds, or `place`, which the slider sends without the script.
  /// `followsNext`: a moment before the verification is one of another, and counts as now.
  init(
    _ diagram: Diagram, _ query: Form, id: Int, kept: [(name: String, value: String)] = [],
    followsNext: Bool = false
  ) {
    (self.id, self.kept) = (id, kept)
    let rows = diagram.rows.filter { if case .pause = $0 { false } else { true } }
    let times = rows.reduce(into: [(at: Timestamp, isFailed: Bool)]()) { times, row in
      if let last = times.last, row.at <= last.at {
        times[times.count - 1].isFailed = last.isFailed || row.isFailed
      } else {
        times.append((row.at, row.isFailed))
      }
    }
    var sum = 0
    let sums = times.indices.map { index in
      if index > 0 { sum += Self.width(of: times[index].at - times[index - 1].at) }
      return sum
    }
    let marks = zip(times, sums).map { time, place in
      Mark(at: time.at, place: sum == 0 ? Self.length : place * Self.length / sum, isFailed: time.isFailed)
    }
    pauses = diagram.rows.compactMap { row in
      guard case .pause(_, let until) = row, let next = marks.firstIndex(where: { $0.at == until }), next > 0
      else { return nil }
      let words = "+\((until - marks[next - 1].at).inWords)"
      return (marks[next - 1].place, marks[next].place, words)
    }
    self.marks = marks
    let byPlace = query["place"].flatMap { Int($0) }.flatMap { place in
      marks.last { $0.place <= max(0, place) }?.at
    }
    let chosen = query["at"].flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) } ?? byPlace
    // At the end, the page goes on with what happens.
    moment = chosen.flatMap { time in
      guard let first = marks.first, let last = marks.last, time < last.at else { return nil }
      return followsNext && time < first.at ? nil : max(time, first.at)
    }
  }

  private static func width(of gap: Duration) -> Int {
    shortest + (Int64.bitWidth - max(1, gap.milliseconds).leadingZeroBitCount)
  }

  private var place: Int {
    guard let moment else { return Self.length }
    return marks.last { $0.at <= moment }?.place ?? 0
  }

  @HTMLBuilder var html: HTML {
    // Without two moments there is nothing to choose.
    if marks.count > 1 { slider }
  }

  private var slider: HTML {
    let times = marks.map { "\($0.place) \($0.at.milliseconds)" }.joined(separator: ",")
    return form(.class("scrub"), .id("scrub"), .label("Moment"), .init("data-times", times)) {
      for (name, value) in kept { input(.type("hidden"), .name(name), .value(value)) }
      div(.class("seg speeds"), .id("play-\(id)"), .init(flag: "data-kept")) {
        for speed in ["1", "60"] {
          button(
            .type("button"), .init("data-speed", speed), .init("aria-pressed", "false"),
            .label("Play at \(speed) times")
          ) { "▶ \(speed)×" }
        }
      }
      div(.class("scale")) {
        drawing
        input(
          .type("range"), .name("place"), .id("place-\(id)"), .label("Moment of the verification"),
          .init("min", "0"), .init("max", String(Self.length)), .value(String(place)),
          .init("aria-valuetext", valueText))
      }
      button(.type("submit"), .class("show")) { "Show" }
    }
  }

  private var valueText: String { moment.map { $0.timeOfDay } ?? "now" }

  private var drawing: HTML {
    svg(.init("aria-hidden", "true")) {
      rectangle("whole", 0, Self.percent(Self.length), y: 15, height: 4)
      for pause in pauses {
        rectangle("band", pause.from, Self.percent(pause.to - pause.from), y: 11, height: 12)
        svgText(.init("x", Self.percent((pause.from + pause.to) / 2)), .init("y", "36")) { pause.words }
      }
      rectangle("done", 0, Self.percent(place), y: 15, height: 4)
      for mark in marks {
        rectangle(mark.isFailed ? "mark bad" : "mark", mark.place, "3", y: 10, height: 14)
      }
    }
  }

  private static func percent(_ place: Int) -> String { "\(place / 10).\(place % 10)%" }

  private func rectangle(_ name: String, _ from: Int, _ width: String, y: Int, height: Int) -> HTML {
    svgRectangle(
      .class(name), .init("x", Self.percent(from)), .init("y", String(y)), .init("width", width),
      .init("height", String(height)))
  }
}
