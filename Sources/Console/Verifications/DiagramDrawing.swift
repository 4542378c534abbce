import Basics
import Markup

/// A diagram as SVG: a lane for each who takes part, an arrow for each step. Steps with more to show are
/// links. Lanes are as near to each other as the words between them allow, so that no text is small.
struct DiagramDrawing {
  let diagram: Diagram
  /// What the page shows beside the diagram.
  let selection: Diagram.Step.Target?
  /// The beginning of its ids, unique on the page.
  var name = "sequence"
  /// True if the keys `j` and `k` go from step to step.
  var isOfPage = true
  /// What comes later is faint; nil: nothing does.
  var moment: Timestamp?
  /// The most rows: those around the moment; nil: all.
  var rowLimit: Int?
  /// True if few lanes may be further from each other than on a page with other content.
  var isWide = false
  /// The address of a step; nil where there is nothing to show it.
  let url: (Int) -> String?

  /// The room at the left for times.
  private static let margin = 92
  /// From the first and from the last lane to the edge.
  private static let edge = 48
  /// Between two lanes. Five with words of usual lengths have place on a screen of 1280 pixels.
  private var pitches: ClosedRange<Int> {
    let lanes = diagram.lanes.count
    return (lanes > 4 ? 98 : 118)...(isWide && lanes < 4 ? 200 : 170)
  }
  private static let (boxWidth, boxHeight) = (92, 38)
  private static let rowHeight = 36
  /// Of a line under an arrow.
  private static let lineHeight = 18
  private static let firstRow = 60
  private static let noteWidth = 306
  /// In characters.
  fileprivate static let noteLength = Int(Double(noteWidth - 4) / characterWidth)
  /// The mean width of a character.
  private static let characterWidth = 6.3
  private static let codeCharacterWidth = 9.2
  /// Of the rows that come after the moment, so many are shown.
  private static let laterRows = 2

  var html: HTML {
    let places = lanePlaces
    let placed = placedRows
    let height = placed.height + 12
    let width = (places.last ?? Self.margin) + Self.edge
    let canvas = Canvas(places: places, width: width)
    return svg(
      .class("sequence"), .id(name), .init("width", String(width)),
      .init("viewBox", "0 0 \(width) \(height)"), .init("role", "group"),
      .label("What happened, as a sequence diagram")
    ) {
      for (place, lane) in diagram.lanes.enumerated() { head(of: lane, at: places[place], height) }
      for row in placed.rows { html(of: row, on: canvas) }
    }
  }

  /// The middle of each lane, and the width of the picture.
  private struct Canvas {
    let places: [Int]
    let width: Int
  }

  private struct PlacedRow {
    let row: Diagram.Row
    let top: Int
    /// False if the row above has the same time.
    let hasTime: Bool
  }

  private var lanePlaces: [Int] {
    var x = Self.margin + Self.edge
    var places = diagram.lanes.isEmpty ? [] : [x]
    for (left, right) in zip(diagram.lanes, diagram.lanes.dropFirst()) {
      let needed = diagram.steps.filter { Set([$0.from, $0.to]) == [left.lane, right.lane] }
        .map { step in
          let width = step.tone == .code ? Self.codeCharacterWidth : Self.characterWidth
          return Int(Double(step.text.count) * width) + 18
        }
      x += min(max(needed.max() ?? 0, pitches.lowerBound), pitches.upperBound)
      places.append(x)
    }
    return places
  }

  /// The newest rows up to the moment, and few of those after it.
  private var shownRows: ArraySlice<Diagram.Row> {
    guard let rowLimit else { return diagram.rows[...] }
    let past = moment.map { moment in diagram.rows.count { $0.at <= moment } } ?? diagram.rows.count
    return diagram.rows.prefix(past + Self.laterRows).suffix(rowLimit)
  }

  private var placedRows: (rows: [PlacedRow], height: Int) {
    var top = Self.firstRow
    var rows: [PlacedRow] = []
    var last: Timestamp?
    for row in shownRows {
      rows.append(PlacedRow(row: row, top: top, hasTime: row.at != last))
      if case .pause = row {} else { last = row.at }
      top += Self.rowHeight
      switch row {
      case .step(let step, _): top += step.extraLines * Self.lineHeight
      case .repeated: top += 10
      case .pause, .note: break
      }
    }
    return (rows, top)
  }

  private func x(_ lane: Diagram.Lane, _ canvas: Canvas) -> Int {
    canvas.places[diagram.lanes.firstIndex { $0.lane == lane } ?? 0]
  }

  private func head(of lane: (lane: Diagram.Lane, name: String), at middle: Int, _ height: Int) -> HTML {
    let width = Self.boxWidth
    let lines = Self.lines(of: lane.name, width - 24)
    return HTML {
      line(.class("life"), from: (middle, 8 + Self.boxHeight + 2), to: (middle, height))
      box(.class("lane"), x: middle - width / 2, y: 8, width: width, height: Self.boxHeight, radius: 8)
      svgGroup(.init("data-provider", ifPresent: hue(of: lane.lane))) {
        box(.class("hue"), x: middle - width / 2 + 8, y: 23, width: 8, height: 8, radius: 2)
      }
      for (place, words) in lines.enumerated() {
        text(.class("lane-name"), at: (middle + 7, (lines.count == 1 ? 31 : 24) + place * 14)) {
          fitted(words, to: width - 24)
        }
      }
    }
  }

  /// A name in one line, or in two if it has a blank and is too long.
  private static func lines(of name: String, _ width: Int) -> [String] {
    guard Double(name.count) * characterWidth > Double(width), let blank = name.firstIndex(of: " ") else {
      return [name]
    }
    return [String(name[..<blank]), String(name[name.index(after: blank)...])]
  }

  /// Whose colour the mark of a lane has.
  private func hue(of lane: Diagram.Lane) -> String? {
    switch lane {
    case .provider: diagram.provider
    case .network: "carrier"
    case .app, .phone, .receiver: nil
    }
  }

  @HTMLBuilder private func html(of placed: PlacedRow, on canvas: Canvas) -> HTML {
    let (row, top) = (placed.row, placed.top)
    let later = moment.map { row.at > $0 } ?? false ? " later" : ""
    switch row {
    case .step(let step, let number):
      if placed.hasTime { time(step.at, later, top + 26) }
      html(of: step, number, later, top, canvas)
    case .repeated(let steps, let words, let number):
      time(row.at, later, top + 18)
      if let last = steps.last { time(last.at, later, top + 34) }
      html(of: steps, words, number, later, top, canvas)
    case .pause(let words, _): band("pause\(later)", words, top, canvas)
    case .note(let words, let at):
      if placed.hasTime { time(at, later, top + 26) }
      band("note\(later)", words, top, canvas)
    }
  }

  private func time(_ at: Timestamp, _ later: String, _ baseline: Int) -> HTML {
    text(.class("time\(later)"), at: (Self.margin - 4, baseline)) { at.preciseTimeOfDay }
  }

  private func band(_ name: String, _ words: String, _ top: Int, _ canvas: Canvas) -> HTML {
    let (left, right) = (Self.margin + 10, canvas.width - 10)
    let middle = (left + right) / 2
    let width = min(right - left, Int(Double(words.count) * Self.characterWidth) + 52)
    return svgGroup(.class(name)) {
      line(.class("rule"), from: (left, top + 14), to: (right, top + 14))
      box(.class("band"), x: middle - width / 2, y: top + 1, width: width, height: 26, radius: 13)
      text(.class("words"), at: (middle, top + 18)) { fitted(words, to: width - 16) }
    }
  }

  private func html(
    of step: Diagram.Step, _ number: Int, _ later: String, _ top: Int, _ canvas: Canvas
  ) -> HTML {
    let isBack = step.from.rawValue > step.to.rawValue
    let names = "step \(step.tone)\(step.hasHappened ? "" : " missing")\(isBack ? " back" : "")\(later)"
    return group(step, number, names) { arrow(step, top, canvas) }
  }

  /// One field for all, between the two that took part. It leads to the last of them.
  private func html(
    of steps: ArraySlice<Diagram.Step>, _ words: String, _ number: Int, _ later: String, _ top: Int,
    _ canvas: Canvas
  ) -> HTML {
    HTML {
      if let first = steps.first, let last = steps.last {
        let (left, right) = ends(first, canvas)
        group(last, number + steps.count - 1, "step failed repeated\(later)") {
          box(.class("fold"), x: left + 6, y: top + 2, width: right - left - 12, height: 38, radius: 8)
          text(.class("words"), at: ((left + right) / 2, top + 25)) { fitted(words, to: right - left - 20) }
        }
      }
    }
  }

  private func group(
    _ step: Diagram.Step, _ number: Int, _ names: String, @HTMLBuilder content: () -> HTML
  ) -> HTML {
    let isSelected = step.target != nil && step.target == selection
    let address = step.target == nil ? nil : url(number)
    // An answer leads to the same as its request, so the keyboard stops once.
    let isStop = !step.isAnswer || names.contains("repeated")
    return svgGroup(
      .id("\(name)-\(number)"), .class(isSelected ? "\(names) selected" : names),
      .init("data-item", ifPresent: !isOfPage || address == nil || !isStop ? nil : String(number))
    ) {
      if let address {
        a(
          .href(address), .init("tabindex", ifPresent: isStop ? nil : "-1"),
          .init("data-step", String(number)), .label(diagram.sentence(of: step)),
          .init("aria-current", ifPresent: isSelected && isStop ? "true" : nil), content: content)
      } else {
        content()
      }
    }
  }

  private func ends(_ step: Diagram.Step, _ canvas: Canvas) -> (left: Int, right: Int) {
    let (from, to) = (x(step.from, canvas), x(step.to, canvas))
    return (min(from, to), max(from, to))
  }

  private func arrow(_ step: Diagram.Step, _ top: Int, _ canvas: Canvas) -> HTML {
    let (from, to) = (x(step.from, canvas), x(step.to, canvas))
    let (left, right) = (min(from, to), max(from, to))
    let direction = from < to ? 1 : -1
    let middle = (left + right) / 2
    let words = fitted(step.text, to: right - left - 14)
    return HTML {
      if words != step.text { Markup.title { step.text } }
      box(
        .class("hit"), x: left - 4, y: top, width: right - left + 8,
        height: 30 + step.extraLines * Self.lineHeight, radius: 6)
      line(.class("shaft"), from: (from + 6 * direction, top + 22), to: (to - 12 * direction, top + 22))
      svgPath(
        .class("head"),
        .init(
          "d",
          step.hasHappened
            ? "M\(to - 6 * direction) \(top + 22)l\(-9 * direction) -5v10z"
            : "M\(to - 17 * direction) \(top + 17)l10 10m0 -10l-10 10"))
      text(.class("words"), at: (middle, top + 15)) { words }
      for (place, words) in step.reasonLines.enumerated() {
        reason(words, around: middle, top + 38 + place * Self.lineHeight, canvas)
      }
      if let injected = step.injected {
        tag(injected, around: middle, top + 28 + step.reasonLines.count * Self.lineHeight, canvas)
      }
    }
  }

  /// It may be wider than its arrow, but not leave the picture.
  private func reason(_ words: String, around middle: Int, _ baseline: Int, _ canvas: Canvas) -> HTML {
    let width = widthOfNote(words)
    return text(.class("reason-words"), at: (placed(middle, width, canvas), baseline)) {
      ended(words, to: width)
    }
  }

  private func tag(_ words: String, around middle: Int, _ top: Int, _ canvas: Canvas) -> HTML {
    let width = widthOfNote(words) + 16
    let center = placed(middle, width, canvas)
    return svgGroup(.class("injected")) {
      box(.class("tag"), x: center - width / 2, y: top, width: width, height: 17, radius: 8)
      text(.class("tag-words"), at: (center, top + 13)) { ended(words, to: width - 12) }
    }
  }

  private func widthOfNote(_ words: String) -> Int {
    min(Self.noteWidth, Int(Double(words.count) * Self.characterWidth) + 4)
  }

  /// The nearest place around which this much fits into the picture.
  private func placed(_ middle: Int, _ width: Int, _ canvas: Canvas) -> Int {
    max(Self.margin + width / 2, min(middle, canvas.width - width / 2))
  }

  private func line(_ name: Attribute, from: (x: Int, y: Int), to: (x: Int, y: Int)) -> HTML {
    svgLine(
      name, .init("x1", String(from.x)), .init("y1", String(from.y)), .init("x2", String(to.x)),
      .init("y2", String(to.y)))
  }

  private func box(_ name: Attribute, x: Int, y: Int, width: Int, height: Int, radius: Int) -> HTML {
    svgRectangle(
      name, .init("x", String(x)), .init("y", String(y)), .init("width", String(width)),
      .init("height", String(height)), .init("rx", String(radius)))
  }

  private func text(_ name: Attribute, at place: (x: Int, y: Int), _ words: () -> String) -> HTML {
    svgText(name, .init("x", String(place.x)), .init("y", String(place.y))) { words() }
  }

  /// The text, shortened at its end to what fits a width.
  private func ended(_ text: String, to width: Int) -> String {
    text.shortened(to: max(4, Int(Double(width) / Self.characterWidth)))
  }

  /// The text, shortened in its middle to what fits a width.
  private func fitted(_ text: String, to width: Int) -> String {
    let room = max(4, Int(Double(width) / Self.characterWidth))
    guard text.count > room else { return text }
    return "\(text.prefix(room / 2))…\(text.suffix(room - room / 2 - 1))"
  }
}

extension Diagram.Step {
  /// The lines under its arrow.
  fileprivate var extraLines: Int { reasonLines.count + (injected == nil ? 0 : 1) }

  /// The reason in at most two lines.
  fileprivate var reasonLines: [String] {
    guard let reason else { return [] }
    guard reason.count > DiagramDrawing.noteLength,
      let end = reason.prefix(DiagramDrawing.noteLength).lastIndex(of: " ")
    else { return [reason] }
    return [String(reason[..<end]), String(reason[reason.index(after: end)...])]
  }
}

extension Diagram {
  /// `09:31:01.120 Your app to Twilio: createVerification`
  func sentence(of step: Step) -> String { "\(ends(of: step)): \(content(of: step))" }

  /// `10:20:30.000 Your app to Twilio`
  func ends(of step: Step) -> String {
    "\(step.at.preciseTimeOfDay) \(name(of: step.from)) to \(name(of: step.to))"
  }

  func content(of step: Step) -> String {
    let injected = step.injected.map { "caused on purpose: \($0)" }
    return [step.text, step.reason, injected].compactMap(\.self).joined(separator: ": ")
  }
}

extension Timestamp {
  /// `10:20:30.125`
  var preciseTimeOfDay: String { String(iso8601Milliseconds.dropLast().suffix(12)) }
}
