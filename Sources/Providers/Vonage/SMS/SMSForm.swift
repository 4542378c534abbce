import ProviderKit

/// The parameters of a text, each valid by itself. Source: `senders.md` 5.
struct SMSForm {
  let sender: String
  /// As the handset shows it.
  var text = ""
  var parts = 1
  var validity = Duration.seconds(72 * 3600)
  var wantsReceipt = true
  var callback: String?
  var clientReference: String?
  var accountReference: String?
  /// What the journal notes about a request that succeeds.
  var note: String?

  private let fields: LegacyFields

  /// The number that gets the text: 7 to 15 digits, with or without `+` or `00`.
  static func receiver(_ context: LegacyContext) throws -> PhoneNumber {
    guard let text = try context.fields["to"] else { throw LegacyError(sms: .missing, "Missing to param") }
    do throws(NumberProblem) {
      return try LegacyFields.number(text, of: nil)
    } catch {
      throw LegacyError.invalid("to", error.why)
    }
  }

  init(_ fields: LegacyFields) throws {
    self.fields = fields
    guard let sender = try fields["from"] else { throw LegacyError(sms: .missing, "Missing from param") }
    guard Self.isSender(sender) else {
      throw LegacyError.invalid("from", "expected at most 15 digits, or a name of at most 11 characters")
    }
    self.sender = sender
    try readText()
    try readOptions()
  }

  /// Of `/sc/us/2fa`, where the account's short code is the sender.
  init(shortCode fields: LegacyFields) throws {
    self.fields = fields
    sender = Self.shortCode
    guard let pin = try fields["pin"] else { throw LegacyError(sms: .missing, "Missing pin param") }
    let template = try fields["text"] ?? "Your PIN is ${pin}"
    text = TextEncoding.gsm7(template.replacing("${pin}", with: pin))
    parts = TextEncoding(of: text).segments
    try requireLength(of: text)
    try readOptions()
  }

  /// The sandbox's choice.
  private static let shortCode = "96167"

  /// Blanks in a name do not count.
  static func isSender(_ text: String) -> Bool {
    let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
    if digits.utf8.allSatisfy({ $0.isDigit }) { return (1...15).contains(digits.utf8.count) }
    return (1...11).contains(text.unicodeScalars.filter { $0 != " " }.count)
  }

  private mutating func readText() throws {
    let type = try fields["type"] ?? "text"
    guard type != "binary" else { return try readBinary() }
    guard type == "text" || type == "unicode" else {
      throw LegacyError.invalid("type", "expected text, unicode or binary")
    }
    guard let sent = try fields["text"] else { throw LegacyError(sms: .missing, "Missing text param") }
    try requireLength(of: sent)
    text = type == "text" ? TextEncoding.gsm7(sent) : sent
    parts = TextEncoding(of: text, in: type == "unicode" ? .ucs2 : .gsm7).segments
    if text != sent {
      note = "text: characters that the GSM alphabet lacks arrive as ?; type=unicode keeps them"
    }
  }

  private func requireLength(of text: String) throws {
    let length = text.unicodeScalars.count
    guard length <= 3200 else {
      throw LegacyError(sms: .tooLong).because("text: expected at most 3200 characters; found \(length)")
    }
  }

  /// The handset shows the digits of the header and the body.
  private mutating func readBinary() throws {
    guard let body = try fields["body"] else { throw LegacyError(sms: .missing, "Missing body param") }
    let header = try fields["udh"] ?? ""
    for (name, digits) in [("body", body), ("udh", header)] {
      guard digits.utf8.count.isMultiple(of: 2), digits.utf8.allSatisfy(\.isHexDigit) else {
        throw LegacyError.invalid(name, "expected pairs of hex digits")
      }
    }
    guard header.utf8.count + body.utf8.count <= 280 else {
      throw LegacyError(sms: .tooLong).because("body: expected at most 140 bytes with udh")
    }
    _ = try fields.integer("protocol-id", 0...255)
    text = header + body
  }

  private mutating func readOptions() throws {
    if let milliseconds = try fields.integer("ttl", 20_000...604_800_000) {
      validity = .milliseconds(milliseconds)
    }
    wantsReceipt = try flag("status-report-req") ?? true
    _ = try flag("trusted-number")
    _ = try fields.integer("message-class", 0...3)
    clientReference = try fields.text("client-ref", atMost: 100)
    accountReference = try fields["account-ref"]
    // They have no effect.
    for name in ["entity-id", "content-id", "pool-id"] { _ = try fields[name] }
    callback = try fields["callback"]
    if let url = callback, url.unicodeScalars.count > 100 || AbsoluteURL(url) == nil {
      throw LegacyError(sms: .callback).because(
        "callback: expected an http or https URL of at most 100 characters")
    }
  }

  private func flag(_ name: String) throws -> Bool? {
    switch try fields[name]?.lowercased() {
    case nil: nil
    case "1", "true": true
    case "0", "false": false
    default: throw LegacyError.invalid(name, "expected 1, true, 0 or false")
    }
  }
}
