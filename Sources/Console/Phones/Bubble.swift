import Markup
import ProviderKit

/// One message on a handset: a text, a call, or a push.
struct Bubble: PhoneBubble {
  private let message: Message
  private let call: Call?
  private let challenge: Challenge?
  /// The data of a push, as the app on the handset gets them.
  private let pushData: JSON?
  /// The scenario that decided how the message turned out.
  private let scenario: String?
  /// The state of its code; nil for a message without one.
  private let codeState: CodeState?
  private let now: Timestamp

  init(_ message: Message, in sandbox: Sandbox) throws {
    self.message = message
    now = sandbox.clock.now
    call = message.channel == .call ? try sandbox.calls.find(message.ordinal) : nil
    let push = message.channel == .push ? try sandbox.pushes.find(message.ordinal) : nil
    pushData = push.flatMap { try? $0.content }
    scenario = sandbox.deliveryNotes[message.ordinal]?.scenario
    challenge = message.channel == .push ? try sandbox.challenges.find(push: message.ordinal) : nil
    codeState = try CodeState(of: message, in: sandbox)
  }

  var ordinal: Int { message.ordinal }

  var at: Timestamp { message.submittedAt }

  private var elapsed: Duration { now - message.submittedAt }

  /// Whoever answers a push or enters a code has seen it, also if the clock was set back since.
  private var hasArrived: Bool {
    message.arrival(by: now) != nil || challenge?.answer != nil || codeState?.isUsed ?? false
  }

  var hasCode: Bool { message.code != nil && hasArrived && message.formerHolder == nil }

  var liveCode: String? { hasCode && codeState?.isLive ?? true ? message.code : nil }

  func html(_ layout: Layout, isNewest: Bool, in place: BubblePlace) -> HTML {
    li(.id(message.id), .class(hasArrived ? "message" : "message held")) {
      p(.class("from")) {
        place.phone
        ProviderMark(message.provider).html
        if message.sender != message.provider {
          span(.class("sender"), .title(message.sender)) { message.sender }
        }
        span(.class("when")) { "\(place.words(for: at)) · \(message.channel.title)" }
      }
      if !hasArrived {
        p {
          strong(.class("why")) { isOnItsWay ? "Not arrived yet. " : "Not delivered. " }
          Reason(absence, layout).html
        }
      }
      if message.formerHolder != nil { p(.class("why")) { "On the phone of the number's previous holder." } }
      if let call { transcript(of: call) } else { place.text(shownText) }
      if let code = message.code, hasArrived { codeHTML(code, layout, isNewest: isNewest) }
      if let call, call.result == .answered, elapsed >= call.settledAfter, elapsed < call.endsAfter,
        call.conversation?.awaitsKeys ?? true
      {
        keypad(layout)
      }
      if let challenge { ChallengeButtons(challenge, layout, now: now).html }
      if let pushData {
        details(.class("push-data")) {
          summary { "What the app gets" }
          div(.class("json")) { JSONView(pushData).html }
        }
      }
    }
  }

  /// Of a push for the app alone, only what is a word: its data are shown below.
  private var shownText: String {
    guard message.channel == .push else { return message.text }
    let words = dataAlone?.filter { !$0.contains { $0 == "{" || $0 == "[" } }.joined(separator: ", ")
    return (words.map { "Nothing to see, data for the app: \($0)" } ?? message.text)
      .shortened(to: Self.pushLength)
  }

  /// The values of a push without a notification, whose text they are; nil for other messages.
  private var dataAlone: [String]? {
    guard case .object(let members)? = pushData?["data"] else { return nil }
    let data = members.map { member in
      if case .string(let text) = member.value { (member.name, text) } else { (member.name, "") }
    }
    let all = data.map { "\($0)=\($1)" }.joined(separator: " ")
    return !data.isEmpty && message.text == all ? data.map { $1 } : nil
  }

  /// Of a notification, phones show about as much.
  private static let pushLength = 180

  private var state: DeliveryReceipt.State { message.state(at: now) }

  private var isOnItsWay: Bool { state == .accepted || state == .enroute }

  /// `The phone cannot be reached. Scenario 1 (undeliverable) did this.`
  private var absence: String {
    let cause = scenario.map { " \($0.capitalizedFirst) did this." } ?? ""
    let reason = isOnItsWay ? "on its way" : state.reason ?? state.word
    return "\(reason.capitalizedFirst).\(cause)"
  }

  /// The code in large type while it can be entered; else what became of it. It leads to its verification.
  private func codeHTML(_ digits: String, _ layout: Layout, isNewest: Bool) -> HTML {
    let isLive = codeState?.isLive ?? true
    return p(.class(isLive ? "code" : "code ended")) {
      strong(.init("data-code", digits)) { digits }
      if let codeState {
        a(
          .class(codeState.isLive ? "pill live" : "pill"),
          .href(layout.url("/console/verifications/\(codeState.verification)"))
        ) { isLive && isNewest ? "newest code" : codeState.text }
      } else if isNewest {
        span(.class("pill live")) { "newest code" }
      }
      copyButton(digits, isLive: isLive)
    }
  }

  private func copyButton(_ digits: String, isLive: Bool) -> HTML {
    var button = CopyButton(digits, "code \(digits)")
    if isLive { button.key = "c" }
    return button.html
  }

  private func transcript(of call: Call) -> HTML {
    let lines = call.transcript(by: elapsed)
    return HTML {
      ol(.class("transcript"), .label("Call")) {
        for line in lines {
          li(.class(line.speaker.rawValue)) {
            span(.class("who")) { line.speaker.rawValue }
            " \(line.text)"
          }
        }
      }
      if !lines.isEmpty {
        button(
          .type("button"), .class("play"), .init("data-speak", lines.map(\.text).joined(separator: " ")),
          .init(flag: "hidden")
        ) { "Play" }
      }
    }
  }

  private func keypad(_ layout: Layout) -> HTML {
    div(.class("keypad"), .init("role", "group"), .label("Keypad")) {
      for key in "123456789*0#" {
        ActionButton(
          String(key), post: layout.url("/control/calls/\(message.id)/keys"), #"{"keys":"\#(key)"}"#
        ).html
      }
    }
  }
}

extension Channel {
  /// As people write it.
  var title: String {
    switch self {
    case .sms, .rcs: rawValue.uppercased()
    case .whatsapp: "WhatsApp"
    case .viber, .telegram, .zalo: rawValue.capitalizedFirst
    case .call, .email, .silent, .push: rawValue
    }
  }
}
