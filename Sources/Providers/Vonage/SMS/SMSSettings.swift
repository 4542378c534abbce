import ProviderKit

extension Settings {
  /// Source: `senders.md` 5 and 11.
  static let smsFields: [Field<Settings>] = [
    .field(
      "deliveryUrl", \.deliveryURL, .webURL, default: "",
      "Where delivery receipts of texts go whose requests name no callback; empty: nowhere."),
    .field(
      "inboundUrl", \.inboundURL, .webURL, default: "",
      "Where texts go that people send to the account's senders; empty: nowhere."),
    .field(
      "smsWebhookMethod", \.smsWebhookMethod, .word, default: .json,
      "How delivery receipts and people's texts are sent: POST-JSON, POST with a form, or GET."),
    .field(
      "signWebhooks", \.signWebhooks, .boolean, default: false,
      "Whether delivery receipts and people's texts are signed."),
    .field(
      "signatureMethod", \.signatureMethod, .word, default: .md5hash,
      "How texts are signed, and their webhooks."),
    .field(
      "smsMessageId", \.smsMessageID, .word, default: .uuid,
      "The ids of texts: UUIDs, or 16 hex digits as the provider used to have."),
    .field(
      "smsPrice", \.smsPrice, .euros, default: "0.03330000", "The price of each part of a text, in euros."),
    .field(
      "balance", \.balance, .euros, default: "10000.00000000",
      "What the account had before its first text, in euros."),
    .field(
      "throughput", \.throughput, .integer(0...1_000_000), default: 0,
      "Texts that the account may send in a second, such as 30; 0: any number."),
    .field(
      "demo", \.demo, .array(of: .phoneNumber, maxItems: SandboxLimits.numbers), default: [],
      "Makes it a demo account, which may send texts to these numbers only, else status 29; empty: to all."),
    .field(
      "barred", \.barred, .array(of: .phoneNumber, maxItems: SandboxLimits.numbers), default: [],
      "Numbers to which the provider sends no texts."),
    .field(
      "numericSenderCountries", \.numericSenderCountries,
      .array(of: .countryCode, maxItems: SandboxLimits.items), default: [],
      "Countries in which the sender of a text must be a number, ISO 3166-1 alpha-2."),
    .field(
      "shortCodes", \.shortCodes, .word, default: .accept,
      "Whether the account has a short code for two-factor authentication, else status 101."),
    .field(
      "conversions", \.conversions, .word, default: .refuse,
      "Whether the account may report conversions, else 402."
    ),
  ]
}

extension FieldType where Value == String {
  /// Up to ten million euros.
  fileprivate static var euros: FieldType {
    .text(.string(pattern: "^[0-9]{1,7}[.][0-9]{8}$"), expected: "euros such as 0.03330000") { text in
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 2 && (1...7).contains(parts[0].utf8.count) && parts[1].utf8.count == 8
        && parts.allSatisfy { $0.utf8.allSatisfy { $0.isDigit } }
    }
  }
}
