import Database
package import JSON

extension Sandboxes {
  /// The whole state of a sandbox, as JSON. Throws if it would be too large to be restored.
  package func snapshot(of sandbox: Sandbox) throws -> [UInt8] {
    try Snapshot(of: sandbox).encoded(Snapshot.Layout(of: sandbox.database))
  }

  /// The shape of a snapshot.
  package static var snapshotSchema: ObjectSchema { Snapshot.schema }

  /// Replaces the sandbox of this name by a snapshot, or creates it. When it throws, nothing has changed.
  package func restore(_ input: Fields, as name: String) throws -> Sandbox {
    let layout = try Snapshot.Layout(of: shared.database)
    let snapshot = try Snapshot(input, layout)
    return try shared.registry.atomically {
      let old = self[name]
      if let old { try removeForNow(old) }
      let sandbox = try insert(snapshot, as: name, replacing: old, layout)
      try sandbox.journal.restore(snapshot.journal)
      try check(sandbox)
      shared.registry.members.add(sandbox)
      shared.registry.derived.credentials = nil
      try sandbox.tasks.begin()
      return sandbox
    }
  }

  /// A sandbox that replaces another has the limits of that one: they are the server's, not the client's.
  private func insert(
    _ snapshot: Snapshot, as name: String, replacing old: Sandbox?, _ layout: Snapshot.Layout
  ) throws -> Sandbox {
    let database = shared.database
    let now = shared.settings.wallClock()
    let row = try SandboxRow.insert(
      name, configuration: .init(), at: .init(milliseconds: 0), machineTime: now, into: database)
    do {
      try database.update(layout.sandboxes, to: snapshot.sandbox, where: "id", is: row.id)
    } catch {
      throw Self.problem(error, at: "$.sandbox")
    }
    for table in layout.tables {
      guard let found = snapshot.tables.first(where: { $0.name == table.name }) else { continue }
      if table.name == "credentials" { try requireFreeCredentials(found) }
      try database.insert(found.rows, into: table, where: "sandbox", is: row.id) { number, error in
        Self.problem(error, at: "\(found.path).rows[\(number)]")
      }
    }
    let limited = try old?.configuration ?? SandboxRow.find(row.id, in: database)?.configuration
    if var limited {
      limited = try RevokedTokens(database: database).completing(limited, of: name)
      try SandboxRow.saveQuota(of: limited, for: row.id, usedAt: now, in: database)
      try RevokedTokens(database: database).save(limited.revokedTokens, of: name)
    }
    guard let complete = try SandboxRow.find(row.id, in: database) else {
      throw DamagedState(expected: "a row of the new sandbox")
    }
    let sandbox = Sandbox(complete, shared: shared)
    sandbox.memory = snapshot.memory
    return sandbox
  }

  private static func problem(_ error: DatabaseError, at path: String) -> any Error {
    error.isConstraint
      ? FieldError(path: path, expected: "a row that the table accepts", found: error.message) : error
  }

  /// A credential selects its sandbox, so two sandboxes cannot have the same one.
  private func requireFreeCredentials(_ table: SnapshotTable) throws {
    let names = table.columns.map(\.name)
    guard let provider = names.firstIndex(of: "provider"), let name = names.firstIndex(of: "name") else {
      return
    }
    for (number, row) in table.rows.enumerated() {
      guard let provider = row[provider].text, let name = row[name].text,
        try shared.credentials.find(name, of: provider) != nil
      else { continue }
      throw FieldError(
        path: "\(table.path).rows[\(number)]",
        expected: "a credential that no other sandbox has; delete that sandbox, or restore under its name",
        found: "\(provider) \(name)")
    }
  }

  /// Reads what due work, the start of the server and every request read. A damaged row there would be an error of all
  /// requests to the sandbox.
  private func check(_ sandbox: Sandbox) throws {
    try read("agenda") { try sandbox.agenda.check() }
    try read("agenda") { try sandbox.reloadDerived() }
    try read("rules") {
      for count in [try sandbox.scenarios.all.count, try sandbox.faults.all.count]
      where count > RuleLimits.perList {
        throw FieldError(
          path: "$.tables.rules", expected: "at most \(RuleLimits.perList) of a kind", found: "\(count)")
      }
    }
    try read("subscribers") { _ = try sandbox.subscribers.all }
    try read("verifications") { _ = try sandbox.verifications.all(limit: .max) }
    try read("messages") { _ = try sandbox.messages.submitted(.init(), limit: .max) }
    try read("webhooks") { _ = try sandbox.webhooks.all(.init(), limit: .max) }
    try read("events") { _ = try sandbox.events.after(0, limit: .max) }
    try read("steps") { _ = try sandbox.fallbacks.all }
    try read("devices") { _ = try sandbox.devices.all }
    for section in seeds.sections {
      try read("records") {
        _ = try section.export(sandbox)
        _ = try section.credentials(sandbox)
      }
    }
    try sandbox.checkLimits()
  }

  private func read(_ table: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError where error.isDamage {
      throw FieldError(
        path: "$.tables.\(table)", expected: "rows that this server wrote", found: error.message)
    } catch let error as FieldError where error.path.hasPrefix("$.tables.") {
      throw error
    } catch let error where !(error is DatabaseError) {
      throw FieldError(path: "$.tables.\(table)", expected: "rows that this server wrote", found: "\(error)")
    }
  }
}
