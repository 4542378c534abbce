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
        ActionButton("Deny", post: "\(url)/deny", key: "d").html
        ActionButton("Approve", post: "\(url)/approve", key: "a", style: .approve).html
      } else {
        span(.class(state == .approved ? "pill ok" : "pill bad")) { state.rawValue }
      }
    }
  }
}
