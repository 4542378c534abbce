import Markup
import ProviderKit

/// A silent verification: a URL that an app on the handset opens over mobile data.
struct SilentBubble: PhoneBubble {
  private let session: SilentSession
  private let now: Timestamp

  init(_ session: SilentSession, now: Timestamp) { (self.session, self.now) = (session, now) }

  var ordinal: Int { session.ordinal }

  var at: Timestamp { session.createdAt }

  let hasCode = false

  func html(_ layout: Layout, isNewest: Bool, in place: BubblePlace) -> HTML {
    li(.id("silent-\(session.ordinal)"), .class("message")) {
      p(.class("from")) {
        place.phone
        ProviderMark(session.draft.provider).html
        span(.class("when")) { "\(place.words(for: at)) · silent" }
      }
      if case .card = place {
        p(.class("text")) { code { session.url } }
      } else {
        place.text("A link that the app opens over mobile data")
      }
      p(.class("challenge")) {
        if session.status(at: now) == .live, session.verdict == nil {
          ActionButton(
            "Open on this phone", post: layout.url(path), #"{"url":\#(JSON.string(session.url).text)}"#
          ).html
        } else {
          span(.class("pill")) { state }
        }
      }
    }
  }

  private var path: String {
    "/control/devices/\(PercentCoding.encode(session.number?.description ?? ""))/open"
  }

  private var state: String {
    if let verdict = session.verdict { return verdict.rawValue }
    return session.status(at: now) == .expired ? "expired" : "opened"
  }
}
