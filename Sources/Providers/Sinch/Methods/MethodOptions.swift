import ProviderKit

/// The options of a verification: those of the request, over which those of the callback's answer win.
/// Source: contract 3 and 7.
struct MethodOptions: Equatable {
  var codeType = CodeType.numeric
  /// In seconds; nil: that of the settings.
  var expiry: Int?
  /// With `{{CODE}}`; nil: the sandbox's own in the language.
  var template: String?
  var language = Language.english
  /// How long a flash call rings, in seconds.
  var dialTimeout = 30
  /// In seconds; nil: that of the method.
  var interceptionTimeout: Int?
  var speechLocale = "en-US"
  /// The callback's code.
  var code: String?
  /// The callback's caller number, in E.164.
  var cli: String?

  /// For storing.
  static let schema = Schema<MethodOptions>([
    .field("codeType", \.codeType, .word), .optional("expiry", \.expiry, .count),
    .optional("template", \.template, .string), .field("language", \.language, .word),
    .field("dialTimeout", \.dialTimeout, .count),
    .optional("interceptionTimeout", \.interceptionTimeout, .count),
    .field("speechLocale", \.speechLocale, .string), .optional("code", \.code, .string),
    .optional("cli", \.cli, .string),
  ])

  var text: String { template ?? language.template }
}

/// Reads options of requests and of the callback's answers.
extension MethodOptions {
  /// The options of a start. The member names are those of the request. Source: contract 3.
  mutating func read(_ fields: Fields, of method: VerificationMethod) throws {
    switch method {
    case .sms:
      guard let sms = try fields.optionalObject("smsOptions") else { return }
      try readCodeType(sms)
      try readExpiry(sms)
      if let text = try sms.optionalString("template") {
        guard Placeholders.doubleBraces.contains("CODE", in: text),
          text.unicodeScalars.count <= Self.maxTemplate
        else {
          throw APIError.invalid(
            "smsOptions.template", expected: "a text with {{CODE}}, of at most \(Self.maxTemplate) characters"
          )
        }
        template = text
      }
      if let tag = try sms.optionalString("locale") { language = Language(preferred: [tag]) }
    case .flashcall:
      if let call = try fields.optionalObject("flashCallOptions") { try readTimeouts(call) }
    case .callout:
      if let call = try fields.optionalObject("calloutOptions") { try readSpeech(call) }
    case .whatsapp:
      if let options = try fields.optionalObject("whatsappOptions") { try readCodeType(options) }
    case .seamless: break
    }
  }

  /// The overrides in the answer to a request callback. Source: contract 7.
  mutating func override(with answer: Fields, of method: VerificationMethod) throws {
    guard let fields = try method.members.lazy.compactMap({ try answer.optionalObject($0) }).first else {
      return
    }
    switch method {
    case .sms:
      try readCode(fields)
      try readCodeType(fields)
      try readExpiry(fields)
      if let tags = try fields.optionalStrings("acceptLanguage") { language = Language(preferred: tags) }
    case .flashcall:
      if let text = try fields.optionalString("cli") {
        guard let number = PhoneNumber(text.hasPrefix("+") ? text : "+\(text)") else {
          throw APIError.invalid("cli", expected: PhoneNumber.expected)
        }
        cli = number.description
      }
      try readTimeouts(fields)
    case .callout:
      try readCode(fields)
      try readSpeech(fields)
    case .whatsapp:
      try readCodeType(fields)
      if let tags = try fields.optionalStrings("acceptLanguage") { language = Language(preferred: tags) }
    case .seamless: break
    }
  }

  private mutating func readCode(_ fields: Fields) throws {
    guard let text = try fields.optionalString("code") else { return }
    guard Self.isCode(text) else {
      throw APIError.invalid("code", expected: "1 to 10 letters, digits or hyphens")
    }
    code = text
  }

  private mutating func readCodeType(_ fields: Fields) throws {
    guard let word = try fields.optionalString("codeType") else { return }
    guard let type = CodeType(rawValue: word) else {
      throw APIError.invalid("codeType", expected: "one of \(CodeType.words)")
    }
    codeType = type
  }

  /// `HH:MM:SS`; 00:00:00 is refused. Source: contract 9.
  private mutating func readExpiry(_ fields: Fields) throws {
    guard let text = try fields.optionalString("expiry") else { return }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isDigit) ? Int($0) : nil }
    guard parts.count == 3, numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] < 60,
      numbers != [0, 0, 0]
    else {
      throw APIError.invalid("expiry", expected: "HH:MM:SS from 00:00:01 to 23:59:59")
    }
    expiry = numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
  }

  private mutating func readTimeouts(_ fields: Fields) throws {
    dialTimeout = try Self.timeout(fields, "dialTimeout") ?? dialTimeout
    interceptionTimeout = try Self.timeout(fields, "interceptionTimeout") ?? interceptionTimeout
  }

  private static func timeout(_ fields: Fields, _ name: String) throws -> Int? {
    guard let seconds = try fields.optionalInt(name) else { return nil }
    guard (5...120).contains(seconds) else { throw APIError.invalid(name, expected: "5 to 120 seconds") }
    return seconds
  }

  private mutating func readSpeech(_ fields: Fields) throws {
    guard let speech = try fields.optionalObject("speech"), let tag = try speech.optionalString("locale")
    else { return }
    let parts = tag.split(whereSeparator: { $0 == "-" || $0 == "_" })
    let isTag = parts.allSatisfy { (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isAlphanumeric) }
    guard (1...4).contains(parts.count), isTag else {
      throw APIError.invalid("speech.locale", expected: "a language tag such as en-US")
    }
    speechLocale = parts.joined(separator: "-")
  }

  private static let maxTemplate = 1600

  /// True for 1 to 10 letters, digits and hyphens. Source: contract 3.
  static func isCode(_ text: String) -> Bool {
    (1...10).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
  }
}
