import ProviderKit

/// A template for messages. The provider's staff create templates; here seeds do. Unknown templates take any
/// variables. Source: contract 10 and 11.2.
struct Template: StoredRecord {
  enum Category: String, CaseIterable {
    case transactional
    /// Receivers can unsubscribe.
    case marketing
  }

  /// `template_…`, or the name of a built-in template.
  var id = ""
  var category = Category.transactional
  /// With `{{variables}}`; nil: unknown.
  var text: String?
  /// The countries of allowed receivers; empty: all.
  var countries: [String] = []

  static let schema = Schema<Template>(
    nil, "A message template.",
    [
      .required(
        "id", \.id,
        .text(.string(pattern: "^[!-~]{1,64}$"), expected: "1 to 64 characters without spaces", isValidID),
        "The id in requests."),
      .field(
        "category", \.category, .word, default: .transactional,
        "What it may be used for. Marketing is not sent to numbers that have unsubscribed."),
      .optional(
        "text", \.text, .string,
        "The text with {{variables}}; without it messages contain the id and the variables."),
      .field(
        "countries", \.countries, .array(of: .countryCode, maxItems: SandboxLimits.items), default: [],
        "Countries of allowed receivers, ISO 3166-1 alpha-2; empty: all."),
    ])

  @Sendable
  static func isValidID(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// The text of a message; nil if a variable is missing. If the template's text is unknown: its id and the
  /// variables.
  func text(with variables: Texts) -> String? {
    guard let text else {
      let values = variables.pairs.map { " \($0.name)=\($0.text)" }.joined(separator: ",")
      return "[\(id)]\(values)".prefix(bytes: Placeholders.limit)
    }
    var isComplete = true
    let filled = Placeholders.doubleBraces.fill(text) { name in
      let value = variables[name.split(separator: " ").joined(separator: " ")]
      isComplete = isComplete && value != nil
      return value
    }
    return isComplete ? filled : nil
  }

  var key: String { id }
  static let table = RecordTable("template", of: PreludeProvider.name, schema) { Template() }
}
