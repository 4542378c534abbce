import HTTP
import JSON
import ProviderKit

/// The parameters of a request: of its query, and of a body that is a form or JSON. The bytes decide, not the
/// content type: a client sends forms as `application/json`. Source: contract 1, trap a.
struct LegacyFields {
  private enum Body {
    case none
    case form(Form)
    case json(Fields)
  }

  private let query: Form?
  private let body: Body

  init(_ request: Request) throws {
    try self.init(query: request.query, body: Self.body(of: request))
  }

  /// Of a body only.
  init(body request: Request) throws { try self.init(query: nil, body: Self.body(of: request)) }

  private init(query: Form?, body: Body) throws {
    self.query = query
    self.body = body
  }

  private static func body(of request: Request) throws -> Body {
    guard let first = request.body.first(where: { $0 > UInt8(ascii: " ") }) else { return .none }
    if first == UInt8(ascii: "{") { return .json(try request.json) }
    return .form(try request.form)
  }

  /// A text, also of a number in JSON; nil if it is missing or empty.
  subscript(name: String) -> String? {
    let text: String? =
      switch body {
      case .none: nil
      case .form(let form): form[name]
      case .json(let fields): Self.text(name, of: fields)
      }
    guard let found = text ?? query?[name], !found.isEmpty else { return nil }
    return found
  }

  /// All values of a name that may be repeated.
  func all(_ name: String) -> [String] {
    switch body {
    case .form(let form) where form.has(name): return form.all(name)
    case .json(let fields): if let list = try? fields.optionalStrings(name) { return list }
    case .none, .form: break
    }
    return query?.all(name) ?? []
  }

  /// The same as a number within bounds; throws if it is another text.
  func integer(_ name: String, _ range: ClosedRange<Int>) throws(LegacyError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw .invalid(name, "expected an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func required(_ name: String) throws(LegacyError) -> String {
    guard let text = self[name] else {
      throw LegacyError(.missing, "\(LegacyStatus.missing.text): \(name)")
    }
    return text
  }

  private static func text(_ name: String, of fields: Fields) -> String? {
    switch try? fields.optionalJSON(name) {
    case .string(let text)?: text
    case .integer(let number)?: "\(number)"
    case .bool(let flag)?: flag ? "true" : "false"
    default: nil
    }
  }
}

extension LegacyError {
  static func invalid(_ name: String, _ why: String) -> LegacyError {
    LegacyError(.invalid, "\(LegacyStatus.invalid.text): \(name)").because(why)
  }
}
