/// The fields of a record, each named once. Reading, merging, writing, exporting, OpenAPI, the seed schema and the
/// tables of the documentation all follow from it.
///
/// ```
/// static let schema = Schema<Settings>("AcmeSettings", "Settings of Acme in a sandbox.", [
///   .field("ttlSeconds", \.ttlSeconds, .integer(120...86_400), default: 600, "How long a verification is pending."),
///   .nullable("publicBaseURL", \.publicBaseURL, .baseURL, "Scheme and authority of links; null: as the client called."),
/// ])
/// ```
package struct Schema<Record>: Sendable {
  package let name: String?
  package let summary: String
  package let fields: [Field<Record>]
  private let inseparable: [String]

  /// `name` is the component's name in OpenAPI; nil for an object that is described where it is used. `inseparable`
  /// documents members that come together or not at all; `merge` does not check it.
  package init(
    _ name: String? = nil, _ summary: String = "", _ fields: [Field<Record>], inseparable: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.fields = fields
    self.inseparable = inseparable
  }

  /// The shape of the record, for schemas and tables.
  package var object: ObjectSchema {
    ObjectSchema(name, summary, fields.map(\.member), inseparable: inseparable)
  }

  /// Changes what `input` names, and leaves the rest. Required members must be there.
  package func merge(_ input: Fields, into record: inout Record) throws(FieldError) {
    for field in fields { try field.merge(input, &record) }
  }

  /// Writes every member.
  package func write(_ record: Record, to json: inout JSONWriter) {
    for field in fields { field.write(record, &json) }
  }

  /// The whole record as a document.
  package func encode(_ record: Record) -> [UInt8] {
    JSONWriter.object { write(record, to: &$0) }
  }

  /// Writes the members that differ from those of another record.
  package func writeDifferences(_ record: Record, from other: Record, to json: inout JSONWriter) {
    for field in fields where field.differs(record, other) { field.write(record, &json) }
  }
}

/// One field of a record.
package struct Field<Record>: Sendable {
  package let member: ObjectSchema.Member
  let merge: @Sendable (Fields, inout Record) throws(FieldError) -> Void
  let write: @Sendable (Record, inout JSONWriter) -> Void
  let differs: @Sendable (Record, Record) -> Bool

  /// The general form, for a field that reads or writes in its own way.
  package init(
    _ member: ObjectSchema.Member,
    merge: @escaping @Sendable (Fields, inout Record) throws(FieldError) -> Void,
    write: @escaping @Sendable (Record, inout JSONWriter) -> Void,
    differs: @escaping @Sendable (Record, Record) -> Bool = { _, _ in true }
  ) {
    self.member = member
    self.merge = merge
    self.write = write
    self.differs = differs
  }

  /// A member that a request may leave out; the record then keeps its value. `default` is the value of a new record.
  package static func field<Value: Equatable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ type: FieldType<Value>,
    default value: Value,
    _ summary: String
  ) -> Field {
    Field(ObjectSchema.Member(name, type.schema, summary, .defaulted(type.json(value)))) {
      input, record throws(FieldError) in
      if let value = try type.read(input, name) { record[keyPath: path] = value }
    } write: { record, json in
      json.name(named: name)
      type.write(record[keyPath: path], &json)
    } differs: {
      $0[keyPath: path] != $1[keyPath: path]
    }
  }

  /// A member that must be there.
  package static func required<Value: Equatable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ type: FieldType<Value>,
    _ summary: String
  ) -> Field {
    Field(ObjectSchema.Member(name, type.schema, summary, .required)) { input, record throws(FieldError) in
      guard let value = try type.read(input, name) else {
        throw input.mismatch(name, expected: "a value")
      }
      record[keyPath: path] = value
    } write: { record, json in
      json.name(named: name)
      type.write(record[keyPath: path], &json)
    } differs: {
      $0[keyPath: path] != $1[keyPath: path]
    }
  }

  /// A member that `null` clears.
  package static func nullable<Value: Equatable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Record, Value?> & Sendable, _ type: FieldType<Value>,
    _ summary: String
  ) -> Field {
    Field(ObjectSchema.Member(name, type.schema, summary, .nullable)) { input, record throws(FieldError) in
      if input.has(name) { record[keyPath: path] = try type.read(input, name) }
    } write: { record, json in
      json.name(named: name)
      if let value = record[keyPath: path] { type.write(value, &json) } else { json.value(nil as Bool?) }
    } differs: {
      $0[keyPath: path] != $1[keyPath: path]
    }
  }

  /// A member that answers have and requests cannot change.
  package static func readOnly<Value: Sendable>(
    _ name: String, _ type: FieldType<Value>, _ summary: String,
    _ value: @escaping @Sendable (Record) -> Value?
  ) -> Field {
    Field(ObjectSchema.Member(name, .nullable(type.schema), summary, .readOnly)) { input, _ in
      _ = input.has(name)
    } write: { record, json in
      json.name(named: name)
      if let value = value(record) { type.write(value, &json) } else { json.value(nil as Bool?) }
    } differs: { _, _ in
      false
    }
  }
}

extension FieldType {
  fileprivate func json(_ value: Value) -> JSON {
    var writer = JSONWriter()
    write(value, &writer)
    return (try? JSON(parsing: writer.bytes)) ?? .null
  }
}
