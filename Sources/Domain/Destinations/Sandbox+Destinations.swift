import Database

/// A record that `DestinationIndex` finds.
protocol AddressedRecord: TableRow {
  static var kind: DestinationEntry.Kind { get }
  var destination: String { get }
  static func find(_ ordinal: Int, in sandbox: Sandbox) throws -> Self?
}

extension Verification: AddressedRecord {
  static var kind: DestinationEntry.Kind { .verification }
  var destination: String { claim.destination }

  static func find(_ ordinal: Int, in sandbox: Sandbox) throws -> Verification? {
    try sandbox.verifications.row(ordinal)
  }
}

extension Message: AddressedRecord {
  static var kind: DestinationEntry.Kind { .message }

  static func find(_ ordinal: Int, in sandbox: Sandbox) throws -> Message? {
    try sandbox.messages.find(ordinal)
  }
}

extension Sandbox {
  /// The records of a destination that a condition selects, newest first. `searched`: the most records that
  /// are read.
  func newestFirst<Record: AddressedRecord>(
    _ type: Record.Type, to destination: String, after: Int = 0, before: Int = .max, limit: Int,
    searched: Int = .max, where isSelected: (Record) -> Bool
  ) throws -> [Record] {
    var (found, count): ([Record], Int) = ([], 0)
    guard limit > 0 else { return found }
    try destinations.newestFirst(Record.kind, of: destination, before: before) { ordinal in
      guard ordinal > after, count < searched else { return false }
      count += 1
      if let record = try read(ordinal, of: destination, where: isSelected) { found.append(record) }
      return found.count < limit
    }
    return found
  }

  /// The same, oldest first.
  func oldestFirst<Record: AddressedRecord>(
    _ type: Record.Type, to destination: String, after: Int, before: Int = .max, limit: Int,
    where isSelected: (Record) -> Bool
  ) throws -> [Record] {
    var found: [Record] = []
    guard limit > 0 else { return found }
    try destinations.oldestFirst(Record.kind, of: destination, after: after) { ordinal in
      guard ordinal < before else { return false }
      if let record = try read(ordinal, of: destination, where: isSelected) { found.append(record) }
      return found.count < limit
    }
    return found
  }

  /// The newest record of a destination that a condition selects.
  func newest<Record: AddressedRecord>(
    _ type: Record.Type, to destination: String, where isSelected: (Record) -> Bool
  ) throws -> Record? {
    try newestFirst(type, to: destination, limit: 1, where: isSelected).first
  }

  /// Nil if the record was deleted, has another destination or is not selected.
  private func read<Record: AddressedRecord>(
    _ ordinal: Int, of destination: String, where isSelected: (Record) -> Bool
  ) throws -> Record? {
    guard let record = try Record.find(ordinal, in: self), record.destination == destination,
      isSelected(record)
    else { return nil }
    return record
  }
}
