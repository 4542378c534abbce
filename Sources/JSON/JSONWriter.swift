/// Compact JSON written straight into memory: members in call order, commas set by the writer. It cannot be
/// copied, because it owns that memory; measured, an array appended to piece by piece takes four times as long.
@usableFromInline
package struct JSONWriter: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var end: UnsafeMutablePointer<UInt8>
  private var limit: UnsafeMutablePointer<UInt8>
  /// Whether the memory ends with the writer; a common answer fits the stack of `document`.
  private var ownsMemory: Bool
  /// Whether the next member or element follows another one.
  @usableFromInline
  var needsComma = false

  /// Starts in memory of its own.
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

  /// What is written so far.
  @usableFromInline
  package var bytes: [UInt8] {
    let size = end - start
    return Array(unsafeUninitializedCapacity: size) { copy, count in
      copy.baseAddress?.update(from: start, count: size)
      count = size
    }
  }

  /// A whole document that is one object.
  package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    document { $0.value(object: body) }
  }

  /// A whole document that is one array; `each` writes one value.
  package static func array<S: Sequence>(
    _ items: S, _ each: (inout JSONWriter, S.Element) -> Void
  ) -> [UInt8] {
    document { $0.value(array: items, each) }
  }

  /// Writes a bare value, `null` for `nil`: an element of an array, or the whole document.
  @inlinable
  package mutating func value<V: JSONWritable>(_ value: V?) {
    separate()
    write(value)
  }

  /// Writes a bare value that is encoded already.
  package mutating func value(encoded: [UInt8]) {
    separate()
    encoded.withUnsafeBufferPointer { append($0) }
    needsComma = true
  }

  /// Writes a bare object.
  @inlinable
  package mutating func value(object body: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    body(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes a bare array; `each` writes one value.
  @inlinable
  package mutating func value<S: Sequence>(array items: S, _ each: (inout JSONWriter, S.Element) -> Void) {
    open(UInt8(ascii: "["))
    for item in items { each(&self, item) }
    close(UInt8(ascii: "]"))
  }

  /// Writes the value without a comma before it.
  @inlinable
  mutating func write<V: JSONWritable>(_ value: V?) {
    if let value { value.write(to: &self) } else { append("null") }
    needsComma = true
  }

  /// Sets the comma before the next element.
  @usableFromInline
  mutating func separate() {
    if needsComma { append(UInt8(ascii: ",")) }
  }

  /// Starts an array or object.
  @usableFromInline
  mutating func open(_ bracket: UInt8) {
    separate()
    append(bracket)
    needsComma = false
  }

  /// Ends it.
  @usableFromInline
  mutating func close(_ bracket: UInt8) {
    append(bracket)
    needsComma = true
  }

  /// Appends one byte.
  mutating func append(_ byte: UInt8) {
    reserve(1)
    end.put(byte)
  }

  /// Appends what `fill` puts at the end of the text: at most `room` bytes.
  @inline(__always)
  mutating func append(atMost room: Int, _ fill: (inout UnsafeMutablePointer<UInt8>) -> Void) {
    reserve(room)
    fill(&end)
    assert(end <= limit, "more bytes than announced")
  }

  /// Takes the last bytes back.
  mutating func back(_ count: Int) {
    end -= count
  }

  /// A whole document, whatever `body` writes.
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
