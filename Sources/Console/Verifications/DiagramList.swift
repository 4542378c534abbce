import Markup

/// The steps of a diagram as a list, for screen readers and narrow screens.
struct DiagramList {
  let diagram: Diagram
  /// Its id.
  var name = "sequence-list"
  let url: (Int) -> String?

  var html: HTML {
    details(.class("as-list"), .id(name)) {
      summary { "As a list" }
      ol {
        for row in diagram.rows {
          switch row {
          case .step(let step, let number): li(.class("\(step.tone)")) { line(of: step, number) }
          case .repeated(let steps, let words, let number):
            li(.class("failed")) {
              details {
                summary { words }
                for (step, each) in zip(steps, number...) { p { line(of: step, each) } }
              }
            }
          case .pause(let words, _): li(.class("pause")) { words }
          case .note(let words, let at): li(.class("note")) { "\(at.preciseTimeOfDay) \(words)" }
          }
        }
      }
    }
  }

  private func line(of step: Diagram.Step, _ number: Int) -> HTML {
    let what = HTML {
      span(.class("ends")) { diagram.ends(of: step) }
      ": \(diagram.content(of: step))"
    }
    return HTML {
      if step.target != nil, let address = url(number) {
        a(.href(address), .init("data-step", String(number))) { what }
      } else {
        what
      }
    }
  }
}
