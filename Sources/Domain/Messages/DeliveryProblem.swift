import Basics

/// Why a message brought nothing, or not yet.
extension Messages {
  /// For people: `the text is lost, because its number ends in 0130 (/control/docs/Carrier.md)`. Nil for a
  /// message that the handset shows as usual.
  package func problem(with message: Message) throws -> String? {
    let note = sandbox.deliveryNotes[message.ordinal]
    guard let fate = try fate(of: message, note) else { return nil }
    return "the \(message.channel.noun) \(fate)" + (note?.cause.map { ", because \($0)" } ?? "")
  }

  /// The problem of the newest message that a filter selects, arrived or not, and whether a scenario is the
  /// reason.
  package func problemOfNewest(_ filter: Filter) throws -> (text: String, isOnPurpose: Bool)? {
    guard let message = try newest(filter, onHandsets: false, limit: 1).first,
      let text = try problem(with: message)
    else { return nil }
    return (text, sandbox.deliveryNotes[message.ordinal]?.isOnPurpose ?? false)
  }

  private func fate(of message: Message, _ note: DeliveryNotes.Note?) throws -> String? {
    if message.channel == .call, let call = try sandbox.calls.find(message.ordinal), !call.isHeard {
      guard call.result == .answered else { return call.result.inWords }
      if let conversation = call.conversation, !conversation.awaitsKeys { return "has said nothing yet" }
      return "asks for a key (POST /control/calls/\(message.id)/keys)"
    }
    guard let arrival = message.arrivesAt else { return message.absence(at: sandbox.clock.now) }
    if message.isRemoved { return "was removed from the inbox" }
    if arrival > sandbox.clock.now { return "arrives at \(arrival.iso8601Milliseconds)" }
    if message.formerHolder != nil { return "stayed with the previous holder of the number" }
    if let damage = note?.damage { return damage.inWords }
    return note?.cause == nil || message.code != nil ? nil : "shows no readable code"
  }
}

extension Message {
  /// Why it does not arrive.
  fileprivate func absence(at now: Timestamp) -> String {
    guard let end = receipts.last else { return "is lost" }
    switch end.state {
    case .expired where submittedAt + end.after > now:
      return "is held until \((submittedAt + end.after).iso8601Milliseconds), then it expires"
    case .expired: return "has expired"
    case .delivered, .read: return "is lost, although its receipt says that it was delivered"
    case .rejected, .refused: return "is refused"
    case .accepted, .enroute, .undeliverable: return "is lost"
    }
  }
}

extension TextDamage {
  fileprivate var inWords: String {
    switch self {
    case .garbled: "shows no readable code"
    case .oldCode: "shows an old code"
    case .segmentLost: "lacks a part"
    case .truncated: "is cut off"
    case .wrongEncoding: "is shown in a wrong encoding"
    }
  }
}

extension CallPlan.Result {
  fileprivate var inWords: String {
    switch self {
    case .answered: "is answered"
    case .hungUp: "ends before the code is read"
    case .busy: "finds the line busy"
    case .noAnswer: "is not answered"
    case .declined: "is declined"
    case .voicemail: "is answered by a machine"
    case .unreachable: "does not reach the handset"
    }
  }
}

extension Channel {
  fileprivate var noun: String {
    switch self {
    case .sms: "text"
    case .call: "call"
    case .email: "email"
    case .push: "push"
    case .whatsapp, .rcs, .viber, .telegram, .zalo, .silent: "message"
    }
  }
}
