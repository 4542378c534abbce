/// One member of a schema. `summary` is for seeds, OpenAPI and tables of settings; a record that is only
/// stored needs none.
///
/// The functions that take a path are inlined, and those after them with a property do the work: see
/// `Property`.
///
/// A class, because reading and writing a record goes through all fields, and copying one with its
/// description takes 300 instructions.
@usableFromInline package final class Field<Record>: Sendable {
  @usableFromInline package typealias Path<Value> = Property<Record, Value>.Path

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

  /// A member that a request may leave out; the record then keeps its value. `default` is the value of a new
  /// record.
  @inlinable @inline(__always)
  package static func field<Value: Equatable & Sendable>(
    _ name: String, _ path: @autoclosure @escaping Path<Value>, _ type: FieldType<Value>,
    default value: Value, _ summary: String = ""
  ) -> Field {
    .field(name, in: Property(path()), type, default: value, summary)
  }

  @usableFromInline
  static func field<Value: Equatable & Sendable>(
    _ name: String, in property: Property<Record, Value>, _ type: FieldType<Value>, default value: Value,
    _ summary: String
  ) -> Field {
    .stored(name, property, type, summary, .defaulted(type.json(value)))
  }

  /// A member that a request may leave out, whose value in a new record depends on other things.
  @inlinable @inline(__always)
  package static func field<Value: Equatable & Sendable>(
    _ name: String, _ path: @autoclosure @escaping Path<Value>, _ type: FieldType<Value>,
    _ summary: String = ""
  ) -> Field {
    .field(name, in: Property(path()), type, summary)
  }

  @usableFromInline
  static func field<Value: Equatable & Sendable>(
    _ name: String, in property: Property<Record, Value>, _ type: FieldType<Value>, _ summary: String
  ) -> Field {
    .stored(name, property, type, summary, .always)
  }

  private static func stored<Value: Equatable & Sendable>(
    _ name: String, _ property: Property<Record, Value>, _ type: FieldType<Value>, _ summary: String,
    _ presence: ObjectSchema.Presence
  ) -> Field {
    Field(ObjectSchema.Member(name, type.schema, summary, presence)) {
      input, record throws(FieldError) in
      if let value = try type.read(input, name) { property.set(value, in: &record) }
    } write: { record, json in
      json.name(named: name)
      type.write(property.value(in: record), &json)
    } differs: {
      property.value(in: $0) != property.value(in: $1)
    }
  }

  /// A member that must be there.
  @inlinable @inline(__always)
  package static func required<Value: Equatable & Sendable>(
    _ name: String, _ path: @autoclosure @escaping Path<Value>, _ type: FieldType<Value>,
    _ summary: String = ""
  ) -> Field {
    .required(name, in: Property(path()), type, summary)
  }

  @usableFromInline
  static func required<Value: Equatable & Sendable>(
    _ name: String, in property: Property<Record, Value>, _ type: FieldType<Value>, _ summary: String
  ) -> Field {
    Field(ObjectSchema.Member(name, type.schema, summary, .required)) {
      input, record throws(FieldError) in
      guard let value = try type.read(input, name) else {
        throw input.mismatch(name, expected: type.expected)
      }
      property.set(value, in: &record)
    } write: { record, json in
      json.name(named: name)
      type.write(property.value(in: record), &json)
    } differs: {
      property.value(in: $0) != property.value(in: $1)
    }
  }

  /// A member that `null` clears.
  @inlinable @inline(__always)
  package static func nullable<Value: Equatable & Sendable>(
    _ name: String, _ path: @autoclosure @escaping Path<Value?>, _ type: FieldType<Value>,
    _ summary: String = ""
  ) -> Field {
    .nullable(name, in: Property(path()), type, summary)
  }

  @usableFromInline
  static func nullable<Value: Equatable & Sendable>(
    _ name: String, in property: Property<Record, Value?>, _ type: FieldType<Value>, _ summary: String
  ) -> Field {
    .clearable(name, property, type, summary, .nullable)
  }

  /// A member that `null` clears, and that is left out where it has no value.
  @inlinable @inline(__always)
  package static func optional<Value: Equatable & Sendable>(
    _ name: String, _ path: @autoclosure @escaping Path<Value?>, _ type: FieldType<Value>,
    _ summary: String = ""
  ) -> Field {
    .optional(name, in: Property(path()), type, summary)
  }

  @usableFromInline
  static func optional<Value: Equatable & Sendable>(
    _ name: String, in property: Property<Record, Value?>, _ type: FieldType<Value>, _ summary: String
  ) -> Field {
    .clearable(name, property, type, summary, .optional)
  }

  private static func clearable<Value: ClearableValue & Equatable & Sendable>(
    _ name: String, _ property: Property<Record, Value>, _ type: FieldType<Value.Wrapped>, _ summary: String,
    _ presence: ObjectSchema.Presence
  ) -> Field where Value.Wrapped: Sendable {
    Field(ObjectSchema.Member(name, type.schema, summary, presence)) {
      input, record throws(FieldError) in
      if input.has(name) { property.set(Value(try type.read(input, name)), in: &record) }
    } write: { record, json in
      property.value(in: record).writeMember(name, orNull: presence == .nullable, to: &json, type.write)
    } differs: {
      property.value(in: $0) != property.value(in: $1)
    }
  }

  /// A member that the record keeps in another form. `set` is called with nil for `null`, where the member is
  /// nullable.
  package static func computed<Value: Equatable & Sendable>(
    _ name: String, _ type: FieldType<Value>, _ presence: ObjectSchema.Presence, _ summary: String = "",
    get: @escaping @Sendable (Record) -> Value?, set: @escaping @Sendable (inout Record, Value?) -> Void,
    differs: (@Sendable (Record, Record) -> Bool)? = nil
  ) -> Field {
    Field(ObjectSchema.Member(name, type.schema, summary, presence)) { input, record throws(FieldError) in
      guard input.has(name) else { return }
      let value = try type.read(input, name)
      if value != nil || presence == .nullable { set(&record, value) }
    } write: { record, json in
      get(record).writeMember(name, orNull: presence != .optional, to: &json, type.write)
    } differs: {
      differs?($0, $1) ?? (get($0) != get($1))
    }
  }

  /// An object whose members are merged into a part of the record.
  @inlinable @inline(__always)
  package static func nested<Value: Equatable & Sendable>(
    _ name: String, _ path: @autoclosure @escaping Path<Value>, _ schema: Schema<Value>,
    _ summary: String = ""
  ) -> Field {
    .nested(name, in: Property(path()), schema, summary)
  }

  @usableFromInline
  static func nested<Value: Equatable & Sendable>(
    _ name: String, in property: Property<Record, Value>, _ schema: Schema<Value>, _ summary: String
  ) -> Field {
    Field(ObjectSchema.Member(name, .object(schema.object), summary, .always)) {
      input, record throws(FieldError) in
      if let nested = try input.optionalObject(name) {
        try property.change(in: &record) { value throws(FieldError) in
          try schema.merge(nested, into: &value)
        }
      }
    } write: { record, json in
      json.object(named: name) { schema.write(property.value(in: record), to: &$0) }
    } differs: {
      property.value(in: $0) != property.value(in: $1)
    }
  }

  /// An object whose members are merged into a part of the record that may be missing; `null` clears it.
  @inlinable @inline(__always)
  package static func nullableNested<Value: Equatable & Sendable>(
    _ name: String, _ path: @autoclosure @escaping Path<Value?>, _ schema: Schema<Value>,
    from empty: @escaping @Sendable () -> Value, _ summary: String = ""
  ) -> Field {
    .nullableNested(name, in: Property(path()), schema, from: empty, summary)
  }

  @usableFromInline
  static func nullableNested<Value: Equatable & Sendable>(
    _ name: String, in property: Property<Record, Value?>, _ schema: Schema<Value>,
    from empty: @escaping @Sendable () -> Value, _ summary: String
  ) -> Field {
    let type = FieldType.object(schema)
    return Field(ObjectSchema.Member(name, type.schema, summary, .nullable)) {
      input, record throws(FieldError) in
      guard input.has(name) else { return }
      guard let nested = try input.optionalObject(name) else { return property.set(nil, in: &record) }
      var value = property.value(in: record) ?? empty()
      try schema.merge(nested, into: &value)
      property.set(value, in: &record)
    } write: { record, json in
      property.value(in: record).writeMember(name, orNull: true, to: &json, type.write)
    } differs: {
      property.value(in: $0) != property.value(in: $1)
    }
  }

  /// A member that answers have and requests cannot change.
  package static func readOnly<Value: Sendable>(
    _ name: String, _ type: FieldType<Value>, _ summary: String = "",
    _ value: @escaping @Sendable (Record) -> Value
  ) -> Field {
    .output(ObjectSchema.Member(name, type.schema, summary, .readOnly), type) { record, json in
      json.name(named: name)
      type.write(value(record), &json)
    }
  }

  /// A member that answers have, with `null` where there is no value, and requests cannot change.
  package static func readOnly<Value: Sendable>(
    _ name: String, _ type: FieldType<Value>, _ summary: String = "",
    _ value: @escaping @Sendable (Record) -> Value?
  ) -> Field {
    .output(
      ObjectSchema.Member(name, .nullable(type.schema), summary, .readOnly), type, orNull: true, value)
  }

  /// A member that answers have where there is a value, and requests cannot change.
  package static func readOnlyIfPresent<Value: Sendable>(
    _ name: String, _ type: FieldType<Value>, _ summary: String = "",
    _ value: @escaping @Sendable (Record) -> Value?
  ) -> Field {
    .output(ObjectSchema.Member(name, type.schema, summary, .optional), type, orNull: false, value)
  }

  private static func output<Value: ClearableValue & Sendable>(
    _ member: ObjectSchema.Member, _ type: FieldType<Value.Wrapped>, orNull: Bool,
    _ value: @escaping @Sendable (Record) -> Value
  ) -> Field where Value.Wrapped: Sendable {
    .output(member, type) { record, json in
      value(record).writeMember(member.name, orNull: orNull, to: &json, type.write)
    }
  }

  private static func output<Value: Sendable>(
    _ member: ObjectSchema.Member, _ type: FieldType<Value>,
    write: @escaping @Sendable (Record, inout JSONWriter) -> Void
  ) -> Field {
    Field(member) { input, _ throws(FieldError) in
      if input.has(member.name) { _ = try type.read(input, member.name) }
    } write: { record, json in
      write(record, &json)
    } differs: { _, _ in
      false
    }
  }

  /// The same field of a record that contains this one.
  @inlinable @inline(__always)
  package func lifted<Outer>(_ path: @autoclosure @escaping Property<Outer, Record>.Path) -> Field<Outer> {
    lifted(to: Property(path()))
  }

  @usableFromInline
  func lifted<Outer>(to property: Property<Outer, Record>) -> Field<Outer> {
    Field<Outer>(member) { [merge] input, record throws(FieldError) in
      try property.change(in: &record) { value throws(FieldError) in try merge(input, &value) }
    } write: { [write] record, json in
      write(property.value(in: record), &json)
    } differs: { [differs] in
      differs(property.value(in: $0), property.value(in: $1))
    }
  }
}

/// An optional. A function that is generic over what it wraps would look up the type of the optional in each
/// call, which takes 450 instructions.
private protocol ClearableValue {
  associatedtype Wrapped
  init(_ value: Wrapped?)
  func writeMember(
    _ name: String, orNull: Bool, to json: inout JSONWriter, _ write: (Wrapped, inout JSONWriter) -> Void)
}

extension Optional: ClearableValue {
  fileprivate init(_ value: Wrapped?) { self = value }

  fileprivate func writeMember(
    _ name: String, orNull: Bool, to json: inout JSONWriter, _ write: (Wrapped, inout JSONWriter) -> Void
  ) {
    guard self != nil || orNull else { return }
    json.name(named: name)
    if let self { write(self, &json) } else { json.value(nil as Bool?) }
  }
}
