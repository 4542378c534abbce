import Markup
import ProviderKit

/// A request for approval that came without a push: the app on the handset knows of it.
struct ChallengeBubble: PhoneBubble {
  private let challenge: Challenge
  private let now: Timestamp

  init(_ challenge: Challenge, now: Timestamp) { (self.challenge, self.now) = (challenge, now) }

  var ordinal: Int { challenge.ordinal }

  var at: Timestamp { challenge.createdAt }

  let hasCode = false

  func html(_ layout: Layout, isNewest: Bool, in place: BubblePlace) -> HTML {
    li(.id("challenge-\(challenge.ordinal)"), .class("message")) {
      p(.class("from")) {
        place.phone
        ProviderMark(challenge.provider).html
        span(.class("when")) { place.words(for: at) }
      }
      p(.class("text")) { "Sign in?" }
      ChallengeButtons(challenge, layout, now: now).html
    }
  }
}
