import Database
import JSON

/// The subscribers of a sandbox; a number without a record is a happy mobile line.
package struct Subscribers {
  let sandbox: Sandbox

  /// The subscriber of a number, recorded or not.
  package subscript(number: PhoneNumber) -> Subscriber {
    get throws { try recorded(number) ?? Subscriber(happyLineOf: number) }
  }

  /// The subscriber of a number that has a record.
  package func recorded(_ number: PhoneNumber) throws -> Subscriber? {
    let record = try sandbox.database.first(
      "SELECT record FROM subscribers WHERE sandbox = ? AND number = ?", sandbox.id, number.description
    ) { $0.text(0) }
    return try record.map { try subscriber(number, record: $0) }
  }

  /// All that have a record, by number.
  package var all: [Subscriber] {
    get throws {
      try sandbox.database.all(
        "SELECT number, record FROM subscribers WHERE sandbox = ? ORDER BY number", sandbox.id
      ) { row in
        guard let number = PhoneNumber(row.text(0)) else {
          preconditionFailure("the database holds no such number: \(row.text(0))")
        }
        return try subscriber(number, record: row.text(1))
      }
    }
  }

  /// Keeps a record, in place of the one there was.
  package func keep(_ subscriber: Subscriber) throws {
    let record = JSONWriter.object { subscriber.write(to: &$0) }
    try sandbox.database.run(
      """
      INSERT INTO subscribers (sandbox, number, record) VALUES (?, ?, ?)
      ON CONFLICT (sandbox, number) DO UPDATE SET record = excluded.record
      """,
      sandbox.id, subscriber.number.description, String(decoding: record, as: UTF8.self))
  }

  /// Forgets a record; says whether there was one.
  package func forget(_ number: PhoneNumber) throws -> Bool {
    try sandbox.database.run(
      "DELETE FROM subscribers WHERE sandbox = ? AND number = ?", sandbox.id, number.description)
    return sandbox.database.changes > 0
  }

  private func subscriber(_ number: PhoneNumber, record: String) throws(FieldError) -> Subscriber {
    var subscriber = Subscriber(happyLineOf: number)
    try subscriber.merge(Fields(Array(record.utf8)))
    return subscriber
  }
}
