import ProviderKit

/// A message that a person has sent to the account. Source: contract 10 and 12.3.
struct InboundMessage: StoredRecord {
  /// The channels that carry messages both ways.
  enum App: String, CaseIterable {
    case whatsapp
    case rcs

    /// How long after a person's latest message they may be answered; nil: forever. Source: contract 10 and
    /// https://docs.prelude.so/notify/v2/documentation/rcs, read 2026-11-21.
    var replyWindow: Duration? { self == .whatsapp ? .seconds(86_400) : nil }

    var channel: Channel { self == .whatsapp ? .whatsapp : .rcs }
  }

  /// `im_…`
  var id = ""
  var app = App.whatsapp
  /// The person's number in E.164.
  var from = ""
  /// The account's number or agent; nil: the seed does not say.
  var to: String?
  /// Nil: the seed does not say.
  var text: String?
  var receivedAt: Timestamp

  init(at receivedAt: Timestamp) { self.receivedAt = receivedAt }

  /// Nil for texts of other channels.
  init?(_ text: Message, from writer: PhoneNumber, at now: Timestamp, in sandbox: Sandbox) {
    guard let app = App(rawValue: text.channel.rawValue) else { return nil }
    id = Identifier.text(.inbound, text.ordinal, at: now, in: sandbox)
    self.app = app
    from = writer.description
    to = text.destination
    self.text = text.text
    receivedAt = now
  }

  static let schema = Schema<InboundMessage>(
    nil, "A message that a person has sent.",
    [
      .required(
        "id", \.id,
        .text(
          .string(pattern: "^im_[0-9A-Za-z_]{1,64}$"), expected: "im_ and 1 to 64 letters and digits",
          isValidID),
        "The id in replies."),
      .field("channel", \.app, .word, default: .whatsapp, "How it was sent."),
      .required("from", \.from, .e164, "The sender in E.164."),
      .optional("to", \.to, .string, "The account's number or agent. Replies come from it."),
      .optional("text", \.text, .string, "The text."),
      .field("receivedAt", \.receivedAt, .rfc3339, "When it arrived, RFC 3339; without it: now."),
    ])

  @Sendable
  static func isValidID(_ id: String) -> Bool {
    let rest = id.dropFirst(3)
    return id.hasPrefix("im_") && (1...64).contains(rest.utf8.count)
      && rest.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
  }

  /// Also deletes the oldest messages of the same person.
  func save(in sandbox: Sandbox) throws {
    try Self.table.save(self, as: id, group: from, in: sandbox)
    try Self.table.trim(from, to: Self.maxPerPerson, in: sandbox)
  }

  /// Until when it may be replied to: later messages of the person extend the time. Nil: forever.
  func replyDeadline(in sandbox: Sandbox) throws -> Timestamp? {
    guard let window = app.replyWindow else { return nil }
    let newest = try Self.table.list(group: from, in: sandbox).map(\.record)
      .filter { $0.app == app && $0.to == to }.map(\.receivedAt).max()
    return max(newest ?? receivedAt, receivedAt) + window
  }

  /// A keyword goes to the subscriptions that receive the text. Any other text becomes an inbound message if
  /// it came by WhatsApp or RCS. Source: contract 10; the provider's pages on subscriptions, WhatsApp, RCS.
  static func receive(_ text: Message, replyingTo answered: Message?, in sandbox: Sandbox) throws {
    guard let writer = PhoneNumber(text.sender) else { return }
    let isReply = answered?.isNotification ?? false
    let configs = try SubscriptionConfig.list(in: sandbox).map(\.record).filter {
      $0.receives(textsTo: text.destination, isReply: isReply)
    }
    if let keyword = SubscriptionKeyword(text.text), !configs.isEmpty {
      for config in configs { try config.apply(keyword, from: writer, in: text, sandbox) }
    } else if try isReply || !configs.isEmpty || SenderID.isApproved(text.destination, in: sandbox) {
      try InboundMessage(text, from: writer, at: sandbox.clock.now, in: sandbox)?.receive(in: sandbox)
    }
  }

  /// Stores it, and enqueues the event.
  private func receive(in sandbox: Sandbox) throws {
    try save(in: sandbox)
    let url = try Settings.current(in: sandbox).inboundCallbackURL
    guard !url.isEmpty else { return }
    try NotifyEvent(
      kind: Self.eventKind, time: receivedAt, number: from, payload: JSONWriter.object(writePayload)
    ).enqueue(about: sandbox.nextOrdinal(), to: url, in: sandbox)
  }

  static let eventKind = "inbound.message.received"

  /// The provider describes the payload without the names of the times: those are the sandbox's own.
  /// Source: https://docs.prelude.so/notify/v2/documentation/whatsapp, read 2026-11-21.
  private func writePayload(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("channel", app.rawValue)
    json.member("from", from)
    json.member("to", to)
    json.member("text", text)
    json.member("received_at", receivedAt.iso8601Nanoseconds)
    if let window = app.replyWindow {
      json.member("window_expires_at", (receivedAt + window).iso8601Nanoseconds)
    }
  }

  private static let maxPerPerson = 100
  var key: String { id }
  static let table = RecordTable("inbound message", of: PreludeProvider.name, schema) {
    InboundMessage(at: Timestamp(milliseconds: 0))
  }
}

extension Message {
  /// True for messages of Notify.
  fileprivate var isNotification: Bool {
    provider == PreludeProvider.name && reference.hasPrefix(IdentifierKind.message.prefix)
  }
}
