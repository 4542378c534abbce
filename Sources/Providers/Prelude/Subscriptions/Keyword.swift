import Domain
import JSON
import ProviderKit

/// A word at the beginning of a text by which a person leaves, comes back or asks; letter case does not matter.
/// Source: https://docs.prelude.so/notify/v2/documentation/subscription-management, read 2026-11-21.
enum Keyword: String {
  case stop = "STOP"
  case start = "START"
  case help = "HELP"

  /// The word that a text begins with, if it is one.
  init?(_ text: String) {
    self.init(rawValue: text.drop(while: \.isWhitespace).prefix(while: \.isLetter).uppercased())
  }

  /// What becomes of the number in the subscription; nil: nothing changes.
  var state: Membership.State? {
    switch self {
    case .stop: .left
    case .start: .joined
    case .help: nil
    }
  }

  /// The subscription's own answer, by its name.
  var answerName: String { "\(rawValue.lowercased())_message" }

  /// The answer of a subscription that has none of its own.
  var usualAnswer: String {
    switch self {
    case .stop:
      "You have been unsubscribed and will not receive further messages. Reply START to resubscribe."
    case .start: "You have been resubscribed and will receive messages again. Reply STOP to unsubscribe."
    case .help: "Reply STOP to unsubscribe or START to resubscribe."
    }
  }
}

extension Subscription {
  /// Does what a keyword says, confirms it to the person, and tells the account.
  func obey(_ keyword: Keyword, from number: PhoneNumber, in text: Message, _ sandbox: Sandbox) throws {
    if let state = keyword.state {
      try Membership(
        config: id, number: number, state: state, source: .keyword, reason: keyword.rawValue,
        at: sandbox.clock.now
      ).keep(in: sandbox)
      // Who may write is the subscription's to say: what is no marketing still arrives. Source: the same page.
      try sandbox.messages.resubscribe(text.destination, to: number)
    }
    try Outgoing(
      ordinal: sandbox.nextOrdinal(), to: number, channel: text.channel, sender: text.destination,
      text: answers[keyword.answerName] ?? keyword.usualAnswer, at: sandbox.clock.now
    ).send(in: sandbox)
    try tell(keyword.rawValue.lowercased(), in: sandbox) { json in
      json.member("action", keyword.rawValue)
      json.member("from", number.description)
      json.member("to", text.destination)
      json.member("received_at", sandbox.clock.now.iso8601Milliseconds)
    }
  }

  /// Takes out a number that its holder has given up, where it takes part, and tells the account; the payload's
  /// members are the sandbox's own. Source: contract 12.3.
  func disconnect(_ number: PhoneNumber, in sandbox: Sandbox) throws {
    guard try Membership.find(number, of: id, in: sandbox)?.state == .joined else { return }
    let source = Membership.Source.carrier
    try Membership(
      config: id, number: number, state: .left, source: source, reason: nil, at: sandbox.clock.now
    ).keep(in: sandbox)
    try tell("carrier_disconnect", in: sandbox) { json in
      json.member("action", source.rawValue)
      json.member("config_id", id)
      json.member("phone_number", number.description)
      json.member("received_at", sandbox.clock.now.iso8601Milliseconds)
    }
  }

  private func tell(_ word: String, in sandbox: Sandbox, _ payload: (inout JSONWriter) -> Void) throws {
    try NotifyEvent(
      kind: "marketing.subscription.\(word)", time: sandbox.clock.now, payload: JSONWriter.object(payload)
    ).tell(of: sandbox.nextOrdinal(), to: callbackURL, in: sandbox)
  }
}
