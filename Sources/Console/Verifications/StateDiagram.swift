import Domain
import Markup

/// The states of a verification as a picture, with the current one highlighted.
struct StateDiagram {
  let current: Verification.State

  private static let ends: [Verification.State] = [.approved, .denied, .canceled, .expired, .exhausted]
  private static let (width, height, gap) = (150, 34, 10)
  private static let endColumn = 330

  var html: HTML {
    let middle = (Self.ends.count * (Self.height + Self.gap) - Self.gap - Self.height) / 2
    return svg(
      .class("states"), .init("viewBox", "0 0 480 \(Self.ends.count * (Self.height + Self.gap))"),
      .init("role", "img"), .label("State: \(current.rawValue)")
    ) {
      for (index, end) in Self.ends.enumerated() {
        svgLine(
          .init("x1", String(Self.width)), .init("y1", String(middle + Self.height / 2)),
          .init("x2", String(Self.endColumn)),
          .init("y2", String(index * (Self.height + Self.gap) + Self.height / 2)))
        box(end, x: Self.endColumn, y: index * (Self.height + Self.gap))
      }
      box(.pending, x: 0, y: middle)
    }
  }

  private func box(_ state: Verification.State, x: Int, y: Int) -> HTML {
    svgGroup(.class(state == current ? "state current" : "state")) {
      svgRectangle(
        .init("x", String(x)), .init("y", String(y)), .init("width", String(Self.width)),
        .init("height", String(Self.height)), .init("rx", "8"))
      svgText(
        .init("x", String(x + Self.width / 2)), .init("y", String(y + 22)), .init("text-anchor", "middle")
      ) { state.rawValue }
    }
  }
}
