import ProviderKit

/// The text of a template, for a creation that names templates or has the Service's default.
/// Source: contract 4.1.
struct TemplateText {
  private let form: VerificationForm
  private let context: RequestContext

  init(for form: VerificationForm, in context: RequestContext) {
    self.form = form
    self.context = context
  }

  /// The text of the first template of the request that can be used, else of the Service's default; nil if
  /// there is neither. If none of `Templates` can be used, the journal has the first one's error.
  func choose() throws -> MessageText? {
    if form.templates.isEmpty { return try defaultText() }
    var firstError: APIError?
    for entry in form.templates {
      guard let template = try Template.find(entry.sid, in: context.sandbox) else {
        firstError = firstError ?? .unknownTemplate(entry.sid)
        continue
      }
      do throws(APIError) {
        return try text(of: template, entry.substitutions)
      } catch {
        firstError = firstError ?? error
      }
    }
    let first = firstError ?? .templateNotFound
    guard form.templates.contains(where: \.isCandidate) else { throw first }
    throw APIError.invalidTemplates.because("\(first.code): \(first.why ?? first.message)")
  }

  /// A default for other channels has no effect.
  private func defaultText() throws -> MessageText? {
    guard let sid = context.service.defaultTemplateSid, let channel = form.channel.ofTemplates else {
      return nil
    }
    guard let template = try Template.find(sid, in: context.sandbox) else {
      throw APIError.unknownTemplate(sid)
    }
    guard template.channels.contains(channel) else { return nil }
    return try text(of: template, form.substitutions)
  }

  private func text(
    of template: Template, _ substitutions: [String: String]
  ) throws(APIError) -> MessageText {
    guard let channel = form.channel.ofTemplates, template.channels.contains(channel) else {
      throw .templateChannelUnsupported.because(
        "template \(template.sid) is for \(template.channels.map(\.rawValue).joined(separator: ", "))")
    }
    let (translation, why) = try translation(of: template)
    guard translation.status == .approved else {
      throw .translationNotApproved.because(
        "the translation \(translation.locale) of \(template.sid) is \(translation.status.rawValue)")
    }
    var values = substitutions
    values["ttl"] = String(context.settings.ttlSeconds / 60)
    var missing: [String] = []
    _ = Placeholders.doubleBraces.fill(translation.text) { name in
      let value = name == "code" || name == "friendly_name" ? "" : values[name]
      if value == nil { missing.append(name) }
      return value
    }
    guard missing.isEmpty else {
      throw .missingSubstitutions.because(
        "TemplateCustomSubstitutions: expected values for \(missing.joined(separator: ", "))")
    }
    return MessageText(
      in: Language.find(translation.locale) ?? .english, template: (translation.text, values),
      why: why)
  }

  /// The translation for the form's `Locale`, else for the country, else the template's default.
  private func translation(
    of template: Template
  ) throws(APIError) -> (Template.Translation, why: String?) {
    var why: String?
    if let tag = form.locale {
      let language = Language.find(tag)
      if let language, form.channel == .call, language.question == nil {
        why = MessageText.unspoken(language)
      } else if let translation = template.translation(tag) {
        return (translation, nil)
      } else if context.settings.unsupportedLocale == .notFound {
        throw .translationNotFound.because("Locale: template \(template.sid) has no translation \(tag)")
      }
    }
    let country = why == nil ? form.countryLanguage : .english
    if let translation = template.translation(country.tag), translation.status == .approved {
      return (translation, why)
    }
    guard let translation = template.defaultTranslation else {
      throw .translationNotFound.because("template \(template.sid) has no translations")
    }
    return (translation, why)
  }
}
