/// What a provider stores with a verification.
package protocol VerificationRecord: Equatable {
  /// Reads what `encoded` wrote; nil for a text of another of the provider's records.
  init?(stored text: String) throws
  /// A JSON object.
  var encoded: String { get }
}

/// The record of a provider as the core keeps it: a text that the core does not read.
package struct ProviderDetails: Equatable, Sendable {
  package let text: String
  @usableFromInline
  let cache: Cache

  package init(_ text: String) {
    self.text = text
    cache = Cache(nil)
  }

  @inlinable
  package init<Record: VerificationRecord>(_ record: Record) {
    text = record.encoded
    cache = Cache(Shared<Record?>(record))
    assert((try? Record(stored: text)) == record, "\(record) is read as another record: \(text)")
  }

  /// The record of a verification that must have one. It is decoded once for all copies.
  @inlinable
  package func record<Record: VerificationRecord>() throws -> Record {
    guard let record: Record = try optionalRecord() else { throw DamagedState(expected: "\(Record.self)") }
    return record
  }

  /// Nil if the verification has another of the provider's records.
  @inlinable
  package func optionalRecord<Record: VerificationRecord>() throws -> Record? {
    if let known = cache.record as? Shared<Record?> { return known.value }
    let record = try Record(stored: text)
    cache.record = Shared<Record?>(record)
    return record
  }

  package static func == (a: ProviderDetails, b: ProviderDetails) -> Bool { a.text == b.text }

  /// Only the thread of the sandbox uses it.
  @usableFromInline
  final class Cache: @unchecked Sendable {
    @usableFromInline
    var record: AnyObject?

    @usableFromInline
    init(_ record: AnyObject?) { self.record = record }
  }
}
