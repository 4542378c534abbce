/// A type that `JSONWriter` can write as a value.
@usableFromInline
package protocol JSONWritable {
  /// Writes exactly one value.
  func write(to writer: inout JSONWriter)
}

extension String: JSONWritable {
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(quoted: self) }
}

extension Bool: JSONWritable {
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(self ? "true" : "false") }
}

extension Int: JSONWritable {
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(number: Int64(self)) }
}

extension Int64: JSONWritable {
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(number: self) }
}

extension Double: JSONWritable {
  @usableFromInline
  package func write(to writer: inout JSONWriter) { writer.append(number: self) }
}

extension Array: JSONWritable where Element: JSONWritable {
  @inlinable
  package func write(to writer: inout JSONWriter) {
    writer.needsComma = false
    writer.value(array: self) { $0.value($1) }
  }
}

extension JSON: JSONWritable {
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
