import Domain
import HTTP
import Markup

/// One message on a handset: a text, a call, or a push.
struct Bubble {
  private let message: Message
  private let transcript: [TranscriptLine]
  private let challenge: Challenge?
  private let now: Timestamp

  init(_ message: Message, in sandbox: Sandbox) throws {
    self.message = message
    now = sandbox.clock.now
    let call = message.channel == .call ? try sandbox.calls.find(message.ordinal) : nil
    transcript = call?.transcript(by: sandbox.clock.now - message.submittedAt) ?? []
    challenge = message.channel == .push ? try sandbox.challenges.find(push: message.ordinal) : nil
  }

  private var hasArrived: Bool { message.arrivesAt.map { $0 <= now } ?? false }

  func html(_ layout: Layout) -> HTML {
    li(.id(message.id), .class(hasArrived ? "message" : "message held")) {
      p(.class("from")) {
        "\(message.sender) · \(message.provider) · \(message.channel.rawValue) · \(message.submittedAt.timeOfDay)"
      }
      if !hasArrived { p(.class("why")) { "Not arrived: \(message.state(at: now).inWords)." } }
      if transcript.isEmpty { p(.class("text")) { message.text } } else { callHTML }
      if let code = message.code, hasArrived { codeHTML(code) }
      if let challenge { challengeHTML(challenge, layout) }
    }
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

  private var callHTML: HTML {
    ol(.class("transcript"), .label("Call")) {
      for line in transcript {
        li {
          span(.class("who")) { line.speaker.rawValue }
          " \(line.text)"
        }
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
