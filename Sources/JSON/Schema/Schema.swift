/// The fields of a record, each named once. Reading, merging, writing, exporting, OpenAPI, the seed schema
/// and the tables of the documentation all follow from it.
///
/// ```swift
/// let schema = Schema<Settings>(
///   "AcmeSettings", "Settings of Acme in a sandbox.",
///   [.field("codeLength", \.codeLength, .integer(4...10), default: 6, "Digits of a code.")])
/// try schema.merge(Fields(body), into: &settings)
/// let answer = schema.encode(settings)
/// ```
/// Names and descriptions are for seeds, OpenAPI and the tables of settings. A schema of records that are
/// only stored has none: `.required("codeLength", \.codeLength, .integer)`.
///
/// A class, because a closure that has captured a generic structure looks up its type in each call.
@usableFromInline package final class Schema<Record>: Sendable {
  package typealias Check = @Sendable (Fields, inout Record) throws(FieldError) -> Void

  package let name: String?
  package let summary: String
  package let fields: [Field<Record>]
  package let constraints: [ObjectSchema.Constraint]
  /// The shape of the record, for schemas and tables.
  package let object: ObjectSchema
  private let check: Check?

  /// `name` is the component's name in OpenAPI; nil for an object that is described where it is used.
  /// `check` runs after all fields were read, for rules between fields.
  package init(
    _ name: String?, _ summary: String, _ fields: [Field<Record>],
    constraints: [ObjectSchema.Constraint] = [], check: Check? = nil
  ) {
    self.name = name
    self.summary = summary
    self.fields = fields
    self.constraints = constraints
    self.check = check
    object = ObjectSchema(name, summary, fields.map { $0.member }, constraints: constraints)
  }

  /// A schema of records that are only stored: without descriptions.
  package convenience init(_ fields: [Field<Record>], check: Check? = nil) {
    self.init(nil, "", fields, check: check)
  }

  /// Changes what `input` names, and leaves the rest. Required members must be there.
  package func merge(_ input: Fields, into record: inout Record) throws(FieldError) {
    // By index: an iterator of a generic type takes as long as a short field.
    for index in 0..<fields.count { try fields[index].merge(input, &record) }
    for constraint in constraints { try constraint.check(input, of: object) }
    try check?(input, &record)
  }

  /// Writes every member.
  package func write(_ record: Record, to json: inout JSONWriter) {
    for index in 0..<fields.count { fields[index].write(record, &json) }
  }

  /// The whole record as a document.
  package func encode(_ record: Record) -> [UInt8] {
    JSONWriter.object { write(record, to: &$0) }
  }

  /// The record as a tree, without the members that are as in `usual`.
  package func json(_ record: Record, omitting usual: Record? = nil) -> JSON {
    JSON(
      written: usual.map { usual in
        JSONWriter.object { writeDifferences(record, from: usual, to: &$0) }
      } ?? encode(record))
  }

  /// Writes the members that differ from those of another record.
  package func writeDifferences(_ record: Record, from other: Record, to json: inout JSONWriter) {
    for field in fields where field.differs(record, other) { field.write(record, &json) }
  }
}

extension ObjectSchema.Constraint {
  /// `choices` are checked by the record that has them, because its error can name the choice.
  fileprivate func check(_ input: Fields, of object: ObjectSchema) throws(FieldError) {
    switch self {
    case .atLeastOne(let names):
      guard let first = names.first, !names.contains(where: input.hasValue) else { return }
      // A misspelt name explains a missing one.
      if let unknown = input.unknownName(in: object) { throw unknown }
      throw input.mismatch(first, expected: "at least one of \(names.joined(separator: ", "))")
    case .together(let names):
      guard let present = names.first(where: input.hasValue),
        let absent = names.first(where: { !input.hasValue($0) })
      else { return }
      throw input.mismatch(absent, expected: "a value, because \(present) has one")
    case .choices: break
    }
  }
}

extension Fields {
  /// True if the member is there and not `null`; counts as reading it.
  func hasValue(_ name: String) -> Bool { read(name).map { $0 != .null } ?? false }
}
