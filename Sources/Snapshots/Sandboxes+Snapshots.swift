import Database
package import Domain
package import JSON

extension Sandboxes {
  /// Writes the whole state of a sandbox, as JSON, between requests. Those to the sandbox wait. The job fails
  /// if the snapshot would be too large to be restored.
  ///
  /// `part`: of the part of it that other people get; nil for everything.
  package func startSnapshot(
    of sandbox: Sandbox, _ part: SharedPart? = nil
  ) throws -> (job: Job, writer: SnapshotWriter) {
    // Due work may be half done, such as an inbox that is being emptied.
    if sandbox.isBusy { throw SandboxIsBusy(name: sandbox.name) }
    let writer = try SnapshotWriter(sandbox, part)
    return (start(writer.makeSteps(), holding: [sandbox]), writer)
  }

  /// The same at once.
  package func snapshot(of sandbox: Sandbox) throws -> [UInt8] {
    let writer = try SnapshotWriter(sandbox)
    var steps = writer.makeSteps()
    try steps.runAll()
    return writer.bytes
  }

  /// The shape of a snapshot.
  package static var snapshotSchema: ObjectSchema { Snapshot.schema }

  /// A sandbox with the state of a snapshot, in place of the one of this name, if there is one. Nil if the
  /// name belongs to a sandbox that is being made.
  ///
  /// `isShared`: the snapshot is from a shared file, and the name is new.
  package func buildRestored(
    _ snapshot: [UInt8], as name: String, isShared: Bool = false
  ) throws -> SandboxBuild? {
    let layout = try Snapshot.Layout(of: shared.database)
    guard let build = SandboxBuild(name, replacing: isShared ? nil : self[name], in: self) else {
      return nil
    }
    let keys = try SigningKeys.Purpose.allCases.map { ($0, try defaultSandbox.keys[$0]) }
    SnapshotRestore(snapshot, layout, into: build, shared, seeds, isShared: isShared, keys: keys).addSteps()
    return build
  }

  /// The same at once.
  package func restore(_ snapshot: [UInt8], as name: String) throws -> Sandbox {
    guard let build = try buildRestored(snapshot, as: name) else { throw SandboxIsBusy(name: name) }
    return try finish(build)
  }

  /// A sandbox with the rows of another and then of a seed, in place of the other. Nil if that is being
  /// replaced already.
  package func buildSeeded(_ sandbox: Sandbox, with seed: [UInt8]) throws -> SandboxBuild? {
    let layout = try Snapshot.Layout(of: shared.database)
    guard let build = SandboxBuild(sandbox.name, replacing: sandbox, in: self) else { return nil }
    SandboxCopy(of: sandbox, layout, into: build, shared).addSteps()
    var loading: SeedLoading?
    build.steps.addRepeated { [seeds] in
      if loading == nil { loading = SeedLoading(seed, into: build.sandbox, library: seeds) }
      return try loading?.runNext() ?? false
    }
    return build
  }
}

/// Copies the rows of a sandbox, with its journal and what it keeps in memory, in steps.
private struct SandboxCopy {
  private static let rowsPerStep = 200

  private let source: Sandbox
  private let layout: Snapshot.Layout
  private let build: SandboxBuild
  private let shared: SharedServices

  init(
    of source: Sandbox, _ layout: Snapshot.Layout, into build: SandboxBuild, _ shared: SharedServices
  ) {
    (self.source, self.layout, self.build, self.shared) = (source, layout, build, shared)
  }

  func addSteps() {
    build.steps.add {
      try source.saveOrdinals()
      try build.insertRow(.init())
      let row = try shared.database.rows(of: layout.sandboxes, where: "id", is: source.id, limit: 1).first
      guard let row else { throw DamagedState(expected: "a row of the sandbox") }
      try shared.database.update(layout.sandboxes, to: row, where: "id", is: build.id)
    }
    for table in layout.tables {
      var last: [ColumnValue]?
      build.steps.addRepeated {
        let page = try shared.database.rows(
          of: table, where: "sandbox", is: source.id, after: last, limit: Self.rowsPerStep)
        try shared.database.insert(page, into: table, where: "sandbox", is: build.id) { $1 }
        last = page.last ?? last
        return !page.isEmpty
      }
    }
    build.steps.add {
      shared.credentials.readAgain()
      try build.makeSandbox(journal: source.journal)
      build.sandbox.memory = source.memory
      build.sandbox.deliveryNotes = source.deliveryNotes
      try build.sandbox.reloadDerived()
    }
  }
}
