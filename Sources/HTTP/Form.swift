import JSON

/// An invalid form or query.
package struct FormError: Error, Equatable, CustomStringConvertible {
  /// The name of the field; nil if it could not be read.
  package let field: String?
  package let expected: String
  /// The value, if the error shows it.
  package let found: String?

  package init(field: String?, expected: String, found: String? = nil) {
    self.field = field
    self.expected = expected
    self.found = found
  }

  package var description: String {
    field.map { "\($0): expected \(expectation)" } ?? "expected \(expectation)"
  }

  /// `an integer; found "many"`
  package var expectation: String { expected + (found.map { "; found \($0.quoted)" } ?? "") }
}

/// The fields of a query or an `application/x-www-form-urlencoded` body. Repeated names are kept.
package final class Form {
  private struct Field {
    enum Use { case unread, read, ignored }

    let name: String
    let value: String
    var use = Use.unread

    /// Compares lengths first, because most names differ in length.
    func isNamed(_ other: String) -> Bool { name.utf8.count == other.utf8.count && name == other }
  }

  /// The maximum number of fields.
  package static let fieldLimit = 1000
  /// The maximum size of a decoded name, in bytes.
  package static let nameLimit = 1_024

  private var fields: [Field] = []
  private var known: [String] = []

  /// Parses `a=1&b=2`. Throws on broken escapes, invalid UTF-8, long names, too many fields and too many
  /// combining marks.
  package init(parsing bytes: [UInt8]) throws(FormError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix { $0 != UInt8(ascii: "&") }
      if !part.isEmpty { try add(part) }
      rest = rest[part.endIndex...].dropFirst()
    }
  }

  private func add(_ part: ArraySlice<UInt8>) throws(FormError) {
    let encodedName = part.prefix { $0 != UInt8(ascii: "=") }
    guard let name = PercentCoding.decode(encodedName, plusIsSpace: true) else {
      throw FormError(field: nil, expected: "field names in percent-encoded UTF-8")
    }
    guard name.utf8.count <= Form.nameLimit else {
      throw FormError(field: nil, expected: "field names of at most \(Form.nameLimit) bytes")
    }
    guard !CombiningMarks.areTooMany(in: name) else {
      throw FormError(field: nil, expected: "field names with \(CombiningMarks.expected)")
    }
    let encodedValue = part[encodedName.endIndex...].dropFirst()
    guard let value = PercentCoding.decode(encodedValue, plusIsSpace: true) else {
      throw FormError(field: name, expected: "a value in percent-encoded UTF-8")
    }
    guard !CombiningMarks.areTooMany(in: value) else {
      throw FormError(field: name, expected: CombiningMarks.expected)
    }
    guard fields.count < Form.fieldLimit else {
      throw FormError(field: name, expected: "at most \(Form.fieldLimit) fields")
    }
    fields.append(Field(name: name, value: value))
  }

  /// The value of the first field with this name; further ones are ignored.
  package subscript(name: String) -> String? { use(fields.indices, name) }

  /// The value of the last field with this name; earlier ones are ignored.
  package func last(_ name: String) -> String? { use(fields.indices.reversed(), name) }

  private func use(_ indices: some Sequence<Int>, _ name: String) -> String? {
    var value: String?
    for index in indices where fields[index].isNamed(name) {
      if value == nil {
        value = fields[index].value
        fields[index].use = .read
      } else if fields[index].use == .unread {
        fields[index].use = .ignored
      }
    }
    return value
  }

  /// The values of all fields with this name, in order. Marks them as read.
  package func all(_ name: String) -> [String] {
    var values: [String] = []
    for index in fields.indices where fields[index].isNamed(name) {
      values.append(fields[index].value)
      fields[index].use = .read
    }
    return values
  }

  /// Declares names that are valid although the reader may stop before it reads them.
  package func declare(_ names: [String]) {
    known = names
  }

  /// True if a field with this name was sent. Does not mark it as read.
  package func has(_ name: String) -> Bool { fields.contains { $0.isNamed(name) } }

  /// The names that were sent but neither read nor declared, and those of ignored fields, in order.
  package var unread: [String] {
    var names = UnreadNames()
    collectUnread(&names)
    return names.list
  }

  func collectUnread(_ names: inout UnreadNames) {
    for field in fields {
      switch field.use {
      case .unread where !known.contains(field.name): names.add(field.name)
      case .ignored: names.add(UnreadNames.repeated(field.name))
      case .unread, .read: break
      }
    }
  }

  /// All fields in order. Does not mark them as read.
  package var pairs: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }
}
