extension Fields {
  /// A text that must be there.
  package func string(_ name: String) throws(FieldError) -> String {
    try present(name, "a string", optionalString(name))
  }

  /// A text, `nil` when absent or `null`.
  package func optionalString(_ name: String) throws(FieldError) -> String? {
    try scalar(name, "a string") { if case .string(let value) = $0 { value } else { nil } }
  }

  /// An integer that must be there; `2.0` is one.
  package func int(_ name: String) throws(FieldError) -> Int {
    try present(name, "an integer", optionalInt(name))
  }

  /// An integer, `nil` when absent or `null`.
  package func optionalInt(_ name: String) throws(FieldError) -> Int? {
    try scalar(name, "an integer") {
      switch $0 {
      case .integer(let value): Int(value)
      case .double(let value): Int(exactly: value)
      default: nil
      }
    }
  }

  /// `true` or `false`, which must be there.
  package func bool(_ name: String) throws(FieldError) -> Bool {
    try present(name, "true or false", optionalBool(name))
  }

  /// `true` or `false`, `nil` when absent or `null`.
  package func optionalBool(_ name: String) throws(FieldError) -> Bool? {
    try scalar(name, "true or false") { if case .bool(let value) = $0 { value } else { nil } }
  }

  /// A number that must be there.
  package func double(_ name: String) throws(FieldError) -> Double {
    try present(name, "a number", optionalDouble(name))
  }

  /// A number, `nil` when absent or `null`.
  package func optionalDouble(_ name: String) throws(FieldError) -> Double? {
    try scalar(name, "a number") {
      switch $0 {
      case .integer(let value): Double(value)
      case .double(let value): value
      default: nil
      }
    }
  }

  /// Any value that must be there, `null` included; everything below it counts as read.
  package func json(_ name: String) throws(FieldError) -> JSON {
    guard let value = read(name) else { throw mismatch(name, expected: "a value") }
    return value
  }

  /// Any value, `nil` when absent or `null`; everything below it counts as read.
  package func optionalJSON(_ name: String) throws(FieldError) -> JSON? {
    try scalar(name, "a value") { $0 }
  }

  private func scalar<T>(
    _ name: String, _ expected: String, _ convert: (JSON) -> T?
  ) throws(FieldError) -> T? {
    guard let value = read(name), value != .null else { return nil }
    guard let converted = convert(value) else { throw mismatch(name, expected: expected) }
    return converted
  }

  /// What a required member holds, or the error that says what it lacks.
  func present<T>(_ name: String, _ expected: String, _ value: T?) throws(FieldError) -> T {
    guard let value else { throw mismatch(name, expected: expected) }
    return value
  }
}
