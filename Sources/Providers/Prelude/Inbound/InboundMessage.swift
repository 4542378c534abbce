import Domain
import JSON
import ProviderKit

/// A message that a person has sent to the account. Source: contract 10 and 12.3.
struct InboundMessage {
  /// The apps that carry messages both ways.
  enum App: String, CaseIterable {
    case whatsapp
    case rcs

    /// How long after a person's latest message they may be answered; nil: for ever. Source: contract 10 and
    /// https://docs.prelude.so/notify/v2/documentation/rcs, read 2026-11-21.
    var window: Duration? { self == .whatsapp ? .seconds(86_400) : nil }
  }

  /// `im_…`
  let id: String
  /// How it came.
  let app: App
  /// Who wrote.
  let from: PhoneNumber
  /// The account's number or agent; nil: a seed does not say.
  let to: String?
  /// What they wrote; nil: a seed does not say.
  let text: String?
  /// When it came.
  let receivedAt: Timestamp

  /// The message that a text is; nil where it came by none of those apps.
  init?(_ text: Message, from: PhoneNumber, at now: Timestamp, in sandbox: Sandbox) {
    guard let app = App(rawValue: text.channel.rawValue) else { return nil }
    id = identifier(.inbound, text.ordinal, at: now, in: sandbox)
    self.app = app
    self.from = from
    to = text.destination
    self.text = text.text
    receivedAt = now
  }

  /// Reads what a seed says of one: with a time, or as come just now.
  init(_ fields: Fields, at now: Timestamp) throws(FieldError) {
    id = try fields.string("id")
    guard Self.isWellFormed(id) else { throw fields.mismatch("id", expected: "im_ and letters and digits") }
    app = try fields.optionalWord("channel", of: App.self) ?? .whatsapp
    from = try fields.phoneNumber("from")
    to = try fields.optionalString("to")
    text = try fields.optionalString("text")
    receivedAt = try fields.time("receivedAt") ?? now
  }

  /// Writes it as seeds have it.
  func write(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("channel", app.rawValue)
    json.member("from", from.description)
    if let to { json.member("to", to) }
    if let text { json.member("text", text) }
    json.member("receivedAt", receivedAt.iso8601Exact)
  }

  /// Whether a text can name one.
  static func isWellFormed(_ id: String) -> Bool {
    let rest = id.dropFirst(3)
    return id.hasPrefix("im_") && (1...64).contains(rest.utf8.count)
      && rest.utf8.allSatisfy {
        $0.isAlphanumeric || $0 == 0x5F
      }
  }

  /// The one of an id.
  static func find(_ id: String, in sandbox: Sandbox) throws -> InboundMessage? {
    try records.find(id, in: sandbox) { try InboundMessage($0, at: sandbox.clock.now) }
  }

  /// All of them, oldest first.
  static func all(in sandbox: Sandbox) throws -> [InboundMessage] {
    try records.all(in: sandbox) { try InboundMessage($0, at: sandbox.clock.now) }
  }

  /// Keeps it for a sandbox, among the newest of its writer.
  func keep(in sandbox: Sandbox) throws {
    try Self.records.keep(id, in: sandbox, of: from.description) { write(to: &$0) }
    try Self.records.keepNewest(Self.limit, of: from.description, in: sandbox)
  }

  /// Keeps it, and tells the account of it.
  func receive(in sandbox: Sandbox) throws {
    try keep(in: sandbox)
    let url = try Settings.current(in: sandbox).inboundCallbackURL
    guard !url.isEmpty else { return }
    try NotifyEvent(
      kind: "inbound.message.received", time: receivedAt, payload: JSONWriter.object(writePayload)
    ).tell(of: sandbox.nextOrdinal(), to: url, in: sandbox)
  }

  /// Until when it may be answered: each message of its writer's begins the time anew; nil: for ever.
  func answerableUntil(in sandbox: Sandbox) throws -> Timestamp? {
    guard let window = app.window else { return nil }
    let newest = try Self.records.list(in: sandbox, of: from.description) {
      try InboundMessage($0, at: sandbox.clock.now)
    }.map(\.record).filter { $0.app == app && $0.to == to }.map(\.receivedAt).max()
    return max(newest ?? receivedAt, receivedAt) + window
  }

  /// The members. The vendor describes them without the names of the times, which are the sandbox's own.
  /// Source: https://docs.prelude.so/notify/v2/documentation/whatsapp, read 2026-11-21.
  private func writePayload(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("channel", app.rawValue)
    json.member("from", from.description)
    json.member("to", to)
    json.member("text", text)
    json.member("received_at", receivedAt.iso8601Milliseconds)
    if let window = app.window {
      json.member("window_expires_at", (receivedAt + window).iso8601Milliseconds)
    }
  }

  /// How many of one writer are kept.
  private static let limit = 100
  private static let records = Records("inbound message")
}

extension Fields {
  /// A time of RFC 3339, where there is one.
  func time(_ name: String) throws(FieldError) -> Timestamp? {
    guard let text = try optionalString(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw mismatch(name, expected: "a time of RFC 3339, 2026-01-05T10:20:30Z")
    }
    return time
  }
}
