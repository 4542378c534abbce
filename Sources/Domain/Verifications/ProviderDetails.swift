/// What a provider stores with a verification.
package protocol VerificationRecord: Equatable, Sendable {
  /// Reads what `encoded` wrote; nil for a text of another of the provider's records.
  init?(stored text: String) throws
  /// A JSON object.
  var encoded: String { get }
}

/// The record of a provider as the core keeps it: a text that the core does not read.
package struct ProviderDetails: Equatable, Sendable {
  package let text: String
  /// The record in the text, which then nobody has to decode. Nil for a text that was read from a row.
  private let known: (any VerificationRecord)?

  package init(_ text: String) {
    self.text = text
    known = nil
  }

  package init<Record: VerificationRecord>(_ record: Record) {
    text = record.encoded
    known = record
    assert((try? Record(stored: text)) == record, "\(record) is read as another record: \(text)")
  }

  /// The record of a verification that must have one.
  package func record<Record: VerificationRecord>() throws -> Record {
    guard let record: Record = try optionalRecord() else { throw DamagedState(expected: "\(Record.self)") }
    return record
  }

  /// Nil if the verification has another of the provider's records.
  package func optionalRecord<Record: VerificationRecord>() throws -> Record? {
    if let known { return known as? Record }
    return try Record(stored: text)
  }

  package static func == (a: ProviderDetails, b: ProviderDetails) -> Bool { a.text == b.text }
}
