extension JSONWriter {
  /// Writes a member, `null` for `nil`.
  @inlinable
  package mutating func member<V: JSONWritable>(_ name: StaticString, _ value: V?) {
    self.name(name)
    write(value)
  }

  /// Writes a member whose text is joined from two parts, for links.
  package mutating func member(_ name: StaticString, joining text: String, _ rest: StaticString) {
    self.name(name)
    append(quoted: text, joining: UnsafeBufferPointer(start: rest.utf8Start, count: rest.utf8CodeUnitCount))
    needsComma = true
  }

  /// Writes a member whose text, which needs no escapes, `fill` puts down: at most `room` bytes.
  @inline(__always)
  package mutating func member(
    _ name: StaticString, atMost room: Int, _ fill: (inout UnsafeMutablePointer<UInt8>) -> Void
  ) {
    self.name(name)
    append(atMost: room + 2) {
      $0.put(UInt8(ascii: "\""))
      fill(&$0)
      $0.put(UInt8(ascii: "\""))
    }
    needsComma = true
  }

  /// Writes a member whose value is encoded already.
  package mutating func member(_ name: StaticString, encoded: [UInt8]) {
    self.name(name)
    value(encoded: encoded)
  }

  /// Writes a member that is `null`.
  package mutating func null(_ name: StaticString) {
    self.name(name)
    append("null")
    needsComma = true
  }

  /// Writes a member that is an object.
  @inlinable
  package mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    self.name(name)
    value(object: body)
  }

  /// Writes a member that is an array; `each` writes one value.
  @inlinable
  package mutating func array<S: Sequence>(
    _ name: StaticString, _ items: S, _ each: (inout JSONWriter, S.Element) -> Void
  ) {
    self.name(name)
    value(array: items, each)
  }

  /// Writes a member whose name is known only at run time, `null` for `nil`.
  @inlinable
  package mutating func member<V: JSONWritable>(named name: String, _ value: V?) {
    self.name(named: name)
    write(value)
  }

  /// Writes a member with such a name and a value that is encoded already.
  package mutating func member(named name: String, encoded: [UInt8]) {
    self.name(named: name)
    value(encoded: encoded)
  }

  /// Writes a member with such a name that is an object.
  @inlinable
  package mutating func object(named name: String, _ body: (inout JSONWriter) -> Void) {
    self.name(named: name)
    value(object: body)
  }

  /// Writes a member with such a name that is an array; `each` writes one value.
  @inlinable
  package mutating func array<S: Sequence>(
    named name: String, _ items: S, _ each: (inout JSONWriter, S.Element) -> Void
  ) {
    self.name(named: name)
    value(array: items, each)
  }

  /// Writes a name that needs no escapes, and its colon.
  @usableFromInline
  mutating func name(_ name: StaticString) {
    let utf8 = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    let follows = needsComma
    append(atMost: utf8.count + 4) {
      if follows { $0.put(UInt8(ascii: ",")) }
      $0.put(UInt8(ascii: "\""))
      $0.put(utf8)
      $0.put(UInt8(ascii: "\""))
      $0.put(UInt8(ascii: ":"))
    }
    needsComma = false
  }

  /// Writes any name, and its colon.
  @usableFromInline
  mutating func name(named name: String) {
    separate()
    append(quoted: name)
    append(UInt8(ascii: ":"))
    needsComma = false
  }
}
