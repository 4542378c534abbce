import Basics
import Markup

/// A diagram as SVG: a lane for each who takes part, an arrow for each step. Steps with more to show are
/// links.
struct DiagramDrawing {
  let diagram: Diagram
  /// What the page shows beside the diagram.
  let selection: Diagram.Step.Target?
  /// The beginning of its ids, unique on the page.
  var name = "sequence"
  /// True if the keys `j` and `k` go from step to step.
  var isOfPage = true
  /// The address of a step; nil where there is nothing to show it.
  let url: (Int) -> String?

  private static let lanePitch = 168
  /// The room at the left for times.
  private static let margin = 96
  private static let (boxWidth, boxHeight) = (152, 30)
  private static let rowHeight = 36
  /// Of a line under an arrow.
  private static let lineHeight = 18
  private static let firstRow = 52
  private static let noteWidth = lanePitch * 2 - 30
  /// In characters.
  fileprivate static let noteLength = Int(Double(noteWidth - 4) / characterWidth)
  /// The mean width of a character.
  private static let characterWidth = 6.3

  var html: HTML {
    let placed = placedRows
    let height = placed.height + 12
    let width = Self.margin + diagram.lanes.count * Self.lanePitch
    return svg(
      .class("sequence lanes-\(diagram.lanes.count)"), .id(name),
      .init("viewBox", "0 0 \(width) \(height)"), .init("role", "group"),
      .label("What happened, as a sequence diagram")
    ) {
      for (lane, name) in diagram.lanes { head(of: lane, name, height) }
      for row in placed.rows { html(of: row) }
    }
  }

  private struct PlacedRow {
    let row: Diagram.Row
    let top: Int
    /// False if the row above has the same time.
    let hasTime: Bool
  }

  private var placedRows: (rows: [PlacedRow], height: Int) {
    var top = Self.firstRow
    var rows: [PlacedRow] = []
    var last: Timestamp?
    for row in diagram.rows {
      rows.append(PlacedRow(row: row, top: top, hasTime: row.at != last))
      last = row.at
      top += Self.rowHeight
      if case .step(let step, _) = row { top += step.extraLines * Self.lineHeight }
    }
    return (rows, top)
  }

  private func x(_ lane: Diagram.Lane) -> Int {
    let place = diagram.lanes.firstIndex { $0.lane == lane } ?? 0
    return Self.margin + place * Self.lanePitch + Self.lanePitch / 2
  }

  private func head(of lane: Diagram.Lane, _ name: String, _ height: Int) -> HTML {
    let middle = x(lane)
    return HTML {
      line(.class("life"), from: (middle, 8 + Self.boxHeight + 2), to: (middle, height))
      box(
        .class("lane"), x: middle - Self.boxWidth / 2, y: 8, width: Self.boxWidth, height: Self.boxHeight,
        radius: 8)
      svgGroup(.init("data-provider", ifPresent: hue(of: lane))) {
        box(.class("hue"), x: middle - Self.boxWidth / 2 + 10, y: 19, width: 8, height: 8, radius: 2)
      }
      text(.class("lane-name"), at: (middle + 7, 27)) { fitted(name, to: Self.boxWidth - 34) }
    }
  }

  /// Whose colour the mark of a lane has.
  private func hue(of lane: Diagram.Lane) -> String? {
    switch lane {
    case .provider: diagram.provider
    case .network: "carrier"
    case .app, .phone, .receiver: nil
    }
  }

  @HTMLBuilder private func html(of placed: PlacedRow) -> HTML {
    let top = placed.top
    if placed.hasTime, let at = placed.row.at {
      text(.class("time"), at: (Self.margin - 4, top + 26)) { at.preciseTimeOfDay }
    }
    switch placed.row {
    case .step(let step, let number): html(of: step, number, top)
    case .pause(let words): band(.class("pause"), words, top)
    case .note(let words, _): band(.class("note"), words, top)
    }
  }

  private func band(_ name: Attribute, _ words: String, _ top: Int) -> HTML {
    let (left, right) = (Self.margin + 10, Self.margin + diagram.lanes.count * Self.lanePitch - 10)
    let middle = (left + right) / 2
    let width = min(right - left, Int(Double(words.count) * Self.characterWidth) + 36)
    return svgGroup(name) {
      line(.class("rule"), from: (left, top + 14), to: (right, top + 14))
      box(.class("band"), x: middle - width / 2, y: top + 1, width: width, height: 26, radius: 13)
      text(.class("words"), at: (middle, top + 18)) { fitted(words, to: width - 16) }
    }
  }

  private func html(of step: Diagram.Step, _ number: Int, _ top: Int) -> HTML {
    let isSelected = step.target != nil && step.target == selection
    let address = step.target == nil ? nil : url(number)
    return svgGroup(
      .id("\(name)-\(number)"), .class("step \(step.tone)\(isSelected ? " selected" : "")"),
      .init(
        "data-item", ifPresent: !isOfPage || address == nil || step.isAnswer ? nil : String(number))
    ) {
      if let address {
        // An answer leads to the same as its request, so the keyboard stops once.
        a(
          .href(address), .init("tabindex", ifPresent: step.isAnswer ? "-1" : nil),
          .init("data-step", String(number)), .label(diagram.sentence(of: step)),
          .init("aria-current", ifPresent: isSelected && !step.isAnswer ? "true" : nil)
        ) { arrow(step, top) }
      } else {
        arrow(step, top)
      }
    }
  }

  private func arrow(_ step: Diagram.Step, _ top: Int) -> HTML {
    let (from, to) = (x(step.from), x(step.to))
    let (left, right) = (min(from, to), max(from, to))
    let direction = from < to ? 1 : -1
    let middle = (left + right) / 2
    return HTML {
      box(
        .class("hit"), x: left - 4, y: top, width: right - left + 8,
        height: 30 + step.extraLines * Self.lineHeight, radius: 6)
      line(.class("shaft"), from: (from + 6 * direction, top + 22), to: (to - 12 * direction, top + 22))
      svgPath(
        .class("head"),
        .init("d", "M\(to - 6 * direction) \(top + 22)l\(-9 * direction) -5v10z"))
      text(.class("words"), at: (middle, top + 15)) { fitted(step.text, to: right - left - 14) }
      for (place, words) in step.reasonLines.enumerated() {
        reason(words, around: middle, top + 38 + place * Self.lineHeight)
      }
      if let injected = step.injected {
        tag(injected, around: middle, top + 28 + step.reasonLines.count * Self.lineHeight)
      }
    }
  }

  /// It may be wider than its arrow, but not leave the picture.
  private func reason(_ words: String, around middle: Int, _ baseline: Int) -> HTML {
    let width = widthOfNote(words)
    return text(.class("reason-words"), at: (placed(middle, width), baseline)) { ended(words, to: width) }
  }

  private func tag(_ words: String, around middle: Int, _ top: Int) -> HTML {
    let width = widthOfNote(words) + 16
    let center = placed(middle, width)
    return svgGroup(.class("injected")) {
      box(.class("tag"), x: center - width / 2, y: top, width: width, height: 16, radius: 8)
      text(.class("tag-words"), at: (center, top + 12)) { ended(words, to: width - 12) }
    }
  }

  private func widthOfNote(_ words: String) -> Int {
    min(Self.noteWidth, Int(Double(words.count) * Self.characterWidth) + 4)
  }

  /// The nearest place around which this much fits into the picture.
  private func placed(_ middle: Int, _ width: Int) -> Int {
    let right = Self.margin + diagram.lanes.count * Self.lanePitch
    return max(Self.margin + width / 2, min(middle, right - width / 2))
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
