package import Basics
package import Database
package import JSON

/// All sandboxes of the process, in one database.
///
/// A class because it owns the database's only writer.
package final class Sandboxes {
  package struct Settings: Sendable {
    package let wallClock: WallClock
    /// Makes a key pair on curve P-256 from a private key of 32 bytes: the first bit 0, the last bit 1.
    let makeKey: @Sendable (_ secret: [UInt8]) -> SigningKey
    package var retention = Retention()
    /// True if the default sandbox accepts every well-formed account, even without a seed.
    package var acceptsUnknownAccounts = true
    /// The random seed of a new sandbox of this name, where nobody may compute its credentials, or know them
    /// from an earlier one whose tokens were revoked; nil where everybody may.
    package var secretSeed: (@Sendable (_ sandbox: String, _ revokedTokens: Int) -> Int)?
    /// What to do with phone numbers that may be real.
    package var numbers = NumberPlan.Policy.open
    /// The time from a sandbox's last request to its removal, unless its own ttl is shorter; nil for never.
    package var ttl: Duration?
    package var maxSandboxes = SandboxLimits.sandboxes
    /// The failures from which chaos chooses.
    package var chaos: @Sendable () -> ChaosTable = { ChaosTable() }
    /// The id of the failure that a rule of a list, such as `scenarios`, is; nil if it is none.
    package var failure: @Sendable (_ rule: JSON, _ list: String) -> String? = { _, _ in nil }
    /// The name of this server among several; nil if it is the only one.
    package var shard: Shard?
    /// The number of requests in the journal of a sandbox.
    package var journalCapacity = Journal.defaultCapacity
    /// Prints a warning to the operator.
    package var warn: @Sendable (String) -> Void = { _ in }

    package init(
      makeKey: @escaping @Sendable (_ secret: [UInt8]) -> SigningKey, wallClock: @escaping WallClock
    ) {
      self.makeKey = makeKey
      self.wallClock = wallClock
    }
  }

  package static let defaultName = "default"

  package let seeds: SeedLibrary
  package let shared: SharedServices
  let jobs: JobQueue
  let removal: SandboxRemoval
  /// The sandboxes as of the last commit.
  private var committed = SandboxRegistry.Members()
  private var sandboxes: [String: Sandbox] { shared.registry.members.byName }
  private var dueTimes = DueTimes()

  /// Opens the sandboxes of a database, and creates the default one if it is missing.
  package init(
    in database: Database, settings: Settings, seeds: SeedLibrary, hooks: [ProviderHooks] = [],
    defaultConfiguration: Sandbox.Configuration = .init()
  ) throws {
    shared = SharedServices(database: database, settings: settings, hooks: hooks)
    self.seeds = seeds
    jobs = JobQueue(registry: shared.registry, wakeups: shared.wakeups)
    removal = SandboxRemoval(database: database, registry: shared.registry, jobs: jobs)
    try database.migrate(DatabaseSchema.migrations)
    try database.savepoint {
      try database.run(
        "UPDATE sandboxes SET starts = starts + 1, started_at = CASE started_at WHEN 0 THEN ? ELSE started_at END",
        settings.wallClock().milliseconds)
      try shared.workshopStore.removeHidden()
      try load()
      if self[Self.defaultName] == nil { _ = try create(Self.defaultName, defaultConfiguration) }
    }
    database.beforeCommit = { [unowned self] in
      for sandbox in shared.wakeups.takeUnsaved() where contains(sandbox) { try sandbox.prepareCommit() }
    }
    if try !SandboxRow.hidden(in: database).isEmpty { removal.start() }
    try commit()
  }

  deinit {
    // Sandboxes refer to the registry, and its members to the sandboxes.
    shared.registry.members = SandboxRegistry.Members()
    shared.wakeups.unsaved = []
  }

  package var addresses: Addresses { shared.addresses }
  /// Called with each sandbox that is about to be removed or reset, while it still has its messages and its
  /// journal.
  package var beforeRemoval: (Sandbox) -> Void = { _ in }

  package var connections: Connections { shared.connections }

  package var count: Int { sandboxes.count }

  /// Throws if the database cannot be read.
  package func requireReadable() throws { _ = try SandboxRow.hidden(in: shared.database) }

  /// Also those that are being made under new names.
  package var countWithBuilds: Int { count + shared.registry.building.count { self[$0] == nil } }

  /// The machine's clock.
  package var wallClock: WallClock { shared.settings.wallClock }

  /// The most sandboxes.
  package var maxCount: Int { shared.settings.maxSandboxes }

  package var shard: Shard? { shared.settings.shard }

  /// How long after its last request a sandbox is removed at the latest; nil for never.
  package var ttl: Duration? { shared.settings.ttl }

  package subscript(name: String) -> Sandbox? { sandboxes[name] }

  package var defaultSandbox: Sandbox {
    guard let sandbox = shared.registry.members.defaultSandbox else {
      preconditionFailure("there is no default sandbox")
    }
    return sandbox
  }

  /// Sorted by name.
  package var all: [Sandbox] { sandboxes.values.sorted { $0.name < $1.name } }

  /// The next ones in the order of names. Reads all names once, without sorting them.
  package func page(after name: String, limit: Int) -> [Sandbox] {
    var page: [Sandbox] = []
    for sandbox in sandboxes.values where sandbox.name > name {
      if page.count == limit {
        guard let last = page.last, sandbox.name < last.name else { continue }
        page.removeLast()
      }
      var (start, end) = (0, page.count)
      while start < end {
        let middle = (start + end) / 2
        if page[middle].name < sandbox.name { start = middle + 1 } else { end = middle }
      }
      page.insert(sandbox, at: start)
    }
    return page
  }

  package func owner(ofCredential credential: String, provider: String) throws -> Sandbox? {
    func owner(_ provider: String) throws -> Sandbox? {
      try shared.credentials.owner(of: credential, provider: provider).flatMap {
        shared.registry.members.byID[$0]
      }
    }
    if let own = try owner(provider) { return own }
    // An application of one provider may call the operator's APIs, which are another's.
    for hook in shared.hooks {
      if let find = hook.findNetworkClient, let other = try owner(hook.name),
        try find(credential, other) != nil
      {
        return other
      }
    }
    return nil
  }

  /// Creates a sandbox and loads its seeds, at once; nil if the name is taken.
  package func create(_ name: String, _ configuration: Sandbox.Configuration) throws -> Sandbox? {
    try build(name, configuration).map { try finish($0) }
  }

  /// Removes a sandbox, and its participant in a workshop. Its rows are deleted between later requests.
  package func remove(_ sandbox: Sandbox) throws {
    try shared.workshopStore.removeParticipant(with: sandbox.name)
    try hide(sandbox)
  }

  /// Nobody finds the sandbox any longer.
  func hide(_ sandbox: Sandbox) throws {
    beforeRemoval(sandbox)
    try SandboxRow.hide(sandbox.id, in: shared.database)
    shared.registry.members.remove(sandbox)
    shared.credentials.forget(sandbox.id)
    sandbox.markChanged()
    removal.start()
  }

  /// Deletes a sandbox and creates it again with its configuration, at once.
  package func reset(_ sandbox: Sandbox) throws -> Sandbox {
    guard let build = buildReset(of: sandbox) else { throw SandboxIsBusy(name: sandbox.name) }
    return try finish(build)
  }

  /// Runs due work and jobs of one turn of the event loop. Sandboxes without due work do not count as
  /// changed. If that of one fails, it throws after the others have run.
  package func catchUp() throws {
    let slice = TimeSlice(shared.settings.wallClock)
    defer { jobs.run(in: slice) }
    let due = takeDue()
    var failure: (any Error)?
    do {
      try removeUnused(of: due)
    } catch {
      failure = error
    }
    for sandbox in due where contains(sandbox) && sandbox.hasWork {
      do {
        try sandbox.atomically { try sandbox.work(in: slice) }
      } catch {
        failure = failure ?? error
      }
      if slice.isOver { break }
    }
    if let failure { throw failure }
  }

  /// Runs steps between requests. Those to the held sandboxes wait until the end.
  package func start(_ steps: Steps, holding held: [Sandbox] = []) -> Job {
    let job = Job(holding: held, steps)
    jobs.start(job)
    return job
  }

  /// True if jobs are running.
  package var hasJobs: Bool { !jobs.isEmpty }

  /// The sandboxes that were removed because nobody used them.
  package private(set) var removedCount = 0

  /// Removes sandboxes some time after their last request, a few in each turn of the event loop.
  private func removeUnused(of due: [Sandbox]) throws {
    let now = shared.settings.wallClock()
    let unused = due.lazy.filter { sandbox in
      !sandbox.isHeld && sandbox.removalTime.map { $0 <= now } ?? false
    }
    for sandbox in unused.prefix(10) {
      try shared.registry.atomically { try remove(sandbox) }
      removedCount += 1
    }
  }

  /// True if `timeToNextDue` may have changed since it was last read.
  package var hasNewDueTime: Bool { shared.wakeups.hasNewDueTime }

  /// True if webhooks may have become ready since this was last set to false.
  package var mayHaveReadyWebhooks: Bool {
    get { shared.wakeups.mayHaveReadyWebhooks }
    set { shared.wakeups.mayHaveReadyWebhooks = newValue }
  }

  /// False for a sandbox that was removed or reset.
  package func contains(_ sandbox: Sandbox) -> Bool { sandboxes[sandbox.name] === sandbox }

  /// How long, on the wall clock, until any sandbox has due work; nil if none will.
  package var timeToNextDue: Duration? {
    shared.wakeups.hasNewJob = false
    let now = shared.settings.wallClock()
    readNewDueTimes(at: now)
    if hasJobs { return .zero }
    while let first = dueTimes.first {
      let time = shared.registry.members.byID[first.sandbox]?.dueTime(at: now)
      if let time, time <= max(first.time, now) { return max(.zero, time - now) }
      dueTimes.set(time, of: first.sandbox)
    }
    return nil
  }

  private func readNewDueTimes(at now: Timestamp) {
    for id in shared.wakeups.takeNewDueTimes() {
      dueTimes.set(shared.registry.members.byID[id]?.dueTime(at: now), of: id)
    }
  }

  /// The sandboxes that may have work to do now. Their due times are read again after it.
  private func takeDue() -> [Sandbox] {
    let now = shared.settings.wallClock()
    readNewDueTimes(at: now)
    let due = dueTimes.removeAll(dueBy: now)
    for id in due { shared.wakeups.newDueTime(of: id) }
    return due.compactMap { shared.registry.members.byID[$0] }
  }

  /// Those that may have ready webhooks, sorted by name.
  package var withReadyWebhooks: [Sandbox] {
    sandboxes.values.filter { !$0.isHeld && $0.derived.mayHaveReadyWebhooks }.sorted { $0.name < $1.name }
  }

  /// Commits the current tick. When this fails, everything since the last commit is undone.
  package func commit() throws {
    do {
      try shared.database.commit()
      committed = shared.registry.members
      jobs.committed()
    } catch {
      shared.registry.restore(committed)
      jobs.failAll(error)
      for sandbox in sandboxes.values { try sandbox.reloadAll() }
      throw error
    }
  }

  private func load() throws {
    for row in try SandboxRow.all(in: shared.database) {
      let sandbox = Sandbox(row, shared: shared)
      if row.name == Self.defaultName {
        shared.registry.boards = BoardChanges(afterStarts: row.starts)
      }
      try sandbox.reloadDerived()
      shared.registry.members.add(sandbox)
    }
  }
}
