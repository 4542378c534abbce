import Database
import Domain
import JSON

/// Makes a sandbox from a snapshot, in steps.
///
/// ```
/// find the parts ─ row of the sandbox ─ rows of each table ─ journal ─ read everything back
/// ```
/// A class because each step continues after the last one.
final class SnapshotRestore {
  private static let rowsPerStep = 100
  private static let exchangesPerStep = 20

  private let layout: Snapshot.Layout
  private let reader: SnapshotReader
  private let build: SandboxBuild
  private let shared: SharedServices
  private let seeds: SeedLibrary
  private var memory = SandboxMemory()
  private var newestOrdinal = 0
  private var exchanges: [Journal.Exchange] = []
  private var size = Snapshot.Size()
  /// The size of the rows so far, as limits count it.
  private var storedBytes = 0
  /// Of the server's sandboxes.
  private let keys: [(purpose: SigningKeys.Purpose, key: SigningKey?)]
  /// Nil for the state of a whole sandbox.
  private var accounts: Replacements?
  /// True for the state in a shared file.
  private let isShared: Bool

  init(
    _ snapshot: [UInt8], _ layout: Snapshot.Layout, into build: SandboxBuild, _ shared: SharedServices,
    _ seeds: SeedLibrary, isShared: Bool, keys: [(purpose: SigningKeys.Purpose, key: SigningKey?)]
  ) {
    (self.isShared, self.keys) = (isShared, keys)
    self.layout = layout
    reader = SnapshotReader(snapshot, layout)
    self.build = build
    self.shared = shared
    self.seeds = seeds
  }

  func addSteps() {
    build.steps.addRepeated { try self.reader.findParts() }
    build.steps.add { try self.restoreHead() }
    for (table, shape) in zip(layout.savedTables, layout.snapshotTables) {
      build.steps.addRepeated(rows(of: table, shape))
    }
    build.steps.addRepeated(journal())
    build.steps.add { try self.makeSandbox() }
    build.steps.addRepeated { try self.build.sandbox.destinations.addRestored(upTo: self.newestOrdinal) }
    build.steps.addRepeated(checks())
  }

  private func restoreHead() throws {
    let head = try reader.head()
    guard try head.string("format") == Snapshot.format else {
      throw head.mismatch("format", expected: "\"\(Snapshot.format)\"")
    }
    guard try head.int("version") == layout.version else {
      throw head.mismatch(
        "version", expected: "\(layout.version), the one of this server; use the version that saved it")
    }
    for name in ["tables", Journal.snapshotTable.name] { _ = try head.object(name) }
    try reader.checkShape()
    let row = try head.object("sandbox")
    var values: [ColumnValue] = []
    for column in layout.sandboxes.columns {
      let value = try ColumnValue(row.json(column.name), for: column, path: "\(row.path).\(column.name)")
      if column.name == "last_ordinal" { try setNewestOrdinal(value, "\(row.path).\(column.name)") }
      values.append(value)
    }
    try SandboxMemory.schema.merge(head.object("memory"), into: &memory)
    let accounts = isShared ? try head.object(Snapshot.accounts) : nil
    try build.insertRow(.init())
    if let accounts { values = try makeOwn(accounts, values) }
    try head.requireAllRead(of: Snapshot.schema)
    try saveRow(values)
  }

  /// Makes what the state in a shared file lacks: credentials, keys, and the values of the sandbox's row that
  /// nobody else may know. Returns the row with them.
  private func makeOwn(_ accounts: Fields, _ values: [ColumnValue]) throws -> [ColumnValue] {
    try build.makeSandbox()
    for section in seeds.sections { try section.createCredentials(in: build.sandbox) }
    for case (let purpose, let key?) in keys { try build.sandbox.keys.save(key, for: purpose) }
    self.accounts = try Replacements(of: accounts, in: build.sandbox)
    // The records that came with them give way to those of the file.
    for provider in accounts.names {
      try shared.database.run("DELETE FROM records WHERE sandbox = ? AND provider = ?", build.id, provider)
    }
    newestOrdinal = max(newestOrdinal, build.sandbox.newestOrdinal)
    let row = try shared.database.rows(of: layout.sandboxes, where: "id", is: build.id, limit: 1).first
    return zip(zip(layout.sandboxes.columns, values), row ?? values).map { pair, own in
      if pair.0.name == "last_ordinal" { return .integer(Int64(newestOrdinal)) }
      let isOwn =
        Self.ownColumns.contains(pair.0.name)
        || pair.0.name == "entropy_seed" && pair.1.integer == SharedPart.ownSeed
      return isOwn ? own : pair.1
    }
  }

  private static let ownTables: Set = ["credentials", "signing_keys", "quotas"]
  private static let ownColumns: Set = ["first_entropy_seed", "seeds"]

  private func setNewestOrdinal(_ value: ColumnValue, _ path: String) throws(FieldError) {
    let range = 0...Snapshot.newestOrdinal
    newestOrdinal = Int(value.integer ?? 0)
    guard !range.contains(newestOrdinal) else { return }
    throw FieldError(
      path: path, expected: "an integer from \(range.lowerBound) to \(range.upperBound)",
      found: "\(newestOrdinal)")
  }

  private func saveRow(_ values: [ColumnValue]) throws {
    do {
      try shared.database.update(layout.sandboxes, to: values, where: "id", is: build.id)
    } catch {
      throw Self.problem(error, at: "$.sandbox")
    }
  }

  // MARK: Rows

  private func rows(of table: Table, _ shape: SnapshotTable) -> Steps.Step {
    lazy var next = reader.rows(of: shape)
    var start = 0
    return { [self] in
      let page = try next(Self.rowsPerStep).map { accounts?.applied(to: $0) ?? $0 }
      if accounts != nil, Self.ownTables.contains(table.name), !page.isEmpty {
        throw FieldError(
          path: shape.path, expected: "no rows, in a part of a sandbox", found: "\(page.count)")
      }
      try check(page, of: shape, from: start)
      let writtenBefore = shared.database.writtenBytes
      try shared.database.insert(page, into: table, where: "sandbox", is: build.id) { number, error in
        Self.problem(error, at: "\(shape.path).rows[\(start + number)]")
      }
      start += page.count
      try count(shared.database.writtenBytes - writtenBefore)
      return page.count == Self.rowsPerStep
    }
  }

  private static func problem(_ error: DatabaseError, at path: String) -> any Error {
    error.isConstraint
      ? FieldError(path: path, expected: "a row that the table accepts", found: error.message) : error
  }

  private func check(_ page: [[ColumnValue]], of table: SnapshotTable, from start: Int) throws {
    let isCredentials = table.name == "credentials"
    let ordinal = table.index(of: "ordinal")
    for (number, row) in page.enumerated() {
      try size.add(row)
      if let ordinal { try checkOrdinal(row[ordinal], "\(table.path).rows[\(start + number)][\(ordinal)]") }
      if isCredentials { try requireFree(row, of: table, "\(table.path).rows[\(start + number)]") }
    }
  }

  /// New rows get ordinals after the newest one, so no row may have a higher one.
  private func checkOrdinal(_ value: ColumnValue, _ path: String) throws(FieldError) {
    guard let ordinal = value.integer, ordinal > newestOrdinal else { return }
    throw FieldError(
      path: path, expected: "at most \(newestOrdinal), as in $.sandbox.last_ordinal", found: "\(ordinal)")
  }

  /// A credential selects its sandbox, so two sandboxes cannot have the same one.
  private func requireFree(_ row: [ColumnValue], of table: SnapshotTable, _ path: String) throws {
    guard let provider = table.index(of: "provider").flatMap({ row[$0].text }),
      let name = table.index(of: "name").flatMap({ row[$0].text }),
      let owner = try shared.credentials.owner(of: name, provider: provider), owner != build.replaced?.id
    else { return }
    throw FieldError(
      path: path,
      expected: "a credential that no other sandbox has; delete that sandbox, or restore under its name",
      found: "\(provider) \(name)")
  }

  /// Counts stored bytes. Throws if the replaced sandbox may not hold so many.
  private func count(_ bytes: Int) throws(LimitExceeded) {
    storedBytes += bytes
    try build.replaced?.configuration.limits.check(storedBytes: storedBytes)
  }

  private func journal() -> Steps.Step {
    lazy var next = reader.rows(of: Journal.snapshotTable)
    var number = 0
    return { [self] in
      let page = try next(Self.exchangesPerStep)
      for read in page {
        let row = accounts?.applied(to: read) ?? read
        try size.add(row)
        exchanges.append(try Journal.exchange(row, number: number, after: exchanges.last))
        number += 1
      }
      return page.count == Self.exchangesPerStep
    }
  }

  // MARK: The sandbox

  private func makeSandbox() throws {
    try build.keepLimits()
    try build.makeSandbox()
    build.sandbox.memory = memory
    build.sandbox.journal.restore(exchanges)
    exchanges = []
    shared.credentials.readAgain()
  }

  /// Reads everything back, so that no request meets a damaged row later.
  private func checks() -> Steps.Step {
    var checks: Steps?
    return { [self] in
      if checks == nil { checks = RowChecks(of: build.sandbox, seeds).steps }
      return try checks?.runNext() ?? false
    }
  }
}
