import ProviderKit

/// The text of a verification's message before its code is known. Source: contract 4.1, 4.4 and 20.
struct MessageText {
  /// In characters. Source: contract 13.2.
  static let limit = 500

  let language: Language
  /// Nil: the language's usual text.
  private var template: (text: String, values: [String: String])?
  /// Why the request's language is not used; for the journal.
  private(set) var why: String?
  /// Who the text says it is from.
  private var sender = ""

  /// The text for the form's template, channel and language. Fails for templates and languages that cannot be
  /// used, and with 60247 for a text that is too long.
  init(for form: VerificationForm, in context: RequestContext) throws {
    self = try TemplateText(for: form, in: context).choose() ?? Self.usual(for: form, in: context)
    sender = form.customFriendlyName ?? context.service.friendlyName ?? ""
    guard template != nil || form.customFriendlyName != nil else { return }
    // Any code of this length gives the same length.
    let sample = filled(code: String(repeating: "0", count: context.service.digits))
    guard sample.count <= MessageText.limit else {
      throw APIError(code: 60247).because(
        "the message has \(sample.count) characters; expected at most \(MessageText.limit)")
    }
  }

  init(
    in language: Language, template: (text: String, values: [String: String])? = nil, why: String? = nil
  ) {
    self.language = language
    self.template = template
    self.why = why
  }

  func filled(code: String) -> String {
    guard let template else { return language.message(from: sender, code: code) }
    return Placeholders.doubleBraces.fill(template.text) { name in
      switch name {
      case "friendly_name": sender
      case "code": code
      default: template.values[name]
      }
    }
  }

  private static func usual(for form: VerificationForm, in context: RequestContext) throws -> MessageText {
    guard let tag = form.locale else { return MessageText(in: form.countryLanguage) }
    guard let language = Language.find(tag) else {
      guard context.settings.unsupportedLocale == .english else { throw unsupported(tag, context) }
      return MessageText(in: .english, why: "Locale: no text in \(tag), so it is in English")
    }
    guard form.channel.hasTranslations else { return MessageText(in: .english) }
    guard form.channel != .call || language.question != nil else {
      return MessageText(in: .english, why: unspoken(language))
    }
    return MessageText(in: language)
  }

  private static func unsupported(_ tag: String, _ context: RequestContext) -> APIError {
    context.notFound(
      "Locale: expected one of \(Language.all.map(\.tag).joined(separator: ", ")), not \(tag); "
        + "the setting unsupportedLocale can choose English instead")
  }

  /// The provider only logs this error. Source: contract 13.3.
  static func unspoken(_ language: Language) -> String {
    "60331: calls do not speak \(language.tag), so the text is in English"
  }
}

extension VerificationForm {
  /// The language of the number's country, if the channel has it; else English.
  var countryLanguage: Language {
    guard channel.hasTranslations else { return .english }
    let language = Language.ofCountry(of: to)
    return channel == .call && language.question == nil ? .english : language
  }
}

extension Channel {
  /// Source: contract 20; email and silent verification are in English.
  fileprivate var hasTranslations: Bool { self != .email && self != .silent }

  /// Nil for a channel without templates.
  var ofTemplates: Template.Channel? {
    switch self {
    case .sms: .sms
    case .call: .voice
    default: nil
    }
  }
}
