import JSON

/// Checks a JSON value against an OpenAPI 3.0 schema: `$ref`, `type`, `nullable`, `enum`, `format`, `pattern`,
/// lengths, `required`, `properties` (others are errors), `items`. Other keywords are ignored.
struct SchemaCheck {
  /// The document that `$ref` points into.
  let root: JSON

  /// One line per violation: a path and the reason.
  func disagreements(of value: JSON, with schema: JSON, at path: String) -> [String] {
    if let reference = schema["$ref"]?.text {
      guard let target = resolve(reference) else { return ["\(path): the document has no \(reference)"] }
      return disagreements(of: value, with: target, at: path)
    }
    if value == .null {
      let isTyped = schema["type"] != nil
      return isTyped && schema["nullable"] != .bool(true) ? ["\(path): null is not allowed"] : []
    }
    guard hasType(value, schema["type"]?.text) else {
      return ["\(path): expected \(schema["type"]?.text ?? "")"]
    }
    if case .array(let words)? = schema["enum"], !words.contains(value) {
      return ["\(path): \(value) is not in the enum"]
    }
    switch value {
    case .string(let text): return wrongs(of: text, schema, at: path)
    case .array(let items): return wrongs(of: items, schema, at: path)
    case .object(let members): return wrongs(of: members, schema, at: path)
    default: return []
    }
  }

  private func wrongs(of text: String, _ schema: JSON, at path: String) -> [String] {
    var wrongs: [String] = []
    if case .integer(let least)? = schema["minLength"], text.count < least {
      wrongs.append("shorter than \(least)")
    }
    if case .integer(let most)? = schema["maxLength"], text.count > most {
      wrongs.append("longer than \(most)")
    }
    if let pattern = schema["pattern"]?.text {
      let match = try? Regex(pattern).wholeMatch(in: text)
      if match == nil { wrongs.append("does not match \(pattern)") }
    }
    switch schema["format"]?.text {
    case "date-time" where !isDateTime(text): wrongs.append("is not a date-time")
    case "uri" where !isAbsoluteURI(text): wrongs.append("is not an absolute URI")
    default: break
    }
    return wrongs.map { "\(path): \"\(text)\" \($0)" }
  }

  private func wrongs(of items: [JSON], _ schema: JSON, at path: String) -> [String] {
    guard let item = schema["items"] else { return [] }
    return items.enumerated().flatMap { disagreements(of: $1, with: item, at: "\(path)[\($0)]") }
  }

  private func wrongs(of members: [JSON.Member], _ schema: JSON, at path: String) -> [String] {
    var wrongs: [String] = []
    if case .array(let names)? = schema["required"] {
      for name in names.compactMap(\.text) where !members.contains(where: { $0.name == name }) {
        wrongs.append("\(path): \(name) is missing")
      }
    }
    if schema["format"]?.text == "uri-map" {
      for member in members where !isAbsoluteURI(member.value.text ?? "") {
        wrongs.append("\(path).\(member.name): is not an absolute URI")
      }
    }
    let properties = schema["properties"].members
    guard !properties.isEmpty else { return wrongs }
    for member in members {
      guard let property = properties.first(where: { $0.name == member.name }) else {
        wrongs.append("\(path).\(member.name): unknown member")
        continue
      }
      wrongs += disagreements(of: member.value, with: property.value, at: "\(path).\(member.name)")
    }
    return wrongs
  }

  private func hasType(_ value: JSON, _ type: String?) -> Bool {
    switch (type, value) {
    case (nil, _), ("string", .string), ("boolean", .bool), ("integer", .integer), ("number", .integer),
      ("number", .double), ("array", .array), ("object", .object):
      true
    default: false
    }
  }

  /// `#/components/schemas/verify.v2.service`
  private func resolve(_ reference: String) -> JSON? {
    reference.split(separator: "/").dropFirst().reduce(root) { node, name in node?[String(name)] }
  }

  private func isDateTime(_ text: String) -> Bool {
    text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/#) != nil
  }

  private func isAbsoluteURI(_ text: String) -> Bool {
    text.wholeMatch(of: #/https?:\/\/[^\/\s]+\/\S*/#) != nil
  }
}

extension JSON {
  /// The text of a string.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension JSON? {
  /// The members of an object; none of anything else.
  var members: [JSON.Member] { if case .object(let members)? = self { members } else { [] } }
}
extension JSON {
  /// The members of an object; none of anything else.
  var members: [JSON.Member] { Optional(self).members }
}
