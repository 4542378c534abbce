import Domain
import JSON
import ProviderKit

/// Reads JSON by a shape: names in snake case are written in camel case, numbers of words as words, and what does not
/// fit is noted.
struct ShapeReader {
  /// What did not fit, in the vendor's words.
  private(set) var violations: [Violation] = []

  /// The value as its shape has it; nil for `null` and for what does not fit.
  mutating func read(_ json: JSON, as shape: Shape, at path: String) -> JSON? {
    guard json != .null else { return nil }
    switch (shape, json) {
    case (.string, .string), (.bool, .bool), (.object, .object), (.number, .integer), (.number, .double):
      return json
    case (.integer, .integer(let number)) where Int32(exactly: number) != nil: return json
    case (.integer, .string(let digits)): return digitsOf(digits, at: path)
    case (.word(let type, let words), .string), (.word(let type, let words), .integer):
      return word(json, of: words, type, at: path)
    case (.duration, .string(let text)): return duration(text, at: path)
    case (.time, .string(let text)) where Timestamp(iso8601: text) != nil: return json
    case (.texts, .object(let members)): return texts(members, at: path)
    case (.list(let shape), .array(let items)):
      return .array(items.enumerated().compactMap { read($1, as: shape, at: "\(path)[\($0)]") })
    case (.message(_, let fields), .object(let members)): return message(members, fields, at: path)
    default: return refuse(json, shape.typeName, at: path)
    }
  }

  private mutating func message(
    _ members: [JSON.Member], _ fields: [Shape.Field], at path: String
  ) -> JSON {
    var read: [JSON.Member] = []
    for member in members {
      guard let field = fields.first(where: { $0.name == member.name || $0.name.snakeCase == member.name })
      else {
        let place = path.isEmpty ? "" : " at '\(path)'"
        note(
          path, "Invalid JSON payload received. Unknown name \"\(member.name)\"\(place): Cannot find field."
        )
        continue
      }
      let place = (path.isEmpty ? "" : path + ".") + field.name.snakeCase
      guard !read.contains(where: { $0.name == field.name }) else {
        note(place, "Invalid value at '\(place)': the field is there twice")
        continue
      }
      guard let value = self.read(member.value, as: field.shape, at: place) else { continue }
      read.append(.init(name: field.name, value: value))
    }
    return .object(read)
  }

  private mutating func texts(_ members: [JSON.Member], at path: String) -> JSON {
    for (place, member) in members.enumerated() {
      if case .string = member.value { continue }
      _ = refuse(member.value, Shape.string.typeName, at: "\(path)[\(place)].value")
    }
    return .object(members)
  }

  private mutating func digitsOf(_ text: String, at path: String) -> JSON? {
    Int32(text).map { .integer(Int64($0)) } ?? refuse(.string(text), Shape.integer.typeName, at: path)
  }

  private mutating func word(_ json: JSON, of words: [String], _ type: String, at path: String) -> JSON? {
    switch json {
    case .string(let text) where words.contains(text.uppercased()): return .string(text.uppercased())
    case .integer(let place) where words.indices.contains(Int(place)): return .string(words[Int(place)])
    default: return refuse(json, type, at: path)
    }
  }

  private mutating func duration(_ text: String, at path: String) -> JSON? {
    if Span.isValid(text) { return .string(text) }
    note(
      path,
      "Invalid value at '\(path)' (\(Shape.duration.typeName)), Field '\(path.split(separator: ".").last ?? "")', "
        + "Illegal duration format; duration must end with 's'")
    return nil
  }

  private mutating func refuse(_ json: JSON, _ type: String, at path: String) -> JSON? {
    let shown = String(decoding: json.encoded().prefix(100), as: UTF8.self)
    note(path, "Invalid value at '\(path)' (\(type)), \(shown)")
    return nil
  }

  private mutating func note(_ field: String, _ description: String) {
    violations.append(Violation(field: field, description: description))
  }
}

extension String {
  /// `collapse_key` for `collapseKey`.
  fileprivate var snakeCase: String {
    var snake = ""
    for character in unicodeScalars {
      if character.properties.isUppercase { snake += "_" }
      snake += String(character).lowercased()
    }
    return snake
  }
}
