import Control
import Markup

/// Starts a failure that is a rule, or stops it.
struct FailureSwitch {
  private let failure: Failure
  /// Its rule while it is on.
  private let rule: RunningRule?

  init(_ failure: Failure, _ rule: RunningRule?) { (self.failure, self.rule) = (failure, rule) }

  func html(_ layout: Layout) -> HTML {
    if let rule {
      return rule.switchOff(failure.name, layout)
    }
    return button(
      [.class("switch"), .init("role", "switch"), .init("aria-checked", "false"), .label(failure.name)]
        + Self.start(failure.cause, layout)
    ) {}
  }

  /// The attributes of a button that produces a failure, or undoes it.
  static func start(_ cause: Failure.Cause, _ layout: Layout) -> [Attribute] {
    [
      .type("button"), .init("data-target", ifPresent: cause.path.map(layout.url)),
      .init("data-verb", ifPresent: cause.method), .init("data-list", ifPresent: cause.list),
      .init("data-rule", ifPresent: cause.json),
    ]
  }
}
