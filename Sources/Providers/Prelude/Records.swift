import Domain
import JSON
import ProviderKit

/// The account's records of one kind, each under a key.
struct Records {
  private let section: RecordStore.Section

  /// The records of a kind.
  init(_ kind: String) {
    section = RecordStore.Section(provider: PreludeProvider.name, kind: kind)
  }

  /// The record under a key.
  func find<T>(_ key: String, in sandbox: Sandbox, as read: (Fields) throws -> T) throws -> T? {
    try sandbox.records.read(key, in: section) { try read(Fields(Array($0.record.utf8))) }?.value
  }

  /// Keeps a record; one that is there under this key gives way, its place in lists stays.
  func keep(
    _ key: String, in sandbox: Sandbox, of group: String = "", _ write: (inout JSONWriter) -> Void
  ) throws {
    try sandbox.records.save(JSONWriter.object(write), under: key, of: group, in: section)
  }

  /// Forgets a record, where there is one.
  func forget(_ key: String, in sandbox: Sandbox) throws {
    _ = try sandbox.records.delete(key, in: section)
  }

  /// Forgets the oldest records of a group, so that no more than `count` stay.
  func keepNewest(_ count: Int, of group: String, in sandbox: Sandbox) throws {
    let all = try sandbox.records.list(section, of: group, from: .before(.max), limit: count + 1)
    for item in all.dropLast(count) { try forget(item.key, in: sandbox) }
  }

  /// Forgets the records of a group.
  func forgetAll(of group: String, in sandbox: Sandbox) throws {
    for item in try sandbox.records.list(section, of: group) { try forget(item.key, in: sandbox) }
  }

  /// The records of all groups, oldest first.
  func all<T>(in sandbox: Sandbox, as read: (Fields) throws -> T) throws -> [T] {
    try sandbox.records.all(section).map { try read(Fields(Array($0.record.utf8))) }
  }

  /// The records of a group next to a border, oldest first, each with its place in the list.
  func list<T>(
    in sandbox: Sandbox, of group: String = "", from border: PageBoundary = .after(0), limit: Int = Int.max,
    as read: (Fields) throws -> T
  ) throws -> [(place: Int, record: T)] {
    try sandbox.records.list(section, of: group, from: border, limit: limit).map {
      ($0.ordinal, try read(Fields(Array($0.record.utf8))))
    }
  }
}

/// Members that more than one reader of the vendor's has.
extension Fields {
  /// A word of a closed list.
  func word<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of type: Word.Type
  ) throws(FieldError) -> Word {
    guard let word = Word(rawValue: try string(name)) else {
      throw mismatch(name, expected: "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  /// A number in E.164.
  func phoneNumber(_ name: String) throws(FieldError) -> PhoneNumber {
    guard let number = PhoneNumber(try string(name)) else {
      throw mismatch(name, expected: "a number in E.164, +12025550100")
    }
    return number
  }

  /// A time in milliseconds since 1970.
  func timestamp(_ name: String) throws(FieldError) -> Timestamp {
    Timestamp(milliseconds: Int64(try int(name)))
  }
}
