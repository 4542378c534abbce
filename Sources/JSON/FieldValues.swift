/// Reading single fields. Without `optional`, a field that is absent or `null` is an error; with it, the
/// result is `nil`.
extension Fields {
  /// The usual maximum length of an array. It is checked before anything is done with an item.
  package static let itemLimit = 2_000

  /// A value of a type that a schema has too.
  package func value<Value>(_ name: String, _ type: FieldType<Value>) throws(FieldError) -> Value {
    try required(name, type.expected, type.read(self, name))
  }

  package func string(_ name: String) throws(FieldError) -> String {
    try required(name, "a string", optionalString(name))
  }

  package func optionalString(_ name: String) throws(FieldError) -> String? {
    try scalar(name, "a string") { if case .string(let value) = $0 { value } else { nil } }
  }

  /// An integer; `2.0` is one.
  package func int(_ name: String) throws(FieldError) -> Int {
    try required(name, "an integer", optionalInt(name))
  }

  package func optionalInt(_ name: String) throws(FieldError) -> Int? {
    try scalar(name, "an integer") { $0.wholeNumber }
  }

  package func bool(_ name: String) throws(FieldError) -> Bool {
    try required(name, "true or false", optionalBool(name))
  }

  package func optionalBool(_ name: String) throws(FieldError) -> Bool? {
    try scalar(name, "true or false") { if case .bool(let value) = $0 { value } else { nil } }
  }

  /// Any value, even `null`. Marks everything in it as read.
  package func json(_ name: String) throws(FieldError) -> JSON {
    guard let value = read(name) else { throw mismatch(name, expected: "a value") }
    return value
  }

  /// Any value. Marks everything in it as read.
  package func optionalJSON(_ name: String) throws(FieldError) -> JSON? {
    try scalar(name, "a value") { $0 }
  }

  package func object(_ name: String) throws(FieldError) -> Fields {
    try required(name, "an object", optionalObject(name))
  }

  package func optionalObject(_ name: String) throws(FieldError) -> Fields? {
    switch read(name) {
    case nil, .null: return nil
    case .object: return try nested(name)?.first
    default: throw mismatch(name, expected: "an object")
    }
  }

  /// `limit` is the maximum number of objects.
  package func objects(_ name: String, atMost limit: Int = itemLimit) throws(FieldError) -> [Fields] {
    try required(name, "an array of objects", optionalObjects(name, atMost: limit))
  }

  package func optionalObjects(
    _ name: String, atMost limit: Int = itemLimit
  ) throws(FieldError) -> [Fields]? {
    try items(name, "an array of objects", atMost: limit) == nil ? nil : nested(name)
  }

  package func strings(_ name: String) throws(FieldError) -> [String] {
    try required(name, "an array of strings", optionalStrings(name))
  }

  package func optionalStrings(_ name: String) throws(FieldError) -> [String]? {
    guard let items = try items(name, "an array of strings", atMost: Self.itemLimit) else { return nil }
    var texts: [String] = []
    for (position, item) in items.enumerated() {
      guard case .string(let text) = item else {
        throw FieldError(path: "\(path).\(name)[\(position)]", expected: "a string", found: item)
      }
      texts.append(text)
    }
    return texts
  }

  private func items(
    _ name: String, _ expected: String, atMost limit: Int
  ) throws(FieldError) -> [JSON]? {
    switch read(name) {
    case nil, .null: return nil
    case .array(let items):
      guard items.count <= limit else {
        throw FieldError(
          path: "\(path).\(name)", expected: "at most \(limit) \(name)", found: "\(items.count)")
      }
      return items
    default: throw mismatch(name, expected: expected)
    }
  }

  private func scalar<T>(
    _ name: String, _ expected: String, _ convert: (JSON) -> T?
  ) throws(FieldError) -> T? {
    guard let value = read(name), value != .null else { return nil }
    guard let converted = convert(value) else { throw mismatch(name, expected: expected) }
    return converted
  }

  private func required<T>(_ name: String, _ expected: String, _ value: T?) throws(FieldError) -> T {
    guard let value else { throw mismatch(name, expected: expected) }
    return value
  }
}

/// Named texts, in their original order.
package struct Texts: Equatable, Sendable {
  package let pairs: [(name: String, text: String)]
  /// The texts by name; empty if there are few, which are compared one by one.
  private let byName: [String: String]

  package init(_ pairs: [(name: String, text: String)] = []) {
    self.pairs = pairs
    byName = pairs.count > 16 ? Dictionary(pairs.map { ($0.name, $0.text) }) { first, _ in first } : [:]
  }

  package subscript(name: String) -> String? {
    byName.isEmpty ? pairs.first { $0.name == name }?.text : byName[name]
  }

  /// Writes the texts as fields of the current object.
  package func write(to json: inout JSONWriter) {
    for pair in pairs { json.member(named: pair.name, pair.text) }
  }

  package static func == (one: Texts, other: Texts) -> Bool {
    one.pairs.elementsEqual(other.pairs, by: ==)
  }
}

extension Fields {
  /// An object with only texts as values; empty when it is absent or `null`.
  package func texts(_ name: String) throws(FieldError) -> Texts {
    guard let object = try optionalObject(name) else { return Texts() }
    var pairs: [(name: String, text: String)] = []
    for member in object.names { pairs.append((member, try object.string(member))) }
    return Texts(pairs)
  }
}
