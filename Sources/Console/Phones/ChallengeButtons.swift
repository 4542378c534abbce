import Markup
import ProviderKit

/// The answers to a challenge, or the one that was given.
struct ChallengeButtons {
  private let challenge: Challenge
  private let layout: Layout
  private let now: Timestamp

  init(_ challenge: Challenge, _ layout: Layout, now: Timestamp) {
    (self.challenge, self.layout, self.now) = (challenge, layout, now)
  }

  var html: HTML {
    let state = challenge.state(at: now)
    let url = layout.url("/control/devices/\(PercentCoding.encode(challenge.reference))")
    return p(.class("challenge")) {
      if state == .pending {
        answer("Deny", "\(url)/deny", key: "d", said: "Denied.").html
        answer("Approve", "\(url)/approve", key: "a", said: "Approved.", style: .approve).html
      } else {
        span(.class(state == .approved ? "pill ok" : "pill bad")) { state.rawValue }
      }
    }
  }

  private func answer(
    _ text: String, _ url: String, key: String, said: String, style: ActionButton.Style? = nil
  ) -> ActionButton {
    var button = ActionButton(text, post: url, key: key, style: style)
    button.said = said
    return button
  }
}
