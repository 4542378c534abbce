/// What `JSONWriter` takes as a value; a type with one textual form joins by passing that text on.
@usableFromInline
package protocol JSONWritable {
  /// Writes exactly one value, through the `append` functions.
  func write(to writer: inout JSONWriter)
}

extension String: JSONWritable {
  /// Writes a string in quotes.
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(quoted: self) }
}

extension Bool: JSONWritable {
  /// Writes `true` or `false`.
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(self ? "true" : "false") }
}

extension Int: JSONWritable {
  /// Writes the digits.
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(number: Int64(self)) }
}

extension Int32: JSONWritable {
  /// Writes the digits.
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(number: Int64(self)) }
}

extension Int64: JSONWritable {
  /// Writes the digits.
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(number: self) }
}

extension Double: JSONWritable {
  /// Writes the shortest digits that give the same number back; `null` for what JSON cannot say.
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(number: self) }
}

extension Array: JSONWritable where Element: JSONWritable {
  /// Writes the elements between brackets.
  @inlinable
  package func write(to writer: inout JSONWriter) {
    writer.needsComma = false
    writer.value(array: self) { $0.value($1) }
  }
}

extension JSON: JSONWritable {
  /// Writes the whole tree.
  @usableFromInline
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.append("null")
    case .bool(let value): value.write(to: &writer)
    case .integer(let value): value.write(to: &writer)
    case .double(let value): value.write(to: &writer)
    case .string(let value): value.write(to: &writer)
    case .array(let items): items.write(to: &writer)
    case .object(let members):
      writer.needsComma = false
      writer.value(object: { object in
        for member in members { object.member(named: member.name, member.value) }
      })
    }
  }
}
