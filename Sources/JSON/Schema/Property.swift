/// A property of a record, by its place in the record's memory: a key path takes ten times as long.
@usableFromInline package struct Property<Record, Value>: Sendable {
  @usableFromInline package typealias Path = @Sendable () -> WritableKeyPath<Record, Value>

  @usableFromInline let path: Path
  /// In bytes; nil if the property is computed.
  @usableFromInline let offset: Int?

  /// Inlined, like all functions that pass it a literal: then the compiler finds the offset, and makes no key
  /// path, which would take 50,000 instructions at each start.
  @inlinable @inline(__always)
  package init(_ path: @autoclosure @escaping Path) {
    self.path = path
    offset = MemoryLayout<Record>.offset(of: path())
  }

  package func value(in record: Record) -> Value {
    guard let offset else { return record[keyPath: path()] }
    return withUnsafePointer(to: record) {
      UnsafeRawPointer($0).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }

  package func set(_ value: Value, in record: inout Record) {
    guard let offset else { return record[keyPath: path()] = value }
    withUnsafeMutablePointer(to: &record) {
      UnsafeMutableRawPointer($0).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee = value
    }
  }

  package func change<E: Error>(in record: inout Record, _ body: (inout Value) throws(E) -> Void) throws(E) {
    var value = value(in: record)
    try body(&value)
    set(value, in: &record)
  }
}
