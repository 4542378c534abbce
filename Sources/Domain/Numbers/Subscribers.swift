import Database
package import JSON
package import Numbers

/// The subscribers of a sandbox. A number without a record follows from its digits; most are plain mobile
/// lines.
package struct Subscribers {
  let sandbox: Sandbox

  /// The subscriber of a number: its record, merged into the defaults of the number.
  package subscript(number: PhoneNumber) -> Subscriber {
    get throws { try find(number).subscriber.value }
  }

  /// A number's subscriber without its record. Source: `carrier.md` 4.3.
  package func unrecorded(_ number: PhoneNumber) -> Subscriber {
    Subscriber(unrecorded: number, since: sandbox.startedAt)
  }

  /// True if the number has a record or a rule for its digits. Source: `carrier.md` 4.3.
  package func contains(_ number: PhoneNumber) throws -> Bool {
    if EndingTable.ending(of: number) != nil || DigitRule.applies(to: number) { return true }
    return try recorded(number) != nil
  }

  /// The subscriber of a number that has a record.
  package func recorded(_ number: PhoneNumber) throws -> Subscriber? {
    let found = try find(number)
    return found.isRecorded ? found.subscriber.value : nil
  }

  private func find(_ number: PhoneNumber) throws -> (isRecorded: Bool, subscriber: Shared<Subscriber>) {
    if let last = sandbox.derived.lastSubscriber, last.number == number {
      return (last.isRecorded, last.subscriber)
    }
    let record = try sandbox.database.first(
      "SELECT record FROM subscribers WHERE sandbox = ? AND number = ?", sandbox.id, number.description
    ) { $0.text(0) }
    let subscriber = Shared(try record.map { try self.subscriber(number, record: $0) } ?? unrecorded(number))
    sandbox.derived.lastSubscriber = (number, record != nil, subscriber)
    return (record != nil, subscriber)
  }

  /// All subscribers with a record, ordered by number.
  package var all: [Subscriber] {
    get throws {
      try sandbox.database.all(
        "SELECT number, record FROM subscribers WHERE sandbox = ? ORDER BY number", sandbox.id
      ) { try read($0) }
    }
  }

  /// Subscribers with a record after a number, ordered by number.
  package func page(after number: String, limit: Int) throws -> [Subscriber] {
    try sandbox.database.all(
      "SELECT number, record FROM subscribers WHERE sandbox = ? AND number > ? ORDER BY number LIMIT ?",
      sandbox.id, number, limit
    ) { try read($0) }
  }

  /// Throws if no number has this operator, since a scenario with it would never act. `path`: of its field.
  package func validate(operatorNamed name: String, in path: String) throws {
    let fictional = FictionalOperator.allCases.map(\.rawValue)
    guard !fictional.contains(name) else { return }
    let known = Set(fictional + (try all.map(\.operatorName))).sorted()
    guard !known.contains(name) else { return }
    let hint =
      known.nearest(to: name).map { "did you mean \"\($0)\"?" }
      ?? "expected that of a record, or one of \(fictional.joined(separator: ", "))"
    throw FieldError.unknownName(path, "unknown operator \"\(name)\"; \(hint)")
  }

  /// The subscriber whose handset has this address in its data session.
  package func holder(ofAddress address: String) throws -> Subscriber? {
    let candidates = try recorded(naming: address)
    if let explicit = candidates.first(where: { $0.session.address == address }) { return explicit }
    guard let number = PacketAddresses.number(at: address) else { return nil }
    let subscriber = try self[number]
    return subscriber.session.address == address ? subscriber : nil
  }

  /// The subscribers whose records have this public address in a data session that is on, ordered by number.
  /// Nil of the rest: any.
  package func holders(
    ofPublicAddress address: String, port: Int? = nil, privateAddress: String? = nil
  ) throws -> [Subscriber] {
    try recorded(naming: address).filter { subscriber in
      let session = subscriber.session
      return session.isOn && session.natAddress == address && (port == nil || session.natPort == port)
        && (privateAddress == nil || session.address == privateAddress)
    }
  }

  /// The subscribers in whose network of 64 bits this IPv6 address is, in the form of `DataSession`.
  package func holders(ofIPv6Address address: String) throws -> [Subscriber] {
    let network = address.split(separator: ":").prefix(4).joined(separator: ":") + ":"
    return try recorded(naming: network).filter {
      $0.session.isOn && $0.session.ipv6Address?.hasPrefix(network) == true
    }
  }

  /// Saves a record as `keep` has written it, unless the number has one. Returns false if it has.
  func insert(_ record: String, of number: String) throws -> Bool {
    sandbox.derived.lastSubscriber = nil
    try sandbox.database.run(
      "INSERT INTO subscribers (sandbox, number, record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      sandbox.id, number, record)
    return sandbox.database.changes > 0
  }

  /// Saves a record: the differences from the number without one. Returns its text.
  @discardableResult
  package func keep(_ subscriber: Subscriber) throws -> String {
    if try self[subscriber.number].scenarios != subscriber.scenarios {
      try sandbox.ownScenarioHits.reset(subscriber.number)
    }
    let difference = JSON.object(subscriber.difference(from: unrecorded(subscriber.number)))
    let record = String(decoding: difference.encoded(), as: UTF8.self)
    sandbox.derived.lastSubscriber = nil
    try sandbox.database.run(
      """
      INSERT INTO subscribers (sandbox, number, record) VALUES (?, ?, ?)
      ON CONFLICT (sandbox, number) DO UPDATE SET record = excluded.record
      """,
      sandbox.id, subscriber.number.description, record)
    return record
  }

  /// Saves a changed record, and reports the change to the providers.
  package func keep(_ subscriber: Subscriber, insteadOf former: Subscriber) throws {
    try keep(subscriber)
    if subscriber != former { try sandbox.report(.lineChanged(from: former, to: subscriber), to: nil) }
  }

  /// Deletes a record; false if there was none.
  package func forget(_ number: PhoneNumber) throws -> Bool {
    sandbox.derived.lastSubscriber = nil
    try sandbox.database.run(
      "DELETE FROM subscribers WHERE sandbox = ? AND number = ?", sandbox.id, number.description)
    let hadRecord = sandbox.database.changes > 0
    if hadRecord { try sandbox.ownScenarioHits.reset(number) }
    return hadRecord
  }

  /// The record as seeds have it: the number and the differences.
  package func export(_ subscriber: Subscriber) -> JSON {
    let number = JSON.Member(name: "number", value: .string(subscriber.number.description))
    return .object([number] + subscriber.difference(from: unrecorded(subscriber.number)))
  }

  /// The subscribers whose records contain a text. Records name only differences, so few contain an address.
  private func recorded(naming text: String) throws -> [Subscriber] {
    try sandbox.database.all(
      "SELECT number, record FROM subscribers WHERE sandbox = ? AND instr(record, ?) > 0 ORDER BY number",
      sandbox.id, text
    ) { try read($0) }
  }

  private func read(_ row: Row) throws -> Subscriber {
    guard let number = PhoneNumber(row.text(0)) else {
      throw DatabaseError.damagedValue(row.text(0), expected: "a phone number")
    }
    return try subscriber(number, record: row.text(1))
  }

  private func subscriber(_ number: PhoneNumber, record: String) throws(FieldError) -> Subscriber {
    var subscriber = unrecorded(number)
    if record != "{}" { try subscriber.merge(Fields(Array(record.utf8))) }
    return subscriber
  }
}
