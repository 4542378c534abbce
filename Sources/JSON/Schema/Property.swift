/// A property of a record, by its place in the record's memory: a key path takes ten times as long.
struct Property<Record, Value>: Sendable {
  private let path: any WritableKeyPath<Record, Value> & Sendable
  /// In bytes; nil if the property is computed.
  private let offset: Int?

  init(_ path: any WritableKeyPath<Record, Value> & Sendable) {
    self.path = path
    offset = MemoryLayout<Record>.offset(of: path)
  }

  func value(in record: Record) -> Value {
    guard let offset else { return record[keyPath: path] }
    return withUnsafePointer(to: record) {
      UnsafeRawPointer($0).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }

  func set(_ value: Value, in record: inout Record) {
    guard let offset else { return record[keyPath: path] = value }
    withUnsafeMutablePointer(to: &record) {
      UnsafeMutableRawPointer($0).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee = value
    }
  }
}
