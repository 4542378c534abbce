internal import CSQLite

/// One `?` of a statement that is about to run.
package struct Parameter {
  let statement: Statement
  let index: Int32

  init(_ statement: Statement, _ index: Int32) {
    self.statement = statement
    self.index = index
  }

  func bindNull() {
    statement.recordBinding(sqlite3_bind_null(statement.handle, index))
  }

  func bind(integer value: Int64) {
    statement.recordBinding(sqlite3_bind_int64(statement.handle, index, value))
  }

  func bind(text value: String) {
    var value = value
    value.withUTF8 { bind(utf8: UnsafeRawBufferPointer($0)) }
  }

  private func bind(utf8 text: UnsafeRawBufferPointer) {
    // Without an address, SQLite would bind NULL instead of an empty text.
    guard let start = text.baseAddress else {
      return statement.recordBinding(sqlite3_bind_text(statement.handle, index, "", 0, nil))
    }
    statement.countBytes(text.count)
    // The copy saves SQLite from allocating memory, which costs more.
    let copy = statement.scratch.copy(text)
    let bytes = (copy ?? start).assumingMemoryBound(to: CChar.self)
    statement.recordBinding(
      sqlite3_bind_text64(
        statement.handle, index, bytes, UInt64(text.count), copy == nil ? csqlite_transient() : nil,
        UInt8(SQLITE_UTF8)))
  }

  func bind(blob: [UInt8]) {
    statement.countBytes(blob.count)
    statement.recordBinding(
      blob.isEmpty
        ? sqlite3_bind_zeroblob(statement.handle, index, 0)
        : blob.withUnsafeBytes {
          sqlite3_bind_blob64(
            statement.handle, index, $0.baseAddress, UInt64($0.count), csqlite_transient())
        })
  }
}

/// A type whose values can be parameters of a statement.
package protocol Bindable {
  /// Binds the stored form of the value.
  func bind(to parameter: Parameter)
}

extension Optional: Bindable where Wrapped: Bindable {
  package func bind(to parameter: Parameter) {
    if let self { self.bind(to: parameter) } else { parameter.bindNull() }
  }
}

extension Int: Bindable {
  package func bind(to parameter: Parameter) { parameter.bind(integer: Int64(self)) }
}

extension Int64: Bindable {
  package func bind(to parameter: Parameter) { parameter.bind(integer: self) }
}

extension Bool: Bindable {
  package func bind(to parameter: Parameter) { parameter.bind(integer: self ? 1 : 0) }
}

extension String: Bindable {
  package func bind(to parameter: Parameter) { parameter.bind(text: self) }
}

extension [UInt8]: Bindable {
  package func bind(to parameter: Parameter) { parameter.bind(blob: self) }
}

/// Memory for a statement's text parameters, until the statement is bound again.
struct Scratch: ~Copyable {
  private static let capacity = 512
  private var memory: UnsafeMutableRawPointer?
  private var used = 0

  mutating func clear() {
    used = 0
  }

  /// The address of a copy; nil when it does not fit.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard let start = bytes.baseAddress, bytes.count <= Self.capacity - used else { return nil }
    let memory = memory ?? .allocate(byteCount: Self.capacity, alignment: 1)
    self.memory = memory
    let place = memory + used
    place.copyMemory(from: start, byteCount: bytes.count)
    used += bytes.count
    return UnsafeRawPointer(place)
  }

  deinit {
    memory?.deallocate()
  }
}
