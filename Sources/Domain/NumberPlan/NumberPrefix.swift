package import JSON
import Numbers

/// Phone numbers that are valid in a sandbox although the public numbering plan does not have them.
package struct NumberPrefix: Equatable, Sendable {
  /// The first digits, with `+`.
  var prefix = "+"
  /// The possible numbers of digits, with the country code; empty: any.
  var digits: [Int] = []

  package static let schema = Schema<NumberPrefix>(
    "NumberPrefix", "Phone numbers that are valid in addition to those of the public numbering plan.",
    [
      .required(
        "prefix", \.prefix,
        .text(
          .string(pattern: "^\\+[1-9][0-9]{0,14}$"), expected: "+ and 1 to 15 digits, such as +1999", isPrefix
        ),
        "The first digits of the numbers, with + and country code."),
      .field(
        "digits", \.digits, .array(of: .integer(7...15), maxItems: 9), default: [],
        "The possible numbers of digits, with the country code; any by default."),
    ])

  /// The maximum number in a sandbox: a number that is not in the public plan is compared with all of them.
  package static let limit = 100

  func contains(_ number: PhoneNumber) -> Bool {
    number.description.utf8.starts(with: prefix.utf8)
      && (digits.isEmpty || digits.contains(number.description.utf8.count - 1))
  }

  private static func isPrefix(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.utf8.first == UInt8(ascii: "+") && (1...15).contains(digits.count)
      && digits.first != UInt8(ascii: "0") && digits.allSatisfy { $0.isDigit }
  }
}

extension NumberPlan {
  /// The additional numbers of this sandbox.
  package var prefixes: [NumberPrefix] {
    get throws {
      try sandbox.records.read(Self.key, in: Self.section) { item in
        try Self.prefixes(in: Fields(Array(item.record.utf8)))
      }?.value ?? []
    }
  }

  /// Replaces the additional numbers.
  func replace(prefixes: [NumberPrefix]) throws {
    let record = JSONWriter.object { json in
      json.array(named: Self.key, prefixes) { $0.value(encoded: NumberPrefix.schema.encode($1)) }
    }
    // Not `nextOrdinal()`: a seed must not change the ids of what comes later.
    let item = RecordStore.Item(ordinal: 0, key: Self.key, record: String(decoding: record, as: UTF8.self))
    try sandbox.records.save(item, of: "", in: Self.section)
  }

  static func prefixes(in fields: Fields) throws(FieldError) -> [NumberPrefix] {
    var prefixes: [NumberPrefix] = []
    for fields in try fields.optionalObjects(key, atMost: NumberPrefix.limit) ?? [] {
      var prefix = NumberPrefix()
      try NumberPrefix.schema.merge(fields, into: &prefix)
      prefixes.append(prefix)
    }
    return prefixes
  }

  /// The member of seeds, and the name of the record.
  static let key = "numberPrefixes"
  private static let section = RecordStore.Section(provider: "sandbox", kind: key)
}
