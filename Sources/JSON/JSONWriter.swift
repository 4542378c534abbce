/// Writes compact JSON into memory. Members are written in call order; the writer adds the commas.
///
/// It cannot be copied, because it owns its memory. Appending to an array instead takes four times as long.
@usableFromInline
package struct JSONWriter: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var end: UnsafeMutablePointer<UInt8>
  private var limit: UnsafeMutablePointer<UInt8>
  /// False for the memory on the stack of `document`, which is enough for most responses.
  private var ownsMemory: Bool
  /// True if the next member or element follows another one.
  @usableFromInline
  var needsComma = false

  @usableFromInline
  package init(capacity: Int = 512) {
    self.init(.allocate(capacity: capacity), capacity: capacity, ownsMemory: true)
  }

  private init(_ memory: UnsafeMutablePointer<UInt8>, capacity: Int, ownsMemory: Bool) {
    start = memory
    end = memory
    limit = memory + capacity
    self.ownsMemory = ownsMemory
  }

  deinit {
    if ownsMemory { start.deallocate() }
  }

  /// A copy of what was written so far.
  @usableFromInline
  package var bytes: [UInt8] {
    let size = end - start
    return Array(unsafeUninitializedCapacity: size) { copy, count in
      copy.baseAddress?.update(from: start, count: size)
      count = size
    }
  }

  /// Writes a document with one object.
  package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    document { $0.value(object: body) }
  }

  /// Writes a document with one array; `each` writes one value.
  package static func array<S: Sequence>(
    _ items: S, _ each: (inout JSONWriter, S.Element) -> Void
  ) -> [UInt8] {
    document { $0.value(array: items, each) }
  }

  /// Writes an element of an array, or the whole document; `null` for `nil`.
  @inlinable
  package mutating func value<V: JSONWritable>(_ value: V?) {
    separate()
    write(value)
  }

  /// Writes a value that is already encoded.
  package mutating func value(encoded: [UInt8]) {
    separate()
    encoded.withUnsafeBufferPointer { append($0) }
    needsComma = true
  }

  @inlinable
  package mutating func value(object body: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    body(&self)
    close(UInt8(ascii: "}"))
  }

  /// `each` writes one value.
  @inlinable
  package mutating func value<S: Sequence>(array items: S, _ each: (inout JSONWriter, S.Element) -> Void) {
    open(UInt8(ascii: "["))
    for item in items { each(&self, item) }
    close(UInt8(ascii: "]"))
  }

  /// Writes a value without a comma before it.
  @inlinable
  mutating func write<V: JSONWritable>(_ value: V?) {
    if let value { value.write(to: &self) } else { append("null") }
    needsComma = true
  }

  /// Writes a comma if the next element needs one before it.
  @usableFromInline
  mutating func separate() {
    if needsComma { append(UInt8(ascii: ",")) }
  }

  @usableFromInline
  mutating func open(_ bracket: UInt8) {
    separate()
    append(bracket)
    needsComma = false
  }

  @usableFromInline
  mutating func close(_ bracket: UInt8) {
    append(bracket)
    needsComma = true
  }

  mutating func append(_ byte: UInt8) {
    reserve(1)
    end.put(byte)
  }

  /// Appends what `fill` writes: at most `room` bytes.
  @inline(__always)
  mutating func append(atMost room: Int, _ fill: (inout UnsafeMutablePointer<UInt8>) -> Void) {
    reserve(room)
    fill(&end)
    assert(end <= limit, "more bytes than announced")
  }

  mutating func removeLast(_ count: Int) {
    end -= count
  }

  /// Writes a document with what `body` writes.
  static func document(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2048) { stack in
      guard let start = stack.baseAddress else { preconditionFailure("2048 bytes have an address") }
      var writer = JSONWriter(start, capacity: stack.count, ownsMemory: false)
      body(&writer)
      return writer.bytes
    }
  }

  @inline(__always)
  private mutating func reserve(_ room: Int) {
    if limit - end < room { grow(room) }
  }

  @inline(never)
  private mutating func grow(_ room: Int) {
    let count = end - start
    let capacity = max(count + room, (limit - start) * 2)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    if ownsMemory { start.deallocate() }
    ownsMemory = true
    start = larger
    end = larger + count
    limit = larger + capacity
  }
}

/// Members of objects.
extension JSONWriter {
  /// Writes a member, `null` for `nil`.
  @inlinable
  package mutating func member<V: JSONWritable>(_ name: StaticString, _ value: V?) {
    self.name(name)
    write(value)
  }

  /// Writes a member with a text joined from two parts, for links.
  package mutating func member(_ name: StaticString, joining text: String, _ rest: StaticString) {
    self.name(name)
    append(quoted: text, joining: UnsafeBufferPointer(start: rest.utf8Start, count: rest.utf8CodeUnitCount))
    needsComma = true
  }

  /// Writes a member with a text that needs no escapes. `fill` writes at most `room` bytes.
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

  /// Writes a member with a value that is already encoded.
  package mutating func member(_ name: StaticString, encoded: [UInt8]) {
    self.name(name)
    value(encoded: encoded)
  }

  package mutating func null(_ name: StaticString) {
    self.name(name)
    append("null")
    needsComma = true
  }

  @inlinable
  package mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    self.name(name)
    value(object: body)
  }

  /// `each` writes one value.
  @inlinable
  package mutating func array<S: Sequence>(
    _ name: StaticString, _ items: S, _ each: (inout JSONWriter, S.Element) -> Void
  ) {
    self.name(name)
    value(array: items, each)
  }

  /// Writes an array as a member with a computed name.
  package mutating func array<S: Sequence>(
    named name: String, _ items: S, _ each: (inout JSONWriter, S.Element) -> Void
  ) {
    self.name(named: name)
    value(array: items, each)
  }

  /// Writes a member with a computed name, `null` for `nil`.
  @inlinable
  package mutating func member<V: JSONWritable>(named name: String, _ value: V?) {
    self.name(named: name)
    write(value)
  }

  /// Writes a member with a computed name and a value that is already encoded.
  package mutating func member(named name: String, encoded: [UInt8]) {
    self.name(named: name)
    value(encoded: encoded)
  }

  /// Writes an object with a computed name.
  @inlinable
  package mutating func object(named name: String, _ body: (inout JSONWriter) -> Void) {
    self.name(named: name)
    value(object: body)
  }

  /// Writes a name that needs no escapes, and a colon.
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

  /// Writes any name, and a colon.
  @usableFromInline
  mutating func name(named name: String) {
    separate()
    append(quoted: name)
    append(UInt8(ascii: ":"))
    needsComma = false
  }
}
