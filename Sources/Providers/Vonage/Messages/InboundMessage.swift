import ProviderKit

/// A text that a person has sent to the sender of a message. Source: `senders.md` 6.
struct InboundMessage: Equatable, Sendable {
  var channel = MessageItem.ChannelName.sms

  private static let table = RecordTable<InboundMessage>(
    "inboundMessage", of: VonageProvider.name, Schema([.required("channel", \.channel, .word)])
  ) { InboundMessage() }

  static func find(_ uuid: String, in sandbox: Sandbox) throws -> InboundMessage? {
    try table.find(uuid.lowercased(), in: sandbox)
  }

  /// A long text comes as one.
  static func receive(_ text: Message, to answered: Message?, in sandbox: Sandbox) throws {
    guard let written = try answered ?? sandbox.messages.newest(from: text.destination),
      let sent = try SentMessage.find(of: written, in: sandbox)
    else { return }
    let own = try sent.application.map { try Application.find($0, in: sandbox)?.inboundURL ?? "" }
    let url = try own ?? Settings.current(in: sandbox).inboundURL
    guard !url.isEmpty else { return }
    let uuid = UUIDText.version4(sandbox.entropy.identifier("vonage inbound message", text.ordinal))
    try table.deleteOldest(in: sandbox)
    try table.save(
      InboundMessage(channel: sent.item.channel), as: uuid, ordinal: text.ordinal, in: sandbox)
    let line = try PhoneNumber(text.sender).map { try sandbox.subscribers[$0] }
    let body = JSONWriter.text { write(text, uuid, sent.item.channel, line, to: &$0) }
    try MessageWebhook(application: sent.application, body: body).enqueue(
      .inboundMessage, to: url, about: text.ordinal, at: text.submittedAt, in: sandbox)
  }

  private static func write(
    _ text: Message, _ uuid: String, _ channel: MessageItem.ChannelName, _ line: Subscriber?,
    to json: inout JSONWriter
  ) {
    json.member("channel", channel.rawValue)
    json.member("message_uuid", uuid)
    json.member("to", String(text.destination.drop { $0 == "+" }))
    json.member("from", String(text.sender.drop { $0 == "+" }))
    json.member("timestamp", text.submittedAt.iso8601)
    json.member("message_type", "text")
    json.member("text", text.text)
    if channel == .sms {
      json.object("sms") { json in
        json.member("num_messages", String(TextEncoding(of: text.text).segments))
        json.member("keyword", InboundSMS.keyword(of: text.text))
      }
      if let line { json.object("origin") { $0.member("network_code", line.mcc + line.mnc) } }
    } else if channel == .whatsapp {
      let names = [line?.kyc[.givenName], line?.kyc[.familyName]].compactMap { $0 }
      json.object("profile") { json in
        json.member("name", names.isEmpty ? text.sender : names.joined(separator: " "))
      }
      json.member("context_status", "none")
    }
  }
}
