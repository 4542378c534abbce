import HTTP
import JSON
import ProviderKit

/// A request's body by what it holds, whatever its content type says: a JSON object where it begins with a brace,
/// else a form, which may be empty. Source: contract 3.3, quirks 2, 5 and 8; 10.1.
enum Submission {
  case form(Form)
  case json(Fields)

  /// Reads the body.
  init(_ request: Request) throws {
    let first = request.body.first { $0 > UInt8(ascii: " ") }
    self = first == UInt8(ascii: "{") ? .json(try request.json) : .form(try request.form)
  }

  /// The text under a name; an empty one is as if it were absent, of several in a form the last counts.
  /// Source: contract 3.3, quirk 11.
  func text(_ name: String) throws -> String? {
    let text =
      switch self {
      case .form(let form): form.all(name).last
      case .json(let fields): try fields.optionalString(name)
      }
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The object under a name; a form has none.
  func object(_ name: String) throws -> Fields? {
    guard case .json(let fields) = self else { return nil }
    return try fields.optionalObject(name)
  }

  /// Yes or no under a name, in a form as a word.
  func flag(_ name: String) throws -> Bool? {
    switch self {
    case .form(let form): form.all(name).last.map { $0.lowercased() == "true" }
    case .json(let fields): try fields.optionalBool(name)
    }
  }
}
