/// How one kind of value is read from JSON, written to it and described.
@usableFromInline package struct FieldType<Value: Sendable>: Sendable {
  package let schema: JSONSchema
  /// What a value must be, for errors: "an integer from 1 to 5".
  package let expected: String
  /// The value of a member; nil when the member is absent or `null`.
  package let read: @Sendable (Fields, String) throws(FieldError) -> Value?
  /// Reads an element of an array.
  let element: @Sendable (JSON, _ path: String) throws(FieldError) -> Value
  let write: @Sendable (Value, inout JSONWriter) -> Void

  /// A type whose values are scalars. `decode` returns nil for a value that is not valid. `meant` returns the
  /// value that was probably meant by a text that is not valid.
  package init(
    _ schema: JSONSchema, expected: String, meant: @escaping @Sendable (String) -> String? = { _ in nil },
    decode: @escaping @Sendable (JSON) -> Value?,
    write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.schema = schema
    self.expected = expected
    self.write = write
    element = { json, path throws(FieldError) in
      guard let value = decode(json) else {
        throw FieldError(path: path, expected: expected, found: json, meant: meant)
      }
      return value
    }
    read = { fields, name throws(FieldError) in
      guard let json = fields.read(name), json != .null else { return nil }
      guard let value = decode(json) else {
        throw FieldError(path: fields.path(of: name), expected: expected, found: json, meant: meant)
      }
      return value
    }
  }

  private init(
    schema: JSONSchema, expected: String,
    read: @escaping @Sendable (Fields, String) throws(FieldError) -> Value?,
    element: @escaping @Sendable (JSON, _ path: String) throws(FieldError) -> Value,
    write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.schema = schema
    self.expected = expected
    self.read = read
    self.element = element
    self.write = write
  }

  /// A type whose values are written as texts of a certain form.
  package static func text(
    _ schema: JSONSchema, expected: String, meant: @escaping @Sendable (String) -> String? = { _ in nil },
    parse: @escaping @Sendable (String) -> Value?, format: @escaping @Sendable (Value) -> String
  ) -> FieldType {
    FieldType(schema, expected: expected, meant: meant) {
      if case .string(let text) = $0 { parse(text) } else { nil }
    } write: {
      $1.value(format($0))
    }
  }

  /// A value as JSON, for defaults in schemas.
  func json(_ value: Value) -> JSON {
    var writer = JSONWriter()
    write(value, &writer)
    return JSON(written: writer.bytes)
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
  /// Any integer; `2.0` is one.
  package static var integer: FieldType {
    FieldType(.integer(), expected: "an integer") {
      $0.wholeNumber
    } write: {
      $1.value($0)
    }
  }

  /// An integer within bounds; `2.0` is one.
  package static func integer(_ range: ClosedRange<Int>) -> FieldType {
    FieldType(
      .integer(minimum: range.lowerBound, maximum: range.upperBound),
      expected: "an integer from \(range.lowerBound) to \(range.upperBound)"
    ) {
      $0.wholeNumber.flatMap { range.contains($0) ? $0 : nil }
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
      $0.wholeNumber.flatMap { values.contains($0) ? $0 : nil }
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
    text(schema, expected: expected, parse: { isValid($0) ? $0 : nil }, format: { $0 })
  }

  /// One of some texts.
  package static func oneOf(_ words: [String]) -> FieldType {
    text(
      .words(words), expected: "one of \(words.joined(separator: ", "))", meant: { words.nearest(to: $0) },
      parse: { words.contains($0) ? $0 : nil }, format: { $0 })
  }
}

extension FieldType where Value: RawRepresentable<String> & CaseIterable {
  /// One of the words of an enumeration.
  package static var word: FieldType { word(of: Array(Value.allCases)) }

  /// One of some words of an enumeration.
  package static func word(of cases: [Value]) -> FieldType {
    let words = cases.map { $0.rawValue }
    return .text(
      .words(words), expected: words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))",
      meant: { words.nearest(to: $0) },
      parse: { words.firstIndex(of: $0).map { cases[$0] } }, format: { $0.rawValue })
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
      $0.wholeNumber.flatMap(Value.init(rawValue:))
    } write: {
      $1.value($0.rawValue)
    }
  }
}

extension FieldType where Value == JSON {
  package static var json: FieldType { json(.any) }

  /// A JSON value that has this shape already, for answers.
  package static func json(_ schema: JSONSchema) -> FieldType {
    FieldType(schema, expected: "a value") {
      $0
    } write: {
      $1.value($0)
    }
  }
}

extension FieldType {
  /// An array of at least and at most so many elements; an error names the index.
  package static func array<Element: Sendable>(
    of type: FieldType<Element>, minItems: Int = 0, maxItems: Int? = nil
  ) -> FieldType
  where Value == [Element] {
    let array = type.expected == "a string" ? "an array of strings" : "an array"
    let expected = minItems == 0 ? array : "\(array), at least \(minItems)"
    let element: @Sendable (JSON, String) throws(FieldError) -> [Element] = { json, path throws(FieldError) in
      guard case .array(let items) = json else {
        throw FieldError(path: path, expected: expected, found: json)
      }
      guard items.count >= minItems else {
        throw FieldError(path: path, expected: expected, found: "\(items.count)")
      }
      if let maxItems, items.count > maxItems {
        throw FieldError(path: path, expected: "at most \(maxItems) items", found: "\(items.count)")
      }
      var values: [Element] = []
      for (index, item) in items.enumerated() { values.append(try type.element(item, "\(path)[\(index)]")) }
      return values
    }
    return FieldType(schema: .array(type.schema, minItems: minItems, maxItems: maxItems), expected: expected)
    {
      fields, name throws(FieldError) in
      guard let json = fields.read(name), json != .null else { return nil }
      return try element(json, "\(fields.path).\(name)")
    } element: { json, path throws(FieldError) in
      try element(json, path)
    } write: { values, json in
      json.value(array: values) { type.write($1, &$0) }
    }
  }

  /// An array of words of an enumeration, each at most once. An error names the array.
  package static func distinctWords<Word>(minItems: Int = 0) -> FieldType
  where Value == [Word], Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
    let words = Word.allCases.map { $0.rawValue }
    let amount = minItems == 0 ? "some" : "at least \(minItems)"
    let expected = "\(amount) of \(words.joined(separator: ", ")), each at most once"
    return FieldType(.array(.words(words), minItems: minItems, uniqueItems: true), expected: expected) {
      guard case .array(let items) = $0, items.count >= minItems else { return nil }
      let values = items.compactMap { if case .string(let text) = $0 { Word(rawValue: text) } else { nil } }
      return values.count == items.count && Set(values).count == values.count ? values : nil
    } write: { values, json in
      json.value(array: values) { $0.value($1.rawValue) }
    }
  }

  /// An object that a schema describes, read into a new record.
  package static func object(_ schema: Schema<Value>, from empty: @escaping @Sendable () -> Value)
    -> FieldType
  {
    FieldType(schema: .object(schema.object), expected: "an object") { fields, name throws(FieldError) in
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

  /// An object of an answer, which is never read.
  package static func object(_ schema: Schema<Value>) -> FieldType {
    FieldType(schema: .object(schema.object), expected: "an object") { _, _ in
      nil
    } element: { json, path throws(FieldError) in
      throw FieldError(path: path, expected: "no value", found: json)
    } write: { value, json in
      json.value(object: { schema.write(value, to: &$0) })
    }
  }

  /// An array of objects that a schema describes.
  package static func objects<Element: Sendable>(
    _ schema: Schema<Element>, maxItems: Int, from empty: @escaping @Sendable () -> Element
  )
    -> FieldType
  where Value == [Element] {
    let array = FieldType.array(of: FieldType<Element>.object(schema, from: empty), maxItems: maxItems)
    return FieldType(schema: array.schema, expected: "an array of objects") {
      fields, name throws(FieldError) in
      guard let list = try fields.optionalObjects(name, atMost: maxItems) else { return nil }
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

  /// An array of objects in an answer, which is never read.
  package static func objects<Element: Sendable>(_ schema: Schema<Element>) -> FieldType
  where Value == [Element] {
    .array(of: FieldType<Element>.object(schema))
  }
}
