/// What a provider stores with a verification.
package protocol VerificationRecord: Equatable, Sendable {
  /// Reads what `encoded` wrote; nil for a text of another of the provider's records.
  init?(stored text: String) throws
  /// A JSON object.
  var encoded: String { get }
}

/// The record of a provider as the core keeps it: a text that the core does not read.
package struct ProviderDetails: Equatable, Sendable {
  private enum Form {
    case text(String)
    /// Encoded when its row is written, because a new one may change before that.
    case record(any VerificationRecord)
  }

  private let form: Form

  package init(_ text: String) { form = .text(text) }

  package init<Record: VerificationRecord>(_ record: Record) {
    form = .record(record)
    assert((try? Record(stored: text)) == record, "\(record) is read as another record: \(text)")
  }

  package var text: String {
    switch form {
    case .text(let text): text
    case .record(let record): record.encoded
    }
  }

  /// The record of a verification that must have one.
  package func record<Record: VerificationRecord>() throws -> Record {
    guard let record: Record = try optionalRecord() else { throw DamagedState(expected: "\(Record.self)") }
    return record
  }

  /// Nil if the verification has another of the provider's records.
  package func optionalRecord<Record: VerificationRecord>() throws -> Record? {
    switch form {
    case .text(let text): try Record(stored: text)
    case .record(let record): record as? Record
    }
  }

  package static func == (a: ProviderDetails, b: ProviderDetails) -> Bool { a.text == b.text }
}
