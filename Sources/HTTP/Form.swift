/// Bytes that are no form: where, and what was expected there.
package struct FormError: Error, Equatable, CustomStringConvertible {
  /// The name of the field, where it could be read.
  package let field: String?
  /// What was expected.
  package let expected: String

  /// An error at a field, or at the form as a whole.
  package init(field: String?, expected: String) {
    self.field = field
    self.expected = expected
  }

  /// The sentence for an answer.
  package var description: String {
    field.map { "\($0): expected \(expected)" } ?? "expected \(expected)"
  }
}

/// Fields of a form body or a query: `application/x-www-form-urlencoded`, repeated names kept.
package final class Form {
  private struct Field {
    let name: String
    let value: String
    var isRead = false

    /// Most names that are asked for are of another length, which is told at once.
    func isNamed(_ other: String) -> Bool { name.utf8.count == other.utf8.count && name == other }
  }

  /// The most fields one form may have.
  package static let fieldLimit = 1000

  private var fields: [Field] = []
  private var known: [String] = []

  /// Parses `a=1&b=2`; broken escapes, bytes that are not UTF-8 and more than `fieldLimit` fields are errors.
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
    let encodedValue = part[encodedName.endIndex...].dropFirst()
    guard let value = PercentCoding.decode(encodedValue, plusIsSpace: true) else {
      throw FormError(field: name, expected: "a value in percent-encoded UTF-8")
    }
    guard fields.count < Form.fieldLimit else {
      throw FormError(field: name, expected: "at most \(Form.fieldLimit) fields")
    }
    fields.append(Field(name: name, value: value))
  }

  /// The value of the first field of this name; marks all of that name as read.
  package subscript(name: String) -> String? {
    var first: String?
    for index in fields.indices where fields[index].isNamed(name) {
      first = first ?? fields[index].value
      fields[index].isRead = true
    }
    return first
  }

  /// The values of all fields of this name, in order; marks them as read.
  package func all(_ name: String) -> [String] {
    _ = self[name]
    return fields.filter { $0.isNamed(name) }.map(\.value)
  }

  /// Says which names the reader would read if it got so far, for one that stops at the first bad value.
  package func declare(_ names: [String]) {
    known = names
  }

  /// Whether a field of this name was sent; does not count as reading it.
  package func has(_ name: String) -> Bool { fields.contains { $0.isNamed(name) } }

  /// Names that were sent and that nobody asks for, in the order they came.
  package var unread: [String] {
    var unread: [String] = []
    for field in fields where !field.isRead && !known.contains(field.name) { unread.append(field.name) }
    return unread
  }

  /// Refuses fields that nobody has asked for.
  package func requireAllRead() throws(FormError) {
    if let first = unread.first { throw FormError(field: first, expected: "no such field") }
  }

  /// All pairs in order; does not count as reading them.
  package var pairs: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }
}
