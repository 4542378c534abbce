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

  init(json fields: Fields) { (query, body) = (nil, .json(fields)) }

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

  /// A text, also of a number or a Boolean in JSON; nil if it is missing or empty.
  subscript(name: String) -> String? {
    get throws(LegacyError) {
      let text: String? =
        switch body {
        case .none: nil
        case .form(let form): form[name]
        case .json(let fields): try Self.text(name, of: fields)
        }
      guard let found = text ?? query?[name], !found.isEmpty else { return nil }
      return found
    }
  }

  private static func text(_ name: String, of fields: Fields) throws(LegacyError) -> String? {
    guard let value = try? fields.optionalJSON(name) else { return nil }
    guard let text = value.formText else { throw .invalid(name, "expected a text or a number") }
    return text
  }

  /// All parameters with their texts, for signatures. Does not mark them as read.
  var pairs: [(name: String, value: String)] {
    let sent: [(name: String, value: String)] =
      switch body {
      case .none: []
      case .form(let form): form.pairs
      case .json(let fields):
        fields.names.compactMap { name in
          (try? fields.optionalJSON(name))?.formText.map { (name: name, value: $0) }
        }
      }
    return sent + (query?.pairs ?? [])
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
    guard let text = try self[name] else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw .invalid(name, "expected an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func required(_ name: String) throws(LegacyError) -> String {
    guard let text = try self[name] else {
      throw LegacyError(.missing, "Missing \(name)")
    }
    return text
  }

  /// A text of at most so many characters. Source: contract 9 for the text of the error.
  func text(_ name: String, atMost limit: Int) throws(LegacyError) -> String? {
    guard let text = try self[name] else { return nil }
    guard text.unicodeScalars.count <= limit else {
      throw .invalid(name, "expected at most \(limit) characters", more: ". Parameter is too long.")
    }
    return text
  }
}

extension LegacyError {
  /// `more`: what follows in the error's text.
  static func invalid(_ name: String, _ why: String, more: String = "") -> LegacyError {
    LegacyError(.invalid, "Invalid value for param: \(name)\(more)").because("\(name): \(why)")
  }
}
