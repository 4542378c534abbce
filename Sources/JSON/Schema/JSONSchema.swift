/// The shape of a JSON value: what JSON Schema 2020-12 says about it, for OpenAPI, seed schemas and tables.
package indirect enum JSONSchema: Equatable, Sendable {
  case any
  case boolean
  case integer(minimum: Int? = nil, maximum: Int? = nil)
  case number(minimum: Double? = nil, maximum: Double? = nil)
  /// A text; `pattern` is an ECMA regular expression, lengths count characters.
  case string(pattern: String? = nil, minLength: Int? = nil, maxLength: Int? = nil, format: String? = nil)
  /// One of a few fixed values.
  case enumeration([JSON])
  case array(JSONSchema, minItems: Int = 0, maxItems: Int? = nil, uniqueItems: Bool = false)
  /// An object with names of the client's choice.
  case map(JSONSchema, maxProperties: Int? = nil)
  case object(ObjectSchema)
  case nullable(JSONSchema)
  /// A value of one of these shapes.
  case anyOf([JSONSchema])
  /// The URL of a schema that is written elsewhere in the document.
  case reference(String)

  /// One of some texts.
  package static func words(_ words: [String]) -> JSONSchema { .enumeration(words.map { .string($0) }) }
}

extension JSONSchema {
  /// The side of an exchange that a schema describes: a member that is optional in requests can be required
  /// in answers. Seeds are read like requests.
  package enum Direction: Sendable {
    case request
    case response
  }

  /// Writes the members of the schema object. A named object is a reference: `reference` gives its URL.
  package func write(
    to json: inout JSONWriter, for direction: Direction, reference: (ObjectSchema) -> String?
  ) {
    write(to: &json, orNull: false, for: direction, reference: reference)
  }

  private func write(
    to json: inout JSONWriter, orNull: Bool, for direction: Direction, reference: (ObjectSchema) -> String?
  ) {
    switch self {
    case .any: break
    case .boolean: json.type("boolean", orNull)
    case .integer(let minimum, let maximum):
      json.type("integer", orNull)
      if let minimum { json.member("minimum", minimum) }
      if let maximum, maximum != Int.max { json.member("maximum", maximum) }
    case .number(let minimum, let maximum):
      json.type("number", orNull)
      if let minimum { json.member("minimum", minimum) }
      if let maximum { json.member("maximum", maximum) }
    case .string(let pattern, let minLength, let maxLength, let format):
      json.type("string", orNull)
      if let pattern { json.member("pattern", pattern) }
      if let minLength { json.member("minLength", minLength) }
      if let maxLength { json.member("maxLength", maxLength) }
      if let format { json.member("format", format) }
    case .enumeration(let values): json.member("enum", orNull ? values + [.null] : values)
    case .array(let element, let minItems, let maxItems, let uniqueItems):
      json.type("array", orNull)
      if minItems > 0 { json.member("minItems", minItems) }
      if let maxItems { json.member("maxItems", maxItems) }
      if uniqueItems { json.member("uniqueItems", true) }
      json.object("items") { element.write(to: &$0, for: direction, reference: reference) }
    case .map(let element, let maxProperties):
      json.type("object", orNull)
      if let maxProperties { json.member("maxProperties", maxProperties) }
      if element != .any {
        json.object("additionalProperties") { element.write(to: &$0, for: direction, reference: reference) }
      }
    case .nullable(let schema): schema.write(to: &json, orNull: true, for: direction, reference: reference)
    case .anyOf(let choices): write(choices, orNull: orNull, to: &json, for: direction, reference: reference)
    case .reference(let url):
      if orNull {
        write([self], orNull: true, to: &json, for: direction, reference: reference)
      } else {
        json.member("$ref", url)
      }
    case .object(let object):
      if let url = reference(object) {
        JSONSchema.reference(url).write(to: &json, orNull: orNull, for: direction, reference: reference)
      } else {
        object.write(to: &json, orNull: orNull, for: direction, reference: reference)
      }
    }
  }

  private func write(
    _ choices: [JSONSchema], orNull: Bool, to json: inout JSONWriter, for direction: Direction,
    reference: (ObjectSchema) -> String?
  ) {
    json.array("anyOf", orNull ? choices + [nil] : choices as [JSONSchema?]) { json, choice in
      json.value(object: { json in
        if let choice {
          choice.write(to: &json, for: direction, reference: reference)
        } else {
          json.member("type", "null")
        }
      })
    }
  }

  /// The type in a few words, for tables: `integer 1…100`, `"lower" or "upper"`, `array of string`.
  package var words: String {
    switch self {
    case .any: "any value"
    case .boolean: "boolean"
    case .integer(let minimum, let maximum):
      "integer" + Self.range(minimum.map { "\($0)" }, maximum.map { "\($0)" })
    case .number(let minimum, let maximum):
      "number" + Self.range(minimum.map { "\($0)" }, maximum.map { "\($0)" })
    case .string(_, _, _, let format): format ?? "string"
    case .enumeration(let values):
      values.map { String(decoding: $0.encoded(), as: UTF8.self) }.joined(separator: " or ")
    case .array(let element, _, _, _): "array of \(element.words)"
    case .map(let element, _): "object of \(element.words)"
    case .object(let object): object.name ?? "object"
    case .nullable(let schema): "\(schema.words) or null"
    case .anyOf(let choices): choices.map(\.words).joined(separator: " or ")
    case .reference: "object"
    }
  }

  private static func range(_ minimum: String?, _ maximum: String?) -> String {
    switch (minimum, maximum) {
    case (nil, nil): ""
    case (let minimum?, nil): " from \(minimum)"
    case (nil, let maximum?): " up to \(maximum)"
    case (let minimum?, let maximum?): " \(minimum)…\(maximum)"
    }
  }

  /// The shape of the value, or of an array's elements, if they are objects with known members.
  package var object: ObjectSchema? {
    switch self {
    case .object(let object): object
    case .array(let schema, _, _, _), .nullable(let schema): schema.object
    case .any, .boolean, .integer, .number, .string, .enumeration, .map, .anyOf, .reference: nil
    }
  }

  /// The named objects inside, outermost first, each once.
  package func collectNamed(into found: inout [ObjectSchema]) {
    switch self {
    case .array(let schema, _, _, _), .map(let schema, _), .nullable(let schema):
      schema.collectNamed(into: &found)
    case .anyOf(let schemas): for schema in schemas { schema.collectNamed(into: &found) }
    case .object(let object):
      guard object.name == nil || !found.contains(where: { $0.name == object.name }) else { return }
      if object.name != nil { found.append(object) }
      for member in object.members { member.schema.collectNamed(into: &found) }
    case .any, .boolean, .integer, .number, .string, .enumeration, .reference: break
    }
  }
}

extension JSONWriter {
  fileprivate mutating func type(_ name: String, _ orNull: Bool) {
    if orNull { member("type", [name, "null"]) } else { member("type", name) }
  }
}

extension ObjectSchema {
  /// Writes the members of the schema object, its own members included.
  package func write(
    to json: inout JSONWriter, for direction: JSONSchema.Direction, reference: (ObjectSchema) -> String?
  ) {
    write(to: &json, orNull: false, for: direction, reference: reference)
  }

  fileprivate func write(
    to json: inout JSONWriter, orNull: Bool, for direction: JSONSchema.Direction,
    reference: (ObjectSchema) -> String?
  ) {
    json.type("object", orNull)
    // The member describes an object that is written in place.
    if name != nil, !summary.isEmpty { json.member("description", summary) }
    let required = members.filter { $0.isRequired(in: direction) }.map(\.name)
    if !required.isEmpty { json.member("required", required) }
    json.member("additionalProperties", false)
    json.object("properties") { json in
      for member in members {
        json.object(named: member.name) { json in
          member.schema(in: direction).write(to: &json, for: direction, reference: reference)
          if !member.summary.isEmpty { json.member("description", member.summary) }
          if case .defaulted(let value) = member.presence { json.member("default", value) }
          if member.presence == .readOnly { json.member("readOnly", true) }
        }
      }
    }
    guard direction == .request else { return }
    if constraints.count < 2 {
      for constraint in constraints { constraint.write(to: &json) }
    } else {
      // Two constraints can have the same keyword.
      json.array("allOf", constraints) { json, constraint in json.value(object: { constraint.write(to: &$0) })
      }
    }
  }
}

extension ObjectSchema.Member {
  /// A request may have `null` in place of every member that it may leave out.
  fileprivate func schema(in direction: JSONSchema.Direction) -> JSONSchema {
    let mayBeNull = direction == .request ? presence != .required : presence == .nullable
    if case .nullable = schema { return schema }
    return mayBeNull ? .nullable(schema) : schema
  }

  fileprivate func isRequired(in direction: JSONSchema.Direction) -> Bool {
    switch presence {
    case .required: true
    case .defaulted, .nullable, .always, .readOnly: direction == .response
    case .optional: false
    }
  }
}

extension ObjectSchema.Constraint {
  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .atLeastOne(let names):
      json.array("anyOf", names) { json, name in
        json.value(object: { json in
          json.member("required", [name])
          json.object("properties") { json in
            json.object(named: name) { $0.object("not") { $0.member("type", "null") } }
          }
        })
      }
    case .together(let names):
      json.array("oneOf", [true, false]) { json, areThere in
        json.value(object: { json in
          if areThere { json.member("required", names) }
          json.object("properties") { json in
            for name in names {
              json.object(named: name) { json in
                if areThere {
                  json.object("not") { $0.member("type", "null") }
                } else {
                  json.member("type", "null")
                }
              }
            }
          }
        })
      }
    case .choices(let choices):
      json.array("allOf", choices) { json, choice in
        json.value(object: { json in
          json.object("if") { Self.write(choice.path[...], values: choice.values, to: &$0) }
          json.object("then") { json in
            json.object("properties") { json in
              json.object(named: choice.member) { $0.member("enum", choice.allowed) }
            }
          }
        })
      }
    }
  }

  /// The object has the members of a path, and the last one has one of the values.
  private static func write(_ path: ArraySlice<String>, values: [JSON], to json: inout JSONWriter) {
    guard let name = path.first else { return json.member("enum", values) }
    json.member("type", "object")
    json.member("required", [name])
    json.object("properties") { json in
      json.object(named: name) { write(path.dropFirst(), values: values, to: &$0) }
    }
  }
}
