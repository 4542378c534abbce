import Markup
import ProviderKit

/// How the page Phones shows the messages.
enum PhonesView: String, CaseIterable {
  /// A handset for each phone.
  case cards
  /// One line for each message.
  case list

  static let field = "phones"

  var title: String { rawValue.capitalizedFirst }
}

/// The newest messages of several phones, one line each, the newest first.
struct MessageList {
  private let lines: [(phone: Phone, bubble: any PhoneBubble)]
  private let layout: Layout

  /// `limit`: of the messages of each phone.
  init(_ phones: [Phone], limit: Int, _ layout: Layout) {
    lines = phones.flatMap { phone in phone.bubbles.suffix(limit).map { (phone, $0) } }
      .sorted { $0.bubble.ordinal > $1.bubble.ordinal }
    self.layout = layout
  }

  var html: HTML {
    ol(.id("message-list"), .class("lines panel"), .label("Messages")) {
      for (phone, bubble) in lines { phone.line(layout, bubble) }
    }
  }
}
