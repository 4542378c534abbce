import Domain
import JSON
import ProviderKit

/// The wording of a message. Templates are made by the vendor's staff; here a seed says them, and one that
/// nobody has said takes whatever variables come. Source: contract 10 and 11.2.
struct Template {
  /// What it may be used for.
  enum Category: String, CaseIterable {
    /// What its receiver waits for.
    case transactional
    /// What its receiver may have stopped.
    case marketing
  }

  /// The vendor's id of it, `template_…`, or the name of a built-in one.
  let id: String
  /// What it may be used for.
  let category: Category
  /// The words, with `{{variables}}`; nil: nobody has said them.
  let text: String?
  /// Countries whose numbers it may be sent to; empty: all.
  let countries: [String]

  /// A template that nobody has described.
  init(unknown id: String) {
    self.id = id
    category = .transactional
    text = nil
    countries = []
  }

  /// Reads what a seed says of one.
  init(_ fields: Fields) throws(FieldError) {
    id = try fields.string("id")
    guard Self.isWellFormed(id) else {
      throw fields.mismatch("id", expected: "1 to 64 characters without spaces")
    }
    category = try fields.optionalWord("category", of: Category.self) ?? .transactional
    text = try fields.optionalString("text")
    countries = try fields.optionalStrings("countries") ?? []
    guard countries.allSatisfy(CountryCode.isValid) else {
      throw fields.mismatch("countries", expected: CountryCode.expected)
    }
  }

  /// Writes it as seeds have it.
  func write(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("category", category.rawValue)
    if let text { json.member("text", text) }
    if !countries.isEmpty { json.member("countries", countries) }
  }

  /// Whether a text can name a template.
  static func isWellFormed(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// The template of an id, described or not.
  static func find(_ id: String, in sandbox: Sandbox) throws -> Template? {
    try records.find(id, in: sandbox, as: Template.init)
  }

  /// All that are described, oldest first.
  static func all(in sandbox: Sandbox) throws -> [Template] {
    try records.list(in: sandbox, as: Template.init).map(\.record)
  }

  /// Keeps it for a sandbox.
  func keep(in sandbox: Sandbox) throws {
    try Self.records.keep(id, in: sandbox) { write(to: &$0) }
  }

  /// The words of a message; nil where a variable is missing. Of a template that nobody has described, its id
  /// and what came for it.
  func wording(_ variables: Texts) -> String? {
    guard let text else {
      return "[\(id)]" + variables.pairs.map { " \($0.name)=\($0.text)" }.joined(separator: ",")
    }
    var words = ""
    var rest = text[...]
    while let opening = rest.firstRange(of: "{{"),
      let closing = rest[opening.upperBound...].firstRange(of: "}}")
    {
      let name = rest[opening.upperBound..<closing.lowerBound].split(separator: " ").joined(separator: " ")
      guard let value = variables[name] else { return nil }
      words += rest[..<opening.lowerBound] + value
      rest = rest[closing.upperBound...]
    }
    return words + rest
  }

  private static let records = Records("template")
}
