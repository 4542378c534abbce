import Domain
import HTTP
import JSON
import ProviderKit

/// The text of a verification's message before its code is known. Source: contract 4.1, 4.4 and 20.
struct MessageText {
  /// In characters. Source: contract 13.2.
  static let limit = 500

  let language: Language
  /// Nil: the language's usual text.
  var template: (text: String, values: [String: String])?
  /// Why the request's language is not used; for the journal.
  var remark: String?

  func filled(from name: String, code: String) -> String {
    guard let template else { return language.message(from: name, code: code) }
    var missing: [String] = []
    return fillPlaceholders(of: template.text, missing: &missing) { placeholder in
      switch placeholder {
      case "friendly_name": name
      case "code": code
      default: template.values[placeholder]
      }
    }
  }
}

/// Replaces each `{{name}}` by its value. Names without one go to `missing`, and stay in the text.
func fillPlaceholders(
  of text: String, missing: inout [String], _ value: (_ name: String) -> String?
) -> String {
  var result = ""
  var rest = text[...]
  while let opening = rest.firstRange(of: "{{"),
    let closing = rest[opening.upperBound...].firstRange(of: "}}")
  {
    let name = rest[opening.upperBound..<closing.lowerBound].filter { $0 != " " }
    result += rest[..<opening.lowerBound]
    if let value = value(name) {
      result += value
    } else {
      missing.append(name)
      result += rest[opening.lowerBound..<closing.upperBound]
    }
    rest = rest[closing.upperBound...]
  }
  return result + rest
}

extension RequestContext {
  /// The text for the form's template, channel and language.
  func messageText(for form: VerificationForm) throws -> MessageText {
    let text = try templateText(for: form) ?? usualText(for: form)
    guard text.template != nil || form.customFriendlyName != nil else { return text }
    // Any code of this length gives the same length.
    let sample = text.filled(
      from: senderName(for: form), code: String(repeating: "0", count: service.codeLength ?? 6))
    guard sample.count <= MessageText.limit else {
      throw APIError(code: 60247).because(
        "the message has \(sample.count) characters; expected at most \(MessageText.limit)")
    }
    return text
  }

  func senderName(for form: VerificationForm) -> String {
    form.customFriendlyName ?? service.friendlyName ?? ""
  }

  private func usualText(for form: VerificationForm) throws -> MessageText {
    guard let tag = form.locale else { return MessageText(language: form.countryLanguage) }
    guard let language = Language.find(tag) else {
      guard settings.unsupportedLocale == .english else { throw unsupported(tag) }
      return MessageText(language: .english, remark: "Locale: no text in \(tag), so it is in English")
    }
    guard form.channel.hasTranslations else { return MessageText(language: .english) }
    guard form.channel != .call || language.question != nil else {
      return MessageText(language: .english, remark: Self.unspoken(language))
    }
    return MessageText(language: language)
  }

  private func unsupported(_ tag: String) -> APIError {
    APIError.notFound(settings.notFoundPath(request.target.path)).because(
      "Locale: expected one of \(Language.all.map(\.tag).joined(separator: ", ")), not \(tag); "
        + "the setting unsupportedLocale can choose English instead")
  }

  /// The vendor only logs this error. Source: contract 13.3.
  private static func unspoken(_ language: Language) -> String {
    "60331: calls do not speak \(language.tag), so the text is in English"
  }
}

/// Texts of templates. Source: contract 4.1.
extension RequestContext {
  /// The text of the first template of the request that can be used, else of the Service's default; nil if
  /// there is neither. If none can be used, the first one's error is thrown.
  private func templateText(for form: VerificationForm) throws -> MessageText? {
    if form.templates.isEmpty { return try defaultTemplateText(for: form) }
    var firstError: APIError?
    for entry in form.templates {
      guard let template = try Template.find(entry.sid, in: sandbox) else {
        firstError = firstError ?? .unknownTemplate(entry.sid)
        continue
      }
      do throws(APIError) {
        return try text(of: template, entry.substitutions, for: form)
      } catch {
        firstError = firstError ?? error
      }
    }
    throw firstError ?? .templateNotFound
  }

  /// A default for other channels has no effect.
  private func defaultTemplateText(for form: VerificationForm) throws -> MessageText? {
    guard let sid = service.defaultTemplateSid, let channel = form.channel.ofTemplates else { return nil }
    guard let template = try Template.find(sid, in: sandbox) else { throw APIError.unknownTemplate(sid) }
    guard template.channels.contains(channel) else { return nil }
    return try text(of: template, form.substitutions, for: form)
  }

  private func text(
    of template: Template, _ substitutions: [String: String], for form: VerificationForm
  ) throws(APIError) -> MessageText {
    guard let channel = form.channel.ofTemplates, template.channels.contains(channel) else {
      throw .templateChannelUnsupported.because(
        "template \(template.sid) is for \(template.channels.map(\.rawValue).joined(separator: ", "))")
    }
    let (translation, remark) = try translation(of: template, for: form)
    guard translation.status == .approved else {
      throw .translationNotApproved.because(
        "the translation \(translation.locale) of \(template.sid) is \(translation.status.rawValue)")
    }
    var values = substitutions
    values["ttl"] = String(settings.ttlSeconds / 60)
    var missing: [String] = []
    _ = fillPlaceholders(of: translation.text, missing: &missing) {
      $0 == "code" || $0 == "friendly_name" ? "" : values[$0]
    }
    guard missing.isEmpty else {
      throw .missingSubstitutions.because(
        "TemplateCustomSubstitutions: expected values for \(missing.joined(separator: ", "))")
    }
    return MessageText(
      language: Language.find(translation.locale) ?? .english, template: (translation.text, values),
      remark: remark)
  }

  /// The translation for the form's `Locale`, else for the country, else the template's default.
  private func translation(
    of template: Template, for form: VerificationForm
  ) throws(APIError) -> (Template.Translation, remark: String?) {
    var remark: String?
    if let tag = form.locale {
      let language = Language.find(tag)
      if let language, form.channel == .call, language.question == nil {
        remark = Self.unspoken(language)
      } else if let translation = template.translation(tag) {
        return (translation, nil)
      } else if settings.unsupportedLocale == .notFound {
        throw .translationNotFound.because("Locale: template \(template.sid) has no translation \(tag)")
      }
    }
    let country = remark == nil ? form.countryLanguage : .english
    if let translation = template.translation(country.tag), translation.status == .approved {
      return (translation, remark)
    }
    guard let translation = template.defaultTranslation else {
      throw .translationNotFound.because("template \(template.sid) has no translations")
    }
    return (translation, remark)
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
