import ProviderKit

/// A text that a person has sent to a sender of the account. Source: `senders.md` 5.
enum InboundSMS {
  /// A long text comes part by part.
  static func receive(_ text: Message, to answered: Message?, in sandbox: Sandbox) throws {
    let url = try Settings.current(in: sandbox).inboundURL
    guard !url.isEmpty, let written = try answered ?? sandbox.messages.newest(from: text.destination),
      let sms = try StoredSMS.find(of: written, in: sandbox)
    else { return }
    let parts = TextEncoding.parts(of: text.text)
    let isUnicode = TextEncoding(of: text.text).alphabet == .ucs2
    let keyword = keyword(of: text.text)
    let now = text.submittedAt
    for (index, part) in parts.enumerated() {
      let id = sandbox.entropy.identifier("vonage inbound", text.ordinal, index)
      var members: [SMSSignature.Parameter] = [
        ("msisdn", String(text.sender.drop { $0 == "+" })),
        ("to", String(text.destination.drop { $0 == "+" })), ("messageId", UUIDText.version4(id)),
      ]
      if parts.count > 1 {
        members += [
          ("concat", "true"), ("concat-ref", String(text.ordinal % 256)),
          ("concat-total", String(parts.count)), ("concat-part", String(index + 1)),
        ]
      }
      members += [
        ("text", String(part)), ("type", isUnicode ? "unicode" : "text"), ("keyword", keyword),
        ("api-key", sms.account), ("message-timestamp", now.sqlText),
      ]
      try SMSWebhook(members, to: url, at: now, in: sandbox).enqueue(
        .inboundSMS, about: text.ordinal, at: now, in: sandbox)
    }
  }

  /// The first word in upper case.
  static func keyword(of text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).first?.uppercased() ?? ""
  }
}
