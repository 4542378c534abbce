import ProviderKit

/// The first word of a text with which a person unsubscribes, subscribes again or asks for help, in any
/// letter case. Source: https://docs.prelude.so/notify/v2/documentation/subscription-management, read
/// 2026-11-21.
enum SubscriptionKeyword: String, CaseIterable {
  case help = "HELP"
  case start = "START"
  case stop = "STOP"

  /// Nil if the text does not begin with a keyword.
  init?(_ text: String) {
    self.init(rawValue: text.drop(while: \.isWhitespace).prefix(while: \.isLetter).uppercased())
  }

  /// The new state of the number; nil: unchanged.
  fileprivate var state: Membership.State? {
    switch self {
    case .stop: .unsubscribed
    case .start: .subscribed
    case .help: nil
    }
  }

  /// The member of the configuration's `messages`.
  var replyName: String { "\(rawValue.lowercased())_message" }

  fileprivate var defaultReply: String {
    switch self {
    case .stop:
      "You have been unsubscribed and will not receive further messages. Reply START to resubscribe."
    case .start: "You have been resubscribed and will receive messages again. Reply STOP to unsubscribe."
    case .help: "Reply STOP to unsubscribe or START to resubscribe."
    }
  }
}

extension SubscriptionConfig {
  /// Changes the number's state, replies to the person, and enqueues the event.
  func apply(
    _ keyword: SubscriptionKeyword, from number: PhoneNumber, in text: Message, _ sandbox: Sandbox
  ) throws {
    if let state = keyword.state {
      try Membership(
        config: id, number: number, state: state, source: .keyword, reason: keyword.rawValue,
        at: sandbox.clock.now
      ).save(in: sandbox)
      // The carrier does not block the sender: other messages than marketing still arrive. Source: the same
      // page.
      try sandbox.messages.resubscribe(text.destination, to: number)
    }
    try OutgoingMessage(
      ordinal: sandbox.nextOrdinal(), to: number, channel: text.channel, sender: text.destination,
      text: replies[keyword.replyName] ?? keyword.defaultReply, at: sandbox.clock.now
    ).send(in: sandbox)
    try enqueueEvent(keyword.rawValue.lowercased(), about: number, in: sandbox) { json in
      json.member("action", keyword.rawValue)
      json.member("from", number.description)
      json.member("to", text.destination)
      json.member("received_at", sandbox.clock.now.iso8601Nanoseconds)
    }
  }

  /// Unsubscribes a number that its holder has given up, if it is subscribed, and enqueues the event. The
  /// members of the payload are the sandbox's own. Source: contract 12.3.
  func unsubscribeDisconnected(_ number: PhoneNumber, in sandbox: Sandbox) throws {
    guard try Membership.find(number, of: id, in: sandbox)?.state == .subscribed else { return }
    let source = Membership.Source.carrier
    try Membership(
      config: id, number: number, state: .unsubscribed, source: source, reason: nil, at: sandbox.clock.now
    ).save(in: sandbox)
    try enqueueEvent(Self.disconnection, about: number, in: sandbox) { json in
      json.member("action", source.rawValue)
      json.member("config_id", id)
      json.member("phone_number", number.description)
      json.member("received_at", sandbox.clock.now.iso8601Nanoseconds)
    }
  }

  private static let disconnection = "carrier_disconnect"

  static var eventKinds: [String] {
    (SubscriptionKeyword.allCases.map { $0.rawValue.lowercased() } + [disconnection]).map(eventKind)
  }

  private static func eventKind(_ name: String) -> String { "marketing.subscription.\(name)" }

  private func enqueueEvent(
    _ name: String, about number: PhoneNumber, in sandbox: Sandbox, _ writePayload: (inout JSONWriter) -> Void
  ) throws {
    try NotifyEvent(
      kind: Self.eventKind(name), time: sandbox.clock.now, number: number.description,
      payload: JSONWriter.object(writePayload)
    ).enqueue(about: sandbox.nextOrdinal(), to: callbackURL, in: sandbox)
  }
}
