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
  case array(JSONSchema)
  /// An object with names of the client's choice.
  case map(JSONSchema)
  case object(ObjectSchema)
  case nullable(JSONSchema)
  /// A value of any of these shapes.
  case anyOf([JSONSchema])

  /// One of some texts.
  package static func words(_ words: [String]) -> JSONSchema { .enumeration(words.map { .string($0) }) }
}

/// The shape of a JSON object with known members.
package struct ObjectSchema: Equatable, Sendable {
  /// One member of the object.
  package struct Member: Equatable, Sendable {
    package let name: String
    package let schema: JSONSchema
    package let summary: String
    package let presence: Presence

    package init(_ name: String, _ schema: JSONSchema, _ summary: String, _ presence: Presence = .optional) {
      self.name = name
      self.schema = schema
      self.summary = summary
      self.presence = presence
    }
  }

  /// When a member is there.
  package enum Presence: Equatable, Sendable {
    /// In every request and every answer.
    case required
    /// In requests as the client likes, in every answer; without it the value is this one.
    case defaulted(JSON)
    /// In requests as the client likes, in every answer; `null` clears it.
    case nullable
    /// Only where there is something to say.
    case optional
    /// In every answer; ignored in requests, so that an answer can be sent back.
    case readOnly
  }

  /// The component's name; nil for a shape that is written where it is used.
  package let name: String?
  package let summary: String
  package let members: [Member]
  /// Names of members that come together or not at all.
  package let inseparable: [String]

  package init(_ name: String?, _ summary: String, _ members: [Member], inseparable: [String] = []) {
    self.name = name
    self.summary = summary
    self.members = members
    self.inseparable = inseparable
  }
}

extension JSONSchema {
  /// Which side of an exchange a schema is written for: the same record has optional members in requests that
  /// every answer has.
  package enum Direction: Sendable {
    case request
    case response
  }

  /// Writes the members of the schema object. A named object is a reference: `reference` gives its URL.
  package func write(
    to json: inout JSONWriter, for direction: Direction, reference: (ObjectSchema) -> String?
  ) {
    switch self {
    case .any: break
    case .boolean: json.member("type", "boolean")
    case .integer(let minimum, let maximum):
      json.member("type", "integer")
      if let minimum { json.member("minimum", minimum) }
      if let maximum { json.member("maximum", maximum) }
    case .number(let minimum, let maximum):
      json.member("type", "number")
      if let minimum { json.member("minimum", minimum) }
      if let maximum { json.member("maximum", maximum) }
    case .string(let pattern, let minLength, let maxLength, let format):
      json.member("type", "string")
      if let pattern { json.member("pattern", pattern) }
      if let minLength { json.member("minLength", minLength) }
      if let maxLength { json.member("maxLength", maxLength) }
      if let format { json.member("format", format) }
    case .enumeration(let values): json.member("enum", values)
    case .array(let element):
      json.member("type", "array")
      json.object("items") { element.write(to: &$0, for: direction, reference: reference) }
    case .map(let element):
      json.member("type", "object")
      json.object("additionalProperties") { element.write(to: &$0, for: direction, reference: reference) }
    case .nullable(let schema):
      json.array("anyOf", [schema, nil]) { json, choice in
        json.value(object: { json in
          if let choice {
            choice.write(to: &json, for: direction, reference: reference)
          } else {
            json.member("type", "null")
          }
        })
      }
    case .anyOf(let schemas):
      json.array("anyOf", schemas) { json, schema in
        json.value(object: { schema.write(to: &$0, for: direction, reference: reference) })
      }
    case .object(let object):
      if let url = reference(object) {
        json.member("$ref", url)
      } else {
        object.write(to: &json, for: direction, reference: reference)
      }
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
    case .array(let element): "array of \(element.words)"
    case .map(let element): "object of \(element.words)"
    case .object(let object): object.name ?? "object"
    case .nullable(let schema): "\(schema.words) or null"
    case .anyOf(let schemas): schemas.map(\.words).joined(separator: " or ")
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

  /// The named objects inside, outermost first, each once.
  package func collectNamed(into found: inout [ObjectSchema]) {
    switch self {
    case .array(let schema), .map(let schema), .nullable(let schema): schema.collectNamed(into: &found)
    case .anyOf(let schemas): for schema in schemas { schema.collectNamed(into: &found) }
    case .object(let object):
      guard object.name == nil || !found.contains(where: { $0.name == object.name }) else { return }
      if object.name != nil { found.append(object) }
      for member in object.members { member.schema.collectNamed(into: &found) }
    case .any, .boolean, .integer, .number, .string, .enumeration: break
    }
  }
}

extension ObjectSchema {
  /// Writes the members of the schema object, its own members included.
  package func write(
    to json: inout JSONWriter, for direction: JSONSchema.Direction, reference: (ObjectSchema) -> String?
  ) {
    json.member("type", "object")
    if !summary.isEmpty { json.member("description", summary) }
    let required = members.filter { $0.isRequired(in: direction) }.map(\.name)
    if !required.isEmpty { json.member("required", required) }
    if !inseparable.isEmpty {
      json.object("dependentRequired") { json in
        for name in inseparable { json.member(named: name, inseparable.filter { $0 != name }) }
      }
    }
    json.member("additionalProperties", false)
    json.object("properties") { json in
      for member in members {
        json.object(named: member.name) { json in
          member.effectiveSchema.write(to: &json, for: direction, reference: reference)
          if !member.summary.isEmpty { json.member("description", member.summary) }
          if case .defaulted(let value) = member.presence { json.member("default", value) }
          if member.presence == .readOnly { json.member("readOnly", true) }
        }
      }
    }
  }
}

extension ObjectSchema.Member {
  fileprivate var effectiveSchema: JSONSchema { presence == .nullable ? .nullable(schema) : schema }

  fileprivate func isRequired(in direction: JSONSchema.Direction) -> Bool {
    switch presence {
    case .required: true
    case .defaulted, .nullable, .readOnly: direction == .response
    case .optional: false
    }
  }
}
