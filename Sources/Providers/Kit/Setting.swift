package import JSON

/// One member of a record of settings: how a seed's object changes it, and how it is written back.
package struct Setting<Record> {
  /// The member's name.
  package let name: String
  private let read: (Fields, inout Record) throws(FieldError) -> Void
  private let write: (Record, inout JSONWriter) -> Void

  /// Changes the record where the object names the member.
  package func merge(_ fields: Fields, into record: inout Record) throws(FieldError) {
    try read(fields, &record)
  }

  /// Writes the member as a seed has it.
  package func put(_ record: Record, to json: inout JSONWriter) {
    write(record, &json)
  }

  /// A whole number within bounds.
  package static func number(
    _ name: String, _ path: WritableKeyPath<Record, Int>, _ range: ClosedRange<Int>
  ) -> Setting {
    Setting(name: name) { fields, record throws(FieldError) in
      record[keyPath: path] = try fields.number(name, range) ?? record[keyPath: path]
    } write: {
      $1.member(named: name, $0[keyPath: path])
    }
  }

  /// One of some whole numbers.
  package static func number(
    _ name: String, _ path: WritableKeyPath<Record, Int>, _ numbers: [Int]
  ) -> Setting {
    Setting(name: name) { fields, record throws(FieldError) in
      guard let number = try fields.optionalInt(name) else { return }
      guard numbers.contains(number) else {
        throw fields.mismatch(
          name, expected: "one of \(numbers.map(String.init).joined(separator: ", "))")
      }
      record[keyPath: path] = number
    } write: {
      $1.member(named: name, $0[keyPath: path])
    }
  }

  /// One of some words.
  package static func word(
    _ name: String, _ path: WritableKeyPath<Record, String>, _ words: [String]
  ) -> Setting {
    Setting(name: name) { fields, record throws(FieldError) in
      record[keyPath: path] = try fields.word(name, words) ?? record[keyPath: path]
    } write: {
      $1.member(named: name, $0[keyPath: path])
    }
  }

  /// Yes or no.
  package static func flag(_ name: String, _ path: WritableKeyPath<Record, Bool>) -> Setting {
    Setting(name: name) { fields, record throws(FieldError) in
      record[keyPath: path] = try fields.optionalBool(name) ?? record[keyPath: path]
    } write: {
      $1.member(named: name, $0[keyPath: path])
    }
  }

  /// A text that `accepts` says yes to; `expected` is the form it must have.
  package static func text(
    _ name: String, _ path: WritableKeyPath<Record, String>, expected: String,
    _ accepts: @escaping (String) -> Bool
  ) -> Setting {
    Setting(name: name) { fields, record throws(FieldError) in
      guard let text = try fields.optionalString(name) else { return }
      guard accepts(text) else { throw fields.mismatch(name, expected: expected) }
      record[keyPath: path] = text
    } write: {
      $1.member(named: name, $0[keyPath: path])
    }
  }

  /// Some of a list of words, each once, in the order given; none of them only where that means something.
  package static func words(
    _ name: String, _ path: WritableKeyPath<Record, [String]>, of words: [String], orNone: Bool = false
  ) -> Setting {
    Setting(name: name) { fields, record throws(FieldError) in
      guard let chosen = try fields.optionalStrings(name) else { return }
      guard orNone || !chosen.isEmpty, Set(chosen).count == chosen.count, chosen.allSatisfy(words.contains)
      else {
        throw fields.mismatch(name, expected: "some of \(words.joined(separator: ", ")), each once")
      }
      record[keyPath: path] = chosen
    } write: {
      $1.member(named: name, $0[keyPath: path])
    }
  }

  /// Any number of texts that `accepts` says yes to; `expected` is the form they must have.
  package static func texts(
    _ name: String, _ path: WritableKeyPath<Record, [String]>, expected: String,
    _ accepts: @escaping (String) -> Bool
  ) -> Setting {
    Setting(name: name) { fields, record throws(FieldError) in
      guard let texts = try fields.optionalStrings(name) else { return }
      guard texts.allSatisfy(accepts) else { throw fields.mismatch(name, expected: expected) }
      record[keyPath: path] = texts
    } write: {
      $1.member(named: name, $0[keyPath: path])
    }
  }

  /// Any number of countries, ISO 3166-1 alpha-2.
  package static func countries(_ name: String, _ path: WritableKeyPath<Record, [String]>) -> Setting {
    texts(name, path, expected: CountryCode.expected, CountryCode.isValid)
  }

  private init(
    name: String, read: @escaping (Fields, inout Record) throws(FieldError) -> Void,
    write: @escaping (Record, inout JSONWriter) -> Void
  ) {
    self.name = name
    self.read = read
    self.write = write
  }
}
