import ProviderKit

/// A message template: one of the provider's kind, or an account's own from a seed. Source: contract 8.5.
struct Template: Equatable, Sendable {
  enum Channel: String, CaseIterable, Sendable {
    case sms, voice
  }

  /// A text in one language, with `{{code}}`, `{{friendly_name}}`, `{{ttl}}` and variables of its own.
  struct Translation: Equatable, Sendable {
    enum Status: String, CaseIterable, Sendable {
      case approved, pending, rejected
    }

    var locale = ""
    var text = ""
    var status = Status.approved
    /// True for the text of languages that the template does not have.
    var isDefault = false
  }

  var sid = ""
  var friendlyName = ""
  var channels = Channel.allCases
  var translations: [Translation] = []
  var createdAt = Timestamp.earliest

  /// The translation with this tag, in any letter case, else that of its first subtag.
  func translation(_ tag: String) -> Translation? {
    func named(_ tag: String) -> Translation? { translations.first { $0.locale.lowercased() == tag } }
    let tag = tag.lowercased()
    return named(tag) ?? named(String(tag.prefix { $0 != "-" }))
  }

  /// The text of languages that the template does not have: the default one, else English, else the first.
  var defaultTranslation: Translation? {
    translations.first(where: \.isDefault) ?? translation("en") ?? translations.first
  }
}

/// Storage and seeds.
extension Template {
  static let schema = Schema<Template>(
    "TwilioTemplate", "A message template of the account.",
    [
      .required("sid", \.sid, .sid(.template), "HJ and 32 hex digits."),
      .required("friendlyName", \.friendlyName, .string(1...32), "The name."),
      .field(
        "channels", \.channels, .distinctWords(minItems: 1), default: Channel.allCases,
        "The channels that it can be used for."),
      .required(
        "translations", \.translations,
        .objects(translationSchema, maxItems: SandboxLimits.items) { Translation() },
        "Its texts, one per language."),
    ])

  private static let translationSchema = Schema<Translation>(
    nil, "The text in one language.",
    [
      .required(
        "locale", \.locale,
        .text(
          .string(pattern: "^[A-Za-z]{2,3}(-[0-9A-Za-z]{1,8})*$"),
          expected: "a language tag such as en or pt-BR"
        ) { LanguageTag.isValid($0, language: 2...3) }, "The language tag."),
      .required(
        "text", \.text,
        .text(
          .string(pattern: #"\{\{code\}\}"#),
          expected: "1 to 1000 characters with {{code}}, and names of variables in {{ and }}", isText),
        "The text, with {{code}}, {{friendly_name}} and other variables."),
      .field(
        "status", \.status, .word, default: .approved,
        "Whether the provider has approved the text; only approved ones can be sent."),
      .field(
        "default", \.isDefault, .boolean, default: false,
        "True for the text of languages that the template does not have."),
    ])

  /// Variables have names of letters, digits and underscores.
  private static func isText(_ text: String) -> Bool {
    let parts = text.split(separator: "{{", omittingEmptySubsequences: false).dropFirst()
    return (1...1000).contains(text.count) && text.contains("{{code}}")
      && parts.allSatisfy { part in
        let name = part.utf8.prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
        return !name.isEmpty && part.utf8.dropFirst(name.count).starts(with: "}}".utf8)
      }
  }

  /// With the time of creation, which seeds do not have.
  private static let stored = Schema<Template>(
    schema.fields + [.required("createdAt", \.createdAt, .timestamp)])

  private static let table = RecordTable("template", of: TwilioProvider.name, stored) { Template() }

  /// Built-in or the account's own.
  static func find(_ sid: String, in sandbox: Sandbox) throws -> Template? {
    try builtIn.first { $0.sid == sid } ?? table.find(sid, in: sandbox)
  }

  /// The account's own, oldest first.
  static func own(in sandbox: Sandbox) throws -> [Template] { try table.all(in: sandbox) }

  /// Replaces one with the same SID.
  static func load(_ seed: Fields, into sandbox: Sandbox) throws {
    var template = Template()
    try schema.merge(seed, into: &template)
    let known = try table.find(template.sid, in: sandbox)
    if known == nil { try table.requireRoom(in: sandbox) }
    template.createdAt = known?.createdAt ?? sandbox.clock.now
    try table.save(template, as: template.sid, in: sandbox)
  }
}

/// `GET /v2/Templates`. Source: contract 8.5.
func listTemplates(_ context: RequestContext) throws -> Response {
  let name = try context.request.query.text("FriendlyName")
  let all = try Template.builtIn + Template.own(in: context.sandbox)
  let found = all.filter { name == nil || $0.friendlyName == name }
  let page = try Page(of: context, found, filters: ["FriendlyName"])
  let account = context.caller.account
  return page.response(key: "templates", baseURL: context.baseURL) { $0.write(to: &$1, account: account) }
}

extension Template {
  /// Dates of translations have nanoseconds. Source: contract 2.2.
  fileprivate func write(to json: inout JSONWriter, account: String) {
    json.member("sid", sid)
    json.member("account_sid", account)
    json.member("friendly_name", friendlyName)
    json.member("channels", channels.map(\.rawValue))
    let date: String = createdAt.iso8601Milliseconds.dropLast() + "000000Z"
    json.object("translations") { json in
      for translation in translations {
        json.object(named: translation.locale) {
          $0.member("is_default_translation", translation == defaultTranslation)
          $0.member("status", translation.status.rawValue)
          $0.member("locale", translation.locale)
          $0.member("text", translation.text)
          $0.member("date_created", date)
          $0.member("date_updated", date)
        }
      }
    }
  }
}
