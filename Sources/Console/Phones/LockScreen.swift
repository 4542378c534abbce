import Markup
import ProviderKit

/// A phone as the person sees it who takes it up: the time, and what came last.
struct LockScreen {
  /// The address of the phone's page ends with it.
  private let holder: String
  private let subscriber: Subscriber?
  private let notices: [Notice]
  /// What the network has said about silent checks, newest first.
  private let checks: [SilentSession]
  private let now: Timestamp
  /// True if the script moves the shown time on.
  var isLive = true

  private static let noticeLimit = 4
  private static let messageLimit = 30

  /// Something that the screen shows.
  fileprivate struct Notice {
    let ordinal: Int
    /// Of its bubble.
    let id: String
    let at: Timestamp
    /// Who tells the person, as phones name it.
    let app: String
    let sender: String
    let text: String
    let code: String?
    let challenge: Challenge?
  }

  /// That of a verification; nil if its destination is no phone.
  init?(of history: History, in sandbox: Sandbox) throws {
    guard history.operatorName != nil else { return nil }
    let holder = history.subject.destination
    var filter = Messages.Filter()
    filter.destination = holder
    let others = try sandbox.messages.submitted(filter, limit: Self.messageLimit)
    let own = Set(history.messages.map(\.ordinal))
    try self.init(
      holder, history.messages + others.filter { !own.contains($0.ordinal) }, history.sessions,
      history.challenges, in: sandbox, at: history.now)
    isLive = history.isLive
  }

  init(_ owner: HandsetOwner, in sandbox: Sandbox) throws {
    try self.init(
      owner.id, owner.messages, owner.sessions, owner.challenges, in: sandbox, at: sandbox.clock.now)
  }

  private init(
    _ holder: String, _ messages: [Message], _ sessions: [SilentSession], _ challenges: [Challenge],
    in sandbox: Sandbox, at now: Timestamp
  ) throws {
    self.holder = holder
    self.now = now
    subscriber = try PhoneNumber(holder).map { try sandbox.subscribers[$0] }
    checks = sessions.filter { $0.verdict != nil && $0.finishedAt.map { $0 <= now } ?? false }.reversed()
    var pushed: [Int: Challenge] = [:]
    for push in messages where push.channel == .push {
      pushed[push.ordinal] = try sandbox.challenges.find(push: push.ordinal)
    }
    let arrived = messages.compactMap { message -> Notice? in
      guard message.submittedAt <= now, !message.isRemoved, message.formerHolder == nil,
        let time = message.arrival(by: now)
      else { return nil }
      return Notice(message, at: time, pushed[message.ordinal])
    }
    let asked = challenges.filter { $0.push == nil && $0.createdAt <= now }.map { Notice($0) }
    let sorted = (arrived + asked).sorted { ($0.at, $0.ordinal) > ($1.at, $1.ordinal) }
    notices = Array(sorted.prefix(Self.noticeLimit))
  }

  /// `layout`: nil for a page that has no addresses. `home`: what stands at the end of the screen.
  func html(_ layout: Layout?, home: HTML = HTML()) -> HTML {
    section(.class("handset"), .id("lock"), .label("The phone")) {
      div(.class("glass")) {
        p(.class("status")) {
          span { subscriber?.operatorName ?? "" }
          span { network }
        }
        p(.class("lock")) {
          span { now.dayInWords }
          strong(.init(flag: "data-time", isLive), .class("clock-face")) { now.hourAndMinute }
          if let check = checks.first {
            span(.class("check")) {
              "\(check.finishedAt?.hourAndMinute ?? "") \(check.verdict?.inWords ?? "")"
            }
          }
        }
        ol(.class("notices"), .label("Notifications")) {
          if notices.isEmpty { li(.class("none")) { "No notifications" } }
          for (place, notice) in notices.enumerated() { html(of: notice, isNewest: place == 0, layout) }
        }
        home
      }
    }
  }

  private var network: String {
    guard let subscriber else { return "" }
    if !subscriber.reach.sms { return "no service" }
    return subscriber.roaming.isOn ? "roaming" : subscriber.reach.data ? "mobile data" : "no data"
  }

  private var page: String { "/console/phones/\(PercentCoding.encode(holder))" }

  private func html(of notice: Notice, isNewest: Bool, _ layout: Layout?) -> HTML {
    li(.id("notice-\(notice.ordinal)"), .class(isNewest ? "notice" : "notice old")) {
      p(.class("from")) {
        strong { notice.app }
        span { notice.sender }
        time { notice.at.age(at: now) }
      }
      p(.class("says")) { words(of: notice) }
      if isNewest, let layout {
        if let challenge = notice.challenge {
          if isLive { ChallengeButtons(challenge, layout, now: now).html }
        } else if notice.code != nil {
          p(.class("acts")) {
            if let code = notice.code { CopyButton(code, "code \(code)").html }
            a(.class("button"), .href(layout.url("\(page)#\(notice.id)"))) { "Open" }
          }
        }
      }
    }
  }

  /// With the code in large type.
  @HTMLBuilder private func words(of notice: Notice) -> HTML {
    let text = notice.text.shortened(to: 200)
    if let code = notice.code, let place = text.firstRange(of: code) {
      String(text[..<place.lowerBound])
      strong(.class("digits"), .init("data-code", code)) { code }
      String(text[place.upperBound...])
    } else {
      text
    }
  }
}

extension LockScreen.Notice {
  init(_ message: Message, at time: Timestamp, _ challenge: Challenge?) {
    (ordinal, id) = (message.ordinal, message.id)
    at = time
    switch message.channel {
    case .sms: (app, sender) = ("Messages", message.sender)
    case .call: (app, sender) = ("Call", message.sender)
    case .push: (app, sender) = (ProviderMark.title(of: message.provider), "")
    default: (app, sender) = (message.channel.title.capitalizedFirst, message.sender)
    }
    text = message.text
    code = message.code
    self.challenge = challenge
  }

  init(_ challenge: Challenge) {
    (ordinal, id) = (challenge.ordinal, "challenge-\(challenge.ordinal)")
    at = challenge.createdAt
    (app, sender, text, code) = (ProviderMark.title(of: challenge.provider), "", "Sign in?", nil)
    self.challenge = challenge
  }
}

extension Timestamp {
  /// `Mon 05 Jan`
  fileprivate var dayInWords: String { httpDate.prefix(11).filter { $0 != "," } }
}
