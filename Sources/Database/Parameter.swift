internal import CSQLite

/// The place of one `?` in a statement that is about to run.
@usableFromInline
package struct Parameter {
  @usableFromInline
  let statement: Statement
  @usableFromInline
  let index: Int32

  @usableFromInline
  init(_ statement: Statement, _ index: Int32) {
    self.statement = statement
    self.index = index
  }

  /// Puts NULL there.
  @usableFromInline
  func bindNull() {
    statement.note(sqlite3_bind_null(statement.handle, index))
  }

  /// Puts an integer there.
  @usableFromInline
  func bind(integer value: Int64) {
    statement.note(sqlite3_bind_int64(statement.handle, index, value))
  }

  /// Puts a number there.
  @usableFromInline
  func bind(real value: Double) {
    statement.note(sqlite3_bind_double(statement.handle, index, value))
  }

  /// Puts a text there.
  @usableFromInline
  func bind(text value: String) {
    var value = value
    value.withUTF8 { bind(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Puts a text there that the caller knows to be UTF-8.
  func bind(utf8 text: UnsafeRawBufferPointer) {
    // No address would bind NULL instead of an empty text.
    guard let start = text.baseAddress else {
      return statement.note(sqlite3_bind_text(statement.handle, index, "", 0, nil))
    }
    // Copied here SQLite needs no memory of its own for it, which costs more than the copy.
    let copy = statement.scratch.copy(text)
    let bytes = (copy ?? start).assumingMemoryBound(to: CChar.self)
    statement.note(
      sqlite3_bind_text64(
        statement.handle, index, bytes, UInt64(text.count), copy == nil ? csqlite_transient() : nil,
        UInt8(SQLITE_UTF8)))
  }

  /// Puts a blob there.
  @usableFromInline
  func bind(blob: [UInt8]) {
    statement.note(
      blob.isEmpty
        ? sqlite3_bind_zeroblob(statement.handle, index, 0)
        : blob.withUnsafeBytes {
          sqlite3_bind_blob64(
            statement.handle, index, $0.baseAddress, UInt64($0.count), csqlite_transient())
        })
  }
}

/// Memory for the texts of a statement's parameters, from binding until the statement is bound again.
struct Scratch: ~Copyable {
  private static let capacity = 512
  private var memory: UnsafeMutableRawPointer?
  private var used = 0

  /// Makes room again for another set of parameters.
  mutating func clear() {
    used = 0
  }

  /// The address of a copy; nil when there is no room for it.
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
