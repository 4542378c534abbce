import ProviderKit

/// A template that a request names, with the values of its variables. Source: contract 4.1.
struct TemplateEntry: Equatable {
  let sid: String
  let substitutions: [String: String]
  /// True for an entry of `Templates`.
  let isCandidate: Bool

  /// The templates of a form in order of preference: `Templates`, else `TemplateSid`; empty without either.
  static func list(in form: Form, over channel: Channel) throws(APIError) -> [TemplateEntry] {
    var entries = try form.text("Templates").map { text throws(APIError) in try list(text) } ?? []
    if entries.isEmpty, let sid = form.text("TemplateSid") {
      guard SidKind.template.matches(sid) else {
        throw .invalidParameter("TemplateSid", expected: "HJ and 32 hex digits")
      }
      entries = [TemplateEntry(sid: sid, substitutions: try substitutions(in: form), isCandidate: false)]
    }
    guard entries.isEmpty || channel.ofTemplates != nil else { throw .templateOnlyForSMS }
    return entries
  }

  /// `TemplateCustomSubstitutions`, which also fill the Service's default template.
  static func substitutions(in form: Form) throws(APIError) -> [String: String] {
    guard let text = form.text("TemplateCustomSubstitutions") else { return [:] }
    guard let json = try? JSON(parsing: Array(text.utf8)), let values = texts(of: json) else {
      throw .invalidParameter("TemplateCustomSubstitutions", expected: "a JSON object of strings")
    }
    return values
  }

  private static func list(_ text: String) throws(APIError) -> [TemplateEntry] {
    guard case .array(let items)? = try? JSON(parsing: Array(text.utf8)), items.count <= 10
    else {
      throw .invalidTemplatesParameter.because("Templates: expected a JSON array of at most 10 objects")
    }
    var entries: [TemplateEntry] = []
    for item in items {
      guard case .string(let sid)? = item["sid"], SidKind.template.matches(sid),
        let substitutions = item["substitutions"].map({ texts(of: $0) }) ?? [:]
      else {
        throw .invalidTemplatesParameter.because(
          "Templates: expected objects with a sid of HJ and 32 hex digits, and strings as substitutions")
      }
      entries.append(TemplateEntry(sid: sid, substitutions: substitutions, isCandidate: true))
    }
    return entries
  }

  /// The members of an object of strings; nil for anything else.
  private static func texts(of json: JSON) -> [String: String]? {
    guard case .object(let members) = json else { return nil }
    var values: [String: String] = [:]
    for member in members {
      guard case .string(let text) = member.value else { return nil }
      values[member.name] = text
    }
    return values
  }
}
