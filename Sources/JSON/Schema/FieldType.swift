/// How one kind of value is read from JSON, written to it and described.
package struct FieldType<Value: Sendable>: Sendable {
  package let schema: JSONSchema
  /// The value of a member; nil when the member is absent or `null`.
  let read: @Sendable (Fields, String) throws(FieldError) -> Value?
  /// Reads an element of an array.
  let element: @Sendable (JSON, _ path: String) throws(FieldError) -> Value
  let write: @Sendable (Value, inout JSONWriter) -> Void

  /// A type whose values are scalars. `decode` answers nil for a value that is not one; `expected` says what is.
  package init(
    _ schema: JSONSchema, expected: String, decode: @escaping @Sendable (JSON) -> Value?,
    write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.schema = schema
    self.write = write
    element = { json, path throws(FieldError) in
      guard let value = decode(json) else { throw FieldError(path: path, expected: expected, found: json) }
      return value
    }
    read = { fields, name throws(FieldError) in
      guard let json = fields.read(name), json != .null else { return nil }
      guard let value = decode(json) else { throw fields.mismatch(name, expected: expected) }
      return value
    }
  }

  private init(
    schema: JSONSchema, read: @escaping @Sendable (Fields, String) throws(FieldError) -> Value?,
    element: @escaping @Sendable (JSON, _ path: String) throws(FieldError) -> Value,
    write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.schema = schema
    self.read = read
    self.element = element
    self.write = write
  }
}

extension FieldType where Value == Bool {
  package static var boolean: FieldType {
    FieldType(.boolean, expected: "true or false") {
      if case .bool(let value) = $0 { value } else { nil }
    } write: {
      $1.value($0)
    }
  }
}

extension FieldType where Value == Int {
  /// An integer within bounds; `2.0` is one.
  package static func integer(_ range: ClosedRange<Int>) -> FieldType {
    FieldType(
      .integer(minimum: range.lowerBound, maximum: range.upperBound),
      expected: "an integer from \(range.lowerBound) to \(range.upperBound)"
    ) {
      JSONInteger.value(of: $0).flatMap { range.contains($0) ? $0 : nil }
    } write: {
      $1.value($0)
    }
  }

  /// One of a few integers.
  package static func oneOf(_ values: [Int]) -> FieldType {
    FieldType(
      .enumeration(values.map { .integer(Int64($0)) }),
      expected: "one of \(values.map(String.init).joined(separator: ", "))"
    ) {
      JSONInteger.value(of: $0).flatMap { values.contains($0) ? $0 : nil }
    } write: {
      $1.value($0)
    }
  }
}

extension FieldType where Value == Double {
  package static func number(_ range: ClosedRange<Double>) -> FieldType {
    FieldType(
      .number(minimum: range.lowerBound, maximum: range.upperBound),
      expected: "a number from \(range.lowerBound) to \(range.upperBound)"
    ) {
      switch $0 {
      case .integer(let value): range.contains(Double(value)) ? Double(value) : nil
      case .double(let value): range.contains(value) ? value : nil
      default: nil
      }
    } write: {
      $1.value($0)
    }
  }
}

extension FieldType where Value == String {
  /// Any text.
  package static var string: FieldType { text(.string(), expected: "a string") { _ in true } }

  /// A text of so many characters.
  package static func string(_ length: ClosedRange<Int>) -> FieldType {
    text(
      .string(minLength: length.lowerBound, maxLength: length.upperBound),
      expected: length.count == 1
        ? "\(length.lowerBound) characters" : "\(length.lowerBound) to \(length.upperBound) characters"
    ) { length.contains($0.unicodeScalars.count) }
  }

  /// A text of a certain form.
  package static func text(
    _ schema: JSONSchema, expected: String, _ isValid: @escaping @Sendable (String) -> Bool
  ) -> FieldType {
    FieldType(schema, expected: expected) {
      if case .string(let text) = $0, isValid(text) { text } else { nil }
    } write: {
      $1.value($0)
    }
  }
}

extension FieldType where Value: RawRepresentable<String> & CaseIterable {
  /// One of the words of an enumeration.
  package static var word: FieldType {
    let words = Value.allCases.map(\.rawValue)
    return FieldType(
      .words(words), expected: words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))"
    ) {
      if case .string(let text) = $0 { Value(rawValue: text) } else { nil }
    } write: {
      $1.value($0.rawValue)
    }
  }
}

extension FieldType where Value: RawRepresentable<Int> & CaseIterable {
  /// One of the numbers of an enumeration.
  package static var numberWord: FieldType {
    let numbers = Value.allCases.map(\.rawValue)
    return FieldType(
      .enumeration(numbers.map { .integer(Int64($0)) }),
      expected: "one of \(numbers.map(String.init).joined(separator: ", "))"
    ) {
      JSONInteger.value(of: $0).flatMap(Value.init(rawValue:))
    } write: {
      $1.value($0.rawValue)
    }
  }
}

extension FieldType where Value == JSON {
  /// Any JSON value.
  package static var json: FieldType {
    FieldType(.any, expected: "a value") {
      $0
    } write: {
      $1.value($0)
    }
  }
}

extension FieldType {
  /// An array; an error names the index.
  package static func array<Element: Sendable>(of type: FieldType<Element>) -> FieldType
  where Value == [Element] {
    let element: @Sendable (JSON, String) throws(FieldError) -> [Element] = { json, path throws(FieldError) in
      guard case .array(let items) = json else {
        throw FieldError(path: path, expected: "an array", found: json)
      }
      var values: [Element] = []
      for (index, item) in items.enumerated() { values.append(try type.element(item, "\(path)[\(index)]")) }
      return values
    }
    return FieldType(schema: .array(type.schema)) { fields, name throws(FieldError) in
      guard let json = fields.read(name), json != .null else { return nil }
      return try element(json, "\(fields.path).\(name)")
    } element: { json, path throws(FieldError) in
      try element(json, path)
    } write: { values, json in
      json.value(array: values) { type.write($1, &$0) }
    }
  }

  /// An object that a schema describes, read over the value that the record has before.
  package static func object(_ schema: Schema<Value>, from empty: @escaping @Sendable () -> Value)
    -> FieldType
  {
    FieldType(schema: .object(schema.object)) { fields, name throws(FieldError) in
      guard let nested = try fields.optionalObject(name) else { return nil }
      var value = empty()
      try schema.merge(nested, into: &value)
      return value
    } element: { json, path throws(FieldError) in
      var value = empty()
      try schema.merge(Fields(json, path: path), into: &value)
      return value
    } write: { value, json in
      json.value(object: { schema.write(value, to: &$0) })
    }
  }

  /// An array of objects that a schema describes.
  package static func objects<Element: Sendable>(
    _ schema: Schema<Element>, from empty: @escaping @Sendable () -> Element
  )
    -> FieldType
  where Value == [Element] {
    let array = FieldType.array(of: FieldType<Element>.object(schema, from: empty))
    return FieldType(schema: array.schema) { fields, name throws(FieldError) in
      guard let list = try fields.optionalObjects(name) else { return nil }
      var values: [Element] = []
      for nested in list {
        var value = empty()
        try schema.merge(nested, into: &value)
        values.append(value)
      }
      return values
    } element: { json, path throws(FieldError) in
      try array.element(json, path)
    } write: { values, json in
      array.write(values, &json)
    }
  }
}

/// Integers of a JSON document.
private enum JSONInteger {
  static func value(of json: JSON) -> Int? {
    switch json {
    case .integer(let value): Int(value)
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }
}
