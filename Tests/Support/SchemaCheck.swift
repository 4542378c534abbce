import JSON

/// Compares a JSON value with a schema of OpenAPI 3.0 or 3.1: `$ref`, `anyOf`, `allOf`, `type`, `nullable`,
/// `enum`, `format`, `pattern`, lengths, bounds, numbers of items and members, `required`, `properties`,
/// `additionalProperties`, `items`. Other keywords are ignored. Members that are neither in `properties` nor
/// allowed by `additionalProperties` are errors.
struct SchemaCheck {
  /// The document that references point into.
  let root: JSON

  /// Each line names a path and the problem there.
  func disagreements(of value: JSON, with schema: JSON, at path: String) -> [String] {
    if let reference = schema["$ref"]?.text {
      guard let target = resolve(reference) else { return ["\(path): the document has no \(reference)"] }
      return disagreements(of: value, with: target, at: path)
    }
    if case .array(let parts)? = schema["allOf"] {
      let whole = parts.reduce(Self.without("allOf", schema)) { Self.joined($0, flat($1)) }
      return disagreements(of: value, with: whole, at: path)
    }
    if case .array(let choices)? = schema["anyOf"] {
      let results = choices.map { disagreements(of: value, with: $0, at: path) }
      if !results.contains([]) { return results.joined().map { $0 } }
    }
    if case .array(let words)? = schema["enum"] {
      return words.contains(value) ? [] : ["\(path): \(value) is not in the enum"]
    }
    let types = types(of: schema)
    guard types.isEmpty || types.contains(where: { hasType(value, $0) }) else {
      return ["\(path): expected \(types.joined(separator: " or ")), found \(value)"]
    }
    switch value {
    case .integer(let number): return wrongs(of: number, schema, at: path)
    case .string(let text): return wrongs(of: text, schema, at: path)
    case .array(let items): return wrongs(of: items, schema, at: path)
    case .object(let members): return wrongs(of: members, schema, at: path)
    default: return []
    }
  }

  /// A schema without references and `allOf` at its top.
  private func flat(_ schema: JSON) -> JSON {
    if let reference = schema["$ref"]?.text { return resolve(reference).map(flat) ?? schema }
    guard case .array(let parts)? = schema["allOf"] else { return schema }
    return parts.reduce(Self.without("allOf", schema)) { Self.joined($0, flat($1)) }
  }

  private static func without(_ name: String, _ schema: JSON) -> JSON {
    .object(schema.members.filter { $0.name != name })
  }

  /// The keywords of two schemas; a value has to follow both.
  private static func joined(_ one: JSON, _ other: JSON) -> JSON {
    other.members.reduce(one) { whole, member in
      let rest = without(member.name, whole).members
      let value: JSON =
        switch (member.name, whole[member.name], member.value) {
        // The first of equal names counts: the later part narrows what the earlier one has.
        case ("properties", let known?, let new): .object(new.members + known.members)
        case ("required", .array(let known)?, .array(let new)): .array(known + new)
        default: member.value
        }
      return .object(rest + [JSON.Member(name: member.name, value: value)])
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
    case "date-time" where !isDateTime(text): wrongs.append("is no date-time")
    case "uri" where !isAbsoluteURI(text): wrongs.append("is no absolute URI")
    default: break
    }
    return wrongs.map { "\(path): \"\(text)\" \($0)" }
  }

  private func types(of schema: JSON) -> [String] {
    let types =
      if case .array(let types)? = schema["type"] {
        types.compactMap(\.text)
      } else {
        [schema["type"]?.text].compactMap(\.self)
      }
    return schema["nullable"] == .bool(true) && !types.isEmpty ? types + ["null"] : types
  }

  private func wrongs(of number: Int64, _ schema: JSON, at path: String) -> [String] {
    if case .integer(let least)? = schema["minimum"], number < least {
      return ["\(path): less than \(least)"]
    }
    if case .integer(let most)? = schema["maximum"], number > most { return ["\(path): more than \(most)"] }
    return []
  }

  private func wrongs(of items: [JSON], _ schema: JSON, at path: String) -> [String] {
    if case .integer(let least)? = schema["minItems"], items.count < least {
      return ["\(path): fewer than \(least) items"]
    }
    if case .integer(let most)? = schema["maxItems"], items.count > most {
      return ["\(path): more than \(most) items"]
    }
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
    if case .integer(let least)? = schema["minProperties"], members.count < least {
      wrongs.append("\(path): fewer than \(least) members")
    }
    if case .integer(let most)? = schema["maxProperties"], members.count > most {
      wrongs.append("\(path): more than \(most) members")
    }
    if schema["format"]?.text == "uri-map" {
      for member in members where !isAbsoluteURI(member.value.text ?? "") {
        wrongs.append("\(path).\(member.name): is no absolute URI")
      }
    }
    let properties = schema["properties"].members
    let additional = schema["additionalProperties"]
    guard !properties.isEmpty || additional != nil else { return wrongs }
    for member in members {
      let property = properties.first { $0.name == member.name }?.value
      guard let schema = property ?? (additional == .bool(false) ? nil : additional) else {
        wrongs.append("\(path).\(member.name): unknown member")
        continue
      }
      wrongs += disagreements(of: member.value, with: schema, at: "\(path).\(member.name)")
    }
    return wrongs
  }

  private func hasType(_ value: JSON, _ type: String?) -> Bool {
    switch (type, value) {
    case (nil, _), ("null", .null), ("string", .string), ("boolean", .bool), ("integer", .integer),
      ("number", .integer),
      ("number", .double), ("array", .array), ("object", .object):
      true
    default: false
    }
  }

  /// `#/components/schemas/verify.v2.service`
  private func resolve(_ reference: String) -> JSON? {
    reference.split(separator: "/").dropFirst().reduce(root) { node, name in node?[String(name)] }
  }

  private func isDateTime(_ text: String) -> Bool { text.wholeMatch(of: dateTime) != nil }

  private func isAbsoluteURI(_ text: String) -> Bool { text.wholeMatch(of: absoluteURI) != nil }
}

// Nothing changes them; a literal in a function is parsed at each call.
nonisolated(unsafe) private let dateTime =
  #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/#
nonisolated(unsafe) private let absoluteURI = #/https?:\/\/[^\/\s]+\/\S*/#

extension JSON {
  /// The text of a string.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension JSON? {
  /// The members of an object; empty for other values.
  var members: [JSON.Member] { if case .object(let members)? = self { members } else { [] } }
}
extension JSON {
  /// The members of an object; empty for other values.
  var members: [JSON.Member] { Optional(self).members }
}
