package import Domain
import ProviderKit

extension PreludeProvider {
  /// Takes notice of what people write to the account, of lines that are given up, and of messages whose end came
  /// otherwise than planned.
  package static func handleEvent(_ notice: DomainEvent, in sandbox: Sandbox) throws {
    switch notice {
    case .reply(let text, let answered): try hear(text, answering: answered, in: sandbox)
    case .released(let message):
      try tellReleasedAttempt(message, in: sandbox)
      try tellReleasedNotification(message, in: sandbox)
    case .abandoned(let number):
      for entry in try Subscription.list(in: sandbox) { try entry.record.disconnect(number, in: sandbox) }
    case .lost(let message): try fallBack(from: message, in: sandbox)
    case .answered, .marked, .stepBegun, .stepFailed, .ended: break
    }
  }
}

/// A text is a keyword to the subscriptions that hear it, or a message to the account where it came by one of the
/// apps that carry these both ways. Source: contract 10; the vendor's pages on subscriptions, WhatsApp and RCS.
private func hear(_ text: Message, answering answered: Message?, in sandbox: Sandbox) throws {
  guard let writer = PhoneNumber(text.sender) else { return }
  let isAnswer = answered?.isPreludeNotification ?? false
  let hearers = try Subscription.list(in: sandbox).map(\.record).filter {
    $0.hears(text.destination, isAnswer: isAnswer)
  }
  if let keyword = Keyword(text.text), !hearers.isEmpty {
    for subscription in hearers { try subscription.obey(keyword, from: writer, in: text, sandbox) }
  } else if try isAnswer || !hearers.isEmpty || SenderID.isApproved(text.destination, in: sandbox) {
    try InboundMessage(text, from: writer, at: sandbox.clock.now, in: sandbox)?.receive(in: sandbox)
  }
}

extension Message {
  /// Whether Notify has sent it.
  fileprivate var isPreludeNotification: Bool {
    provider == PreludeProvider.name && reference.hasPrefix(Kind.message.rawValue + "_")
  }
}
