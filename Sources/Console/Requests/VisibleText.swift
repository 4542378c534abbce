import JSON
import Markup

/// A text of a request, with marks for invisible characters and for the blanks at its ends.
struct VisibleText {
  private struct Run {
    var text: String
    let isMark: Bool
  }

  private let text: String

  init(_ text: String) { self.text = text }

  var html: HTML {
    HTML {
      for run in runs {
        if run.isMark { span(.class("blank")) { run.text } } else { run.text }
      }
    }
  }

  private var runs: [Run] {
    let scalars = text.unicodeScalars
    let start = scalars.prefix { $0 == " " }.count
    let end = start == scalars.count ? start : scalars.count - scalars.reversed().prefix { $0 == " " }.count
    var runs: [Run] = []
    for (place, scalar) in scalars.enumerated() {
      let isAtEnd = scalar == " " && !(start..<end).contains(place)
      let mark = scalar.isInvisible ? scalar.codePoint : isAtEnd ? "␣" : nil
      if let mark {
        runs.append(Run(text: mark, isMark: true))
      } else if runs.last?.isMark == false {
        runs[runs.count - 1].text.unicodeScalars.append(scalar)
      } else {
        runs.append(Run(text: String(scalar), isMark: false))
      }
    }
    return runs
  }
}
