/// A value as requests share it.
///
/// A class because copying the thirty parts of a record takes longer than most requests read in it.
@usableFromInline
package final class Shared<Value> {
  /// The value.
  @usableFromInline
  package let value: Value

  /// Shares a value.
  @inlinable
  package init(_ value: Value) { self.value = value }
}

extension Shared: Sendable where Value: Sendable {}

/// Records of the records as their providers have read them: an object each, none where there is no record.
struct RecordCache {
  /// A record that is known, or known to be missing.
  struct Copy {
    fileprivate let section: RecordStore.Section
    /// What its provider made of it.
    let object: AnyObject?
  }

  /// Kept by key alone: two sections rarely have the same one, and hashing three texts costs as much as a row.
  private var copies: [String: [Copy]] = [:]
  private static let limit = 1000

  /// What is known of a key.
  func find(_ key: String, in section: RecordStore.Section) -> Copy? {
    copies[key]?.first { $0.section == section }
  }

  /// Keeps what was found under a key; when there are too many, all others go.
  mutating func keep(_ object: AnyObject?, under key: String, in section: RecordStore.Section) {
    if copies.count >= Self.limit { copies = [:] }
    copies[key, default: []].append(Copy(section: section, object: object))
  }

  /// Forgets what is known of a key: it has changed.
  mutating func forget(_ key: String, in section: RecordStore.Section) {
    copies[key]?.removeAll { $0.section == section }
  }
}
