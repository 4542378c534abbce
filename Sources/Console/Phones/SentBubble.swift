import Basics
import Domain
import Markup

/// A text that the person with the handset has sent.
struct SentBubble: PhoneBubble {
  private let message: Message

  init(_ message: Message) { self.message = message }

  var ordinal: Int { message.ordinal }

  var at: Timestamp { message.submittedAt }

  let hasCode = false

  func html(_ layout: Layout, isNewest: Bool, in place: BubblePlace) -> HTML {
    li(.id(message.id), .class("message sent")) {
      p(.class("from")) {
        place.phone
        span(.class("sender")) { "to \(message.destination)" }
        span(.class("when")) { "\(place.words(for: at)) · \(message.channel.title)" }
      }
      place.text(message.text)
    }
  }
}
