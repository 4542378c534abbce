import Domain
import HTTP
import Markup

/// A handset with what it received.
struct Phone {
  private let owner: HandsetOwner
  private let bubbles: [Bubble]
  private let now: Timestamp

  init(_ owner: HandsetOwner, in sandbox: Sandbox) throws {
    self.owner = owner
    now = sandbox.clock.now
    bubbles = try owner.messages.map { try Bubble($0, in: sandbox) }
  }

  var name: String { owner.name }

  /// `limit`: of the messages that are shown, the newest ones.
  func card(_ layout: Layout, limit: Int = .max) -> HTML {
    let shown = bubbles.suffix(limit)
    return article(
      .class("phone"), .id("phone-\(owner.id)"), .init("data-item", owner.id), .init("tabindex", "-1")
    ) {
      header {
        h2 { a(.href(page(layout))) { name } }
        if let subscriber = owner.subscriber {
          p(.class("line")) {
            [owner.id, subscriber.country, subscriber.operatorName].compactMap(\.self).joined(
              separator: " · ")
          }
          badges(of: subscriber)
        }
      }
      if shown.count < bubbles.count {
        p(.class("earlier")) { a(.href(page(layout))) { "\(bubbles.count - shown.count) earlier" } }
      }
      if !shown.isEmpty {
        ol(.class("messages"), .label("Messages")) { for bubble in shown { bubble.html(layout) } }
        // The first reply needs a message to answer.
        if owner.subscriber != nil { replyForm(layout) }
      }
    }
  }

  private func page(_ layout: Layout) -> String {
    layout.url("/console/phones/\(PercentCoding.encode(owner.id))")
  }

  private func badges(of subscriber: Subscriber) -> HTML {
    let badges = subscriber.badges(at: now)
    return HTML {
      if !badges.isEmpty { ul(.class("badges")) { for badge in badges { li { badge } } } }
    }
  }

  private func replyForm(_ layout: Layout) -> HTML {
    let url = layout.url("/control/inbox/\(PercentCoding.encode(owner.id))/reply")
    return form(.class("reply"), .init("data-post", url)) {
      input(
        .name("text"), .label("Reply from \(name)"), .init("placeholder", "Reply"), .init(flag: "required"),
        .init("autocomplete", "off"))
      button(.type("submit")) { "Send" }
    }
  }
}

extension Subscriber {
  /// Each property in which this line differs from an ordinary one, in a few words.
  func badges(at now: Timestamp) -> [String] {
    var badges: [String] = []
    if lineType != .mobile { badges.append(lineType.rawValue.replacing("_", with: " ")) }
    if isDeactivated(at: now) { badges.append("out of service") }
    if suspended { badges.append("suspended") }
    if roaming.isOn { badges.append("roaming") }
    if !reach.sms { badges.append("no texts") }
    if !reach.data { badges.append("no data") }
    if ported { badges.append("ported") }
    if let swap = simSwaps.last { badges.append("SIM swapped \(swap.ago(at: now))") }
    if !optOut.isEmpty { badges.append("opted out") }
    return badges
  }
}

extension Timestamp {
  /// `2 h ago`
  func ago(at now: Timestamp) -> String {
    let seconds = max(0, (now - self).wholeSeconds)
    return switch seconds {
    case ..<60: "just now"
    case ..<3600: "\(seconds / 60) min ago"
    case ..<86_400: "\(seconds / 3600) h ago"
    default: "\(seconds / 86_400) d ago"
    }
  }
}
