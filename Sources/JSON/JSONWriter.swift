/// Compact JSON written straight into bytes: members in call order, commas set by the writer.
package struct JSONWriter {
  /// What is written so far.
  package var bytes: [UInt8] = []
  /// Whether the next member or element follows another one.
  var needsComma = false

  /// Starts with room for a common answer.
  package init(capacity: Int = 512) {
    bytes.reserveCapacity(capacity)
  }

  /// A whole document that is one object.
  package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(object: body)
    return writer.bytes
  }

  /// A whole document that is one array; `each` writes one value.
  package static func array<S: Sequence>(
    _ items: S, _ each: (inout JSONWriter, S.Element) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(array: items, each)
    return writer.bytes
  }

  /// Writes a bare value, `null` for `nil`: an element of an array, or the whole document.
  package mutating func value<V: JSONWritable>(_ value: V?) {
    separate()
    write(value)
  }

  /// Writes a bare value that is encoded already.
  package mutating func value(encoded: [UInt8]) {
    separate()
    bytes.append(contentsOf: encoded)
    needsComma = true
  }

  /// Writes a bare object.
  package mutating func value(object body: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    body(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes a bare array; `each` writes one value.
  package mutating func value<S: Sequence>(array items: S, _ each: (inout JSONWriter, S.Element) -> Void) {
    open(UInt8(ascii: "["))
    for item in items { each(&self, item) }
    close(UInt8(ascii: "]"))
  }

  /// Writes the value without a comma before it.
  mutating func write<V: JSONWritable>(_ value: V?) {
    if let value { value.write(to: &self) } else { append("null") }
    needsComma = true
  }

  mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }
}
