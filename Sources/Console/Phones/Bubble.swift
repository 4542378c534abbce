import Domain
import HTTP
import JSON
import Markup

/// One message on a handset: a text, a call, or a push.
struct Bubble: PhoneBubble {
  private let message: Message
  private let call: Call?
  private let challenge: Challenge?
  /// The data of a push, as the app on the handset gets them.
  private let pushData: JSON?
  /// The scenario that decided how the message turned out.
  private let scenario: String?
  private let now: Timestamp

  init(_ message: Message, in sandbox: Sandbox) throws {
    self.message = message
    now = sandbox.clock.now
    call = message.channel == .call ? try sandbox.calls.find(message.ordinal) : nil
    let push = message.channel == .push ? try sandbox.pushes.find(message.ordinal) : nil
    pushData = push.flatMap { try? JSON(parsing: Array($0.payload.utf8)) }
    scenario = sandbox.deliveryNotes[message.ordinal]?.scenario
    challenge = message.channel == .push ? try sandbox.challenges.find(push: message.ordinal) : nil
  }

  var ordinal: Int { message.ordinal }

  private var elapsed: Duration { now - message.submittedAt }

  private var hasArrived: Bool { message.arrivesAt.map { $0 <= now } ?? false }

  var hasCode: Bool { message.code != nil && hasArrived && message.formerHolder == nil }

  func html(_ layout: Layout, isNewest: Bool) -> HTML {
    li(.id(message.id), .class(hasArrived ? "message" : "message held")) {
      p(.class("from")) {
        "\(message.sender) · \(message.provider) · \(message.channel.rawValue) · \(message.submittedAt.timeOfDay) "
        if isNewest { span(.class("newest")) { "newest code" } }
      }
      if !hasArrived { p(.class("why")) { absence } }
      if message.formerHolder != nil { p(.class("why")) { "On the phone of the number's previous holder." } }
      if let call { transcript(of: call) } else { p(.class("text")) { message.text } }
      if let code = message.code, hasArrived { codeHTML(code) }
      if let call, call.result == .answered, elapsed >= call.settledAfter, elapsed < call.endsAfter {
        keypad(layout)
      }
      if let challenge { challengeHTML(challenge, layout) }
      if let pushData {
        details(.class("push-data")) {
          summary { "What the app gets" }
          div(.class("json")) { JSONView(pushData).html }
        }
      }
    }
  }

  /// `Lost: scenario 1 (undeliverable), the handset cannot be reached.`
  private var absence: String {
    let state = message.state(at: now)
    let words = [scenario, state.inWords].compactMap(\.self).joined(separator: ", ")
    return "\(state == .accepted || state == .enroute ? "Not arrived yet" : "Lost"): \(words)."
  }

  private func codeHTML(_ digits: String) -> HTML {
    p(.class("code")) {
      strong(.init("data-code", digits)) { digits }
      button(
        .type("button"), .init("data-copy", digits), .init("data-key", "c"), .label("Copy code \(digits)")
      ) {
        "Copy"
      }
    }
  }

  private func transcript(of call: Call) -> HTML {
    ol(.class("transcript"), .label("Call")) {
      for line in call.transcript(by: elapsed) {
        li {
          span(.class("who")) { line.speaker.rawValue }
          " \(line.text)"
        }
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

  private func challengeHTML(_ challenge: Challenge, _ layout: Layout) -> HTML {
    let state = challenge.state(at: now)
    let id = PercentCoding.encode(challenge.reference)
    return p(.class("challenge")) {
      if state == .pending {
        ActionButton("Approve", post: layout.url("/control/devices/\(id)/approve"), key: "a").html
        ActionButton("Deny", post: layout.url("/control/devices/\(id)/deny"), key: "d").html
      } else {
        strong { state.rawValue }
      }
    }
  }
}

extension DeliveryReceipt.State {
  fileprivate var inWords: String {
    switch self {
    case .accepted, .enroute: "on its way"
    case .delivered, .read: "delivered"
    case .expired: "expired on its way"
    case .undeliverable: "the handset cannot be reached"
    case .rejected: "rejected by the network"
    case .refused: "not accepted by the network"
    }
  }
}
