import Markup
import ProviderKit

/// The time of a sandbox, in the head of a page.
struct ClockSection {
  private let sandbox: Sandbox
  /// The address of the clock for the buttons that move it; nil for the time of boards, which has none.
  private let control: String?

  init(_ sandbox: Sandbox, control: String?) { (self.sandbox, self.control) = (sandbox, control) }

  private var isFrozen: Bool { sandbox.clock.mode.word == "frozen" }

  var html: HTML {
    let now = sandbox.clock.now
    return section(
      .class("clock"), .id("clock"), .label(control == nil ? "Time of the boards" : "Clock of the sandbox"),
      .init("data-now", String(now.milliseconds)), .init(flag: "data-running", !isFrozen),
      .init("data-newest", String(sandbox.newestOrdinal))
    ) {
      if control == nil { span(.class("mode")) { "Board time" } }
      span(.class(isFrozen ? "mode frozen" : "mode running")) { isFrozen ? "frozen" : "running" }
      time(.init("datetime", now.iso8601), .class("now")) {
        span { String(now.dateAndTime.prefix(10)) }
        " "
        span { now.timeOfDay }
      }
      span(.class("zone")) { "UTC" }
      if let control { div(.class("seg")) { buttons(control) } }
    }
  }

  @HTMLBuilder private func buttons(_ control: String) -> HTML {
    for (step, name) in [("1m", "+1 min"), ("10m", "+10 min"), ("1d", "+1 day")] {
      ActionButton(name, post: control, #"{"advance":"\#(step)"}"#, key: step == "10m" ? "+" : nil).html
    }
    Self.toggle(sandbox, url: control, isFrozen ? "Run" : "Freeze").html
  }

  /// Lets a frozen clock run, and freezes a running one.
  static func toggle(_ sandbox: Sandbox, url: String, _ text: String) -> ActionButton {
    let isFrozen = sandbox.clock.mode.word == "frozen"
    return ActionButton(
      text, post: url,
      isFrozen
        ? #"{"mode":"real","set":"\#(sandbox.clock.now.iso8601Milliseconds)"}"# : #"{"mode":"frozen"}"#)
  }
}
