import ProviderKit

/// One message of a request: the first one, or one of its failover. Source: `senders.md` 6.
struct MessageItem: Equatable, Sendable {
  enum ChannelName: String, CaseIterable, Sendable {
    case sms, rcs, whatsapp, mms
    case viber = "viber_service"
    case messenger, email
  }

  var channel = ChannelName.sms
  /// As in the request.
  var to = ""
  var from = ""
  /// As the handset shows it.
  var text = ""
  /// The values of a template.
  var variables: [String] = []
  /// Of SMS: the app's choice.
  var alphabet: TextEncoding.Alphabet?
  /// In seconds.
  var validity = 259_200
  var clientReference: String?
  /// Where its status goes, instead of the application's or account's URL.
  var webhookURL: String?

  static let schema = Schema<MessageItem>([
    .required("channel", \.channel, .word),
    .required("to", \.to, .string),
    .required("from", \.from, .string),
    .required("text", \.text, .string),
    .field("variables", \.variables, .array(of: .string, maxItems: 1000), default: []),
    .optional("alphabet", \.alphabet, .word),
    .required("validity", \.validity, .count),
    .optional("clientReference", \.clientReference, .string),
    .optional("webhookUrl", \.webhookURL, .string),
  ])

  init() {}

  /// Notes what is wrong with it; then it is not to be used.
  init(_ reader: Reader) {
    let isText = reader.needed("channel", "one of \(ChannelName.words)") { ChannelName(rawValue: $0) != nil }
    guard let name = isText, let channel = ChannelName(rawValue: name) else { return }
    self.channel = channel
    to = reader.needed("to", channel.expectedReceiver, where: channel.isReceiver) ?? ""
    from = reader.needed("from", channel.expectedSender, where: channel.isSender) ?? ""
    let types = channel.types
    if let type = reader.needed(
      "message_type", "one of \(types.joined(separator: ", "))", where: types.contains)
    {
      (text, variables) = MessageContent.read(type, of: channel, reader)
      if text.unicodeScalars.count > MessageContent.longest {
        reader.note(type, "expected at most \(MessageContent.longest) characters in all")
      }
    }
    readOptions(reader)
  }

  private mutating func readOptions(_ reader: Reader) {
    validity = reader.integer("ttl", channel == .sms ? 20...604_800 : 20...259_200) ?? validity
    clientReference = reader.text("client_ref", "at most 100 characters") { $0.unicodeScalars.count <= 100 }
    webhookURL = reader.text("webhook_url", "an http or https URL") { AbsoluteURL($0) != nil }
    _ = reader.text("webhook_version", "v1 or v0.1") { $0 == "v1" || $0 == "v0.1" }
    _ = reader.flag("trusted_recipient")
    guard let options = reader.object(channel.rawValue) else { return }
    switch channel {
    case .sms:
      let word = options.text("encoding_type", "auto, text or unicode") {
        ["auto", "text", "unicode"].contains($0)
      }
      alphabet = word == "unicode" ? .ucs2 : word == "text" ? .gsm7 : nil
      if alphabet == .gsm7 { text = TextEncoding.gsm7(text) }
      for name in ["content_id", "entity_id", "pool_id"] { _ = options.text(name, "a text") }
    case .whatsapp:
      _ = options.text("policy", "deterministic") { $0 == "deterministic" }
      _ = options.text("locale", "a text")
    case .rcs, .mms, .viber, .messenger, .email: break
    }
  }

  /// The receiver's phone number; nil for an email address and an id.
  var number: PhoneNumber? {
    channel.hasNumbers ? PhoneNumber("+\(to.drop { $0 == "+" })") : nil
  }

  /// The parts of a text message; 1 over other channels.
  var parts: Int { channel == .sms ? TextEncoding(of: text, in: alphabet).segments : 1 }
}

extension MessageItem.ChannelName {
  /// Multimedia messages arrive as texts. Messenger is not a channel of the sandbox: WhatsApp, which has the
  /// same owner, stands for it.
  var channel: Channel {
    switch self {
    case .sms, .mms: .sms
    case .rcs: .rcs
    case .whatsapp, .messenger: .whatsapp
    case .viber: .viber
    case .email: .email
    }
  }

  var hasNumbers: Bool { self != .messenger && self != .email }

  fileprivate var types: [String] {
    switch self {
    case .sms: ["text"]
    case .mms: ["text", "image", "vcard", "audio", "video", "file", "content"]
    case .rcs: ["text", "image", "video", "file", "card", "carousel", "custom"]
    case .whatsapp:
      ["text", "image", "audio", "video", "file", "template", "sticker", "reaction", "custom"]
    case .viber: ["text", "image", "video", "file"]
    case .messenger: ["text", "image", "audio", "video", "file"]
    case .email: ["text", "html", "template"]
    }
  }

  fileprivate var expectedReceiver: String {
    hasNumbers ? "7 to 15 digits" : self == .email ? "an email address" : "at most 50 characters"
  }

  fileprivate func isReceiver(_ text: String) -> Bool {
    switch self {
    case .email: return text.utf8.count <= 254 && text.dropFirst().dropLast().contains("@")
    case .messenger: return (1...50).contains(text.utf8.count)
    case .sms, .rcs, .whatsapp, .mms, .viber:
      let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
      return (7...15).contains(digits.utf8.count) && PhoneNumber("+\(digits)") != nil
    }
  }

  fileprivate var expectedSender: String {
    self == .sms ? "at most 15 digits, or a name of at most 11 characters" : "1 to 100 characters"
  }

  fileprivate func isSender(_ text: String) -> Bool {
    self == .sms ? SMSForm.isSender(text) : (1...100).contains(text.utf8.count)
  }
}

extension Reader {
  /// A text that must be there.
  func needed(
    _ name: String, _ expected: @autoclosure () -> String, where isValid: (String) -> Bool = { _ in true }
  ) -> String? {
    guard fields.has(name) else {
      note(name, "is required.")
      return nil
    }
    return text(name, expected(), where: isValid)
  }

  /// A reader of a nested object; nil if it is missing or none.
  func object(_ name: String, required: Bool = false) -> Reader? {
    guard fields.has(name) else {
      if required { note(name, "is required.") }
      return nil
    }
    guard let nested = try? fields.optionalObject(name) else {
      note(name, "expected an object")
      return nil
    }
    return Reader(fields: nested, faults: faults, place: "\(place)\(name).")
  }

  /// The same of each object in an array; none if it is missing or none.
  func objects(_ name: String, atMost limit: Int) -> [Reader] {
    guard fields.has(name) else { return [] }
    guard let nested = try? fields.optionalObjects(name), nested.count <= limit else {
      note(name, "expected at most \(limit) objects")
      return []
    }
    return nested.enumerated().map {
      Reader(fields: $0.element, faults: faults, place: "\(place)\(name)[\($0.offset)].")
    }
  }
}
