import Markup
import ProviderKit

/// The person with a handset, and the messages that were sent to it.
struct HandsetOwner {
  /// A phone number, an email address, or another id of the person at a provider.
  let id: String
  /// Nil if the id is no phone number.
  let subscriber: Subscriber?
  /// The name or the app of the device whose push token or id it is.
  private let device: String?
  /// Oldest first.
  let messages: [Message]
  /// The texts that the person has sent, oldest first.
  let sent: [Message]
  /// Silent verifications of the number, oldest first.
  let sessions: [SilentSession]

  /// Requests for approval that came without a push, oldest first.
  let challenges: [Challenge]
  /// How many messages are on the phone; nil if nobody has counted them.
  var messageCount: Int?

  init(
    _ id: String, _ messages: [Message], sent: [Message], _ sessions: [SilentSession],
    _ challenges: [Challenge], in sandbox: Sandbox, providers: [any Provider.Type]
  ) throws {
    self.id = id
    let subscriber = try PhoneNumber(id).map { try sandbox.subscribers[$0] }
    self.subscriber = subscriber
    device = subscriber == nil && !id.contains("@") ? try Self.device(id, in: sandbox, providers) : nil
    self.messages = messages
    self.sent = sent
    self.sessions = sessions
    self.challenges = challenges
  }

  /// A number without messages.
  init(_ subscriber: Subscriber) {
    id = subscriber.number.description
    self.subscriber = subscriber
    (device, messages, sent, sessions, challenges) = (nil, [], [], [], [])
  }

  private static func device(
    _ id: String, in sandbox: Sandbox, _ providers: [any Provider.Type]
  ) throws -> String? {
    for provider in providers {
      if let name = try provider.deviceName(ofToken: id, in: sandbox) { return name }
    }
    return try (sandbox.devices.find(id) ?? sandbox.devices.find(anyToken: id))?.draft.app
  }

  /// The number as people in its country write it; what is known of the device for a push token.
  var name: String { subscriber?.number.nationalFormat ?? device ?? id }

  /// The ordinal of its newest message, silent verification or request for approval; 0 without any.
  var newestOrdinal: Int {
    [messages.last?.ordinal, sent.last?.ordinal, sessions.last?.ordinal, challenges.last?.ordinal].compactMap(
      \.self
    ).max() ?? 0
  }

  /// True if there is something on the phone.
  var isActive: Bool { newestOrdinal > 0 }

  /// True if the number, the operator or a message contains the text, which is in lower case.
  fileprivate func matches(_ text: String) -> Bool {
    text.isEmpty
      || [id, name, subscriber?.operatorName ?? ""].contains { $0.lowercased().contains(text) }
      || (messages + sent).contains { $0.matches(text) }
  }
}

extension Message {
  /// `text` is in lower case.
  fileprivate func matches(_ text: String) -> Bool {
    [self.text, provider, sender, channel.rawValue].contains { $0.lowercased().contains(text) }
  }
}

/// Selects phones by what they received. It is part of the page's address.
struct PhoneFilter {
  private let entered: String
  /// In lower case.
  private let text: String
  /// Nil: all.
  private let provider: String?
  private let channel: Channel?

  /// What only older messages have, too.
  var messages: Messages.Filter {
    var filter = Messages.Filter()
    (filter.provider, filter.channel) = (provider, channel)
    return filter
  }

  /// As messages have it: only the digits of a number such as `(202) 555-0100`.
  var textInMessages: String { text.soughtInNumbers }

  /// The fields of the address; each ends with `&`.
  var query: String {
    let fields = [("filter", entered), ("provider", provider ?? ""), ("channel", channel?.rawValue ?? "")]
    return fields.filter { !$0.1.isEmpty }.map { "\($0)=\(PercentCoding.encode($1))&" }.joined()
  }

  init(_ query: Form) {
    entered = query["filter"] ?? ""
    text = entered.lowercased()
    provider = query["provider"].flatMap { $0.isEmpty ? nil : $0 }
    channel = query["channel"].flatMap(Channel.init)
  }

  /// True if it selects all phones.
  var isEmpty: Bool { text.isEmpty && provider == nil && channel == nil }

  func matches(_ owner: HandsetOwner) -> Bool {
    guard owner.matches(text) else { return false }
    guard provider != nil || channel != nil else { return true }
    let sources =
      (owner.messages + owner.sent).map { ($0.provider, $0.channel) }
      + owner.sessions.map { ($0.draft.provider, Channel.silent) }
      + owner.challenges.map { ($0.provider, Channel.push) }
    return sources.contains { source, medium in
      (provider == nil || provider == source) && (channel == nil || channel == medium)
    }
  }

  func form(providers: [String], _ view: PhonesView) -> HTML {
    FilterForm(
      text: entered, hint: "number, name or text",
      choices: [
        .init(label: "Provider", name: "provider", options: providers, chosen: provider, all: "all"),
        .init(
          label: "Channel", name: "channel", options: Channel.allCases.map(\.rawValue),
          chosen: channel?.rawValue, all: "all"),
      ], kept: view == .list ? [(PhonesView.field, view.rawValue)] : []
    ).html
  }
}
