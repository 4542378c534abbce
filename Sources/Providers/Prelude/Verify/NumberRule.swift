import Domain
import JSON
import ProviderKit

/// A seed's rule for one number: `{"number":"+33…","outcome":"challenged"}`. Source: contract 16.1.
enum NumberRule {
  private static let section = RecordStore.Section(provider: PreludeProvider.name, kind: "number")

  /// What a seed says of a number.
  static func outcome(for number: PhoneNumber, in sandbox: Sandbox) throws -> Outcome? {
    try sandbox.records.find(number.description, in: section).flatMap { try outcome(of: $0) }
  }

  /// Loads a rule, in place of the one there was.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    let text = try fields.string("number")
    guard let number = PhoneNumber(text) else {
      throw fields.mismatch("number", expected: "+ and 7 to 15 digits, the first not zero")
    }
    let words = Outcome.allCases.map(\.rawValue)
    guard let word = try fields.word("outcome", words) else {
      throw fields.mismatch("outcome", expected: "one of \(words.joined(separator: ", "))")
    }
    let record = JSONWriter.object { json in
      json.member("number", number.description)
      json.member("outcome", word)
    }
    try sandbox.records.save(record, under: number.description, of: "", in: section)
  }

  /// All rules, as seeds have them.
  static func all(in sandbox: Sandbox) throws -> [JSON] {
    try sandbox.records.all(section).map { try JSON(parsing: Array($0.record.utf8)) }
  }

  private static func outcome(of item: RecordStore.Item) throws -> Outcome? {
    Outcome(rawValue: try Fields(Array(item.record.utf8)).string("outcome"))
  }
}
