import ProviderKit

/// Messages: from the provider through the operator to the phone, and the receipts back.
extension DiagramItems {
  mutating func addMessages() {
    for message in history.messages {
      if message.channel.passesNetwork {
        addSubmission(of: message)
        addArrival(of: message, from: .network)
        addReceipt(of: message, from: .network)
      } else {
        addArrival(of: message, from: .provider)
        addReceipt(of: message, from: .phone)
      }
      addCall(of: message)
      addConversation(of: message)
    }
  }

  private mutating func addSubmission(of message: Message) {
    let parts = TextEncoding(of: message.text).segments
    let size = parts == 1 ? "1 part" : "\(parts) parts"
    add(
      Diagram.Step(
        at: message.submittedAt, from: .provider, to: .network,
        text: message.channel == .sms ? "SMS, \(size)" : message.channel.title.capitalizedFirst,
        target: .message(message.ordinal)),
      message.ordinal, .created)
  }

  /// A message that never arrives is shown when that is certain.
  private mutating func addArrival(of message: Message, from lane: Diagram.Lane) {
    let note = history.notes[message.ordinal]
    let target = Diagram.Step.Target.message(message.ordinal)
    if let time = message.arrival(by: history.now) ?? plannedArrival(of: message) {
      // The words of some calls come later.
      let isRing = history.calls[message.ordinal]?.conversation != nil
      let code = isRing ? nil : message.code
      let text = isRing ? "rings" : code ?? message.channel.title.capitalizedFirst
      add(
        Diagram.Step(
          at: time, from: lane, to: .phone, text: lane == .provider ? prefixed(text, message) : text,
          tone: code == nil ? .plain : .code, injected: note?.scenario, target: target),
        message.ordinal, .arrived)
    } else if let end = message.receipts.last, end.state.isFailure || message.arrivesAt == nil {
      let reason = note?.scenario == nil ? note?.cause ?? end.state.reason : end.state.reason
      add(
        Diagram.Step(
          at: message.submittedAt + end.after, from: lane, to: .phone,
          text: lane == .provider
            ? "\(message.channel.title.capitalizedFirst) not delivered" : "not delivered", tone: .failed,
          reason: reason, injected: note?.scenario, target: target, hasHappened: false),
        message.ordinal, .arrived)
    }
  }

  /// Nil for a message that fails, or that was removed on its way.
  private func plannedArrival(of message: Message) -> Timestamp? {
    message.failure == nil && !message.isRemoved ? message.arrivesAt : nil
  }

  private func prefixed(_ text: String, _ message: Message) -> String {
    text == message.channel.title.capitalizedFirst
      ? text : "\(message.channel.title.capitalizedFirst): \(text)"
  }

  /// The last receipt so far.
  private mutating func addReceipt(of message: Message, from lane: Diagram.Lane) {
    guard let receipt = message.receipts(by: history.now).last, message.channel != .push,
      receipt.state != .accepted
    else { return }
    add(
      Diagram.Step(
        at: message.submittedAt + receipt.after, from: lane, to: .provider, text: receipt.state.word,
        tone: receipt.state.isFailure ? .failed : .answer,
        target: .message(message.ordinal)),
      message.ordinal, .receipt)
  }

  /// The keys that the person presses.
  private mutating func addCall(of message: Message) {
    guard let call = history.calls[message.ordinal] else { return }
    let lines = call.transcript(by: history.now - message.submittedAt).filter {
      $0.speaker == .person && $0.text.contains("presses")
    }
    for (place, line) in lines.enumerated() {
      add(
        Diagram.Step(
          at: message.submittedAt + line.after, from: .phone, to: .network,
          text: line.text.filter { !"()".contains($0) }, tone: .answer, target: .message(message.ordinal)),
        message.ordinal, .reaction, place)
    }
  }
}

extension Channel {
  /// True for what the phone's operator carries.
  fileprivate var passesNetwork: Bool { self == .sms || self == .call }
}

extension DeliveryReceipt.State {
  /// As receipts say it.
  var word: String {
    switch self {
    case .accepted: "accepted"
    case .enroute: "on its way"
    case .delivered: "delivered"
    case .read: "read"
    case .expired: "expired on its way"
    case .undeliverable: "undeliverable"
    case .rejected: "rejected"
    case .refused: "not accepted"
    }
  }

  /// Why a message does not arrive; nil if it does.
  var reason: String? {
    switch self {
    case .expired: "the message expired on its way"
    case .undeliverable: "the phone cannot be reached"
    case .rejected: "the network rejected the message"
    case .refused: "the network did not accept the message"
    case .accepted, .enroute, .delivered, .read: nil
    }
  }
}
