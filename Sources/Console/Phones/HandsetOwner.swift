import Domain

/// The person with a handset, and the messages that were sent to it.
struct HandsetOwner {
  /// A phone number, an email address, or another id of the person at a provider.
  let id: String
  /// Nil if the id is no phone number.
  let subscriber: Subscriber?
  /// Oldest first.
  let messages: [Message]

  init(_ id: String, messages: [Message], in sandbox: Sandbox) throws {
    self.id = id
    subscriber = try PhoneNumber(id).map { try sandbox.subscribers[$0] }
    self.messages = messages
  }

  /// A number without messages.
  init(_ subscriber: Subscriber) {
    id = subscriber.number.description
    self.subscriber = subscriber
    messages = []
  }

  /// The number as people in its country write it.
  var name: String { subscriber?.number.nationalFormat ?? id }

  /// The ordinal of the newest message; 0 if there is none.
  var newestMessage: Int { messages.last?.ordinal ?? 0 }

  /// True if the number, the operator or a message contains the text, which is in lower case.
  func matches(_ text: String) -> Bool {
    text.isEmpty
      || [id, name, subscriber?.operatorName ?? ""].contains { $0.lowercased().contains(text) }
      || messages.contains { $0.matches(text) }
  }
}

extension Message {
  /// `text` is in lower case.
  fileprivate func matches(_ text: String) -> Bool {
    [self.text, provider, sender, channel.rawValue].contains { $0.lowercased().contains(text) }
  }
}
