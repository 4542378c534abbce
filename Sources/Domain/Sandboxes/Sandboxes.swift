package import Database

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
    /// What to do with phone numbers that may be real.
    package var numbers = NumberPlan.Policy.open
    /// How long after its last request a sandbox is removed that has no shorter time of its own; nil for never.
    package var ttl: Duration?
    package var maxSandboxes = SandboxLimits.sandboxes
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
  let shared: Shared
  /// The sandboxes as of the last commit.
  private var committed = SandboxRegistry.Members()
  private var sandboxes: [String: Sandbox] { shared.registry.members.byName }

  /// Opens the sandboxes of a database, and creates the default one if it is missing.
  package init(
    in database: Database, settings: Settings, seeds: SeedLibrary, hooks: [ProviderHooks] = [],
    defaultConfiguration: Sandbox.Configuration = .init()
  ) throws {
    shared = Shared(database: database, settings: settings, hooks: hooks)
    self.seeds = seeds
    try database.migrate(DatabaseSchema.migrations)
    try database.savepoint {
      try database.run(
        "UPDATE sandboxes SET starts = starts + 1, started_at = CASE started_at WHEN 0 THEN ? ELSE started_at END",
        settings.wallClock().milliseconds)
      try load()
      if self[Self.defaultName] == nil { _ = try create(Self.defaultName, defaultConfiguration) }
    }
    database.beforeCommit = { [unowned self] in
      for sandbox in sandboxes.values { try sandbox.saveOrdinals() }
    }
    try commit()
  }

  deinit {
    // Sandboxes refer to the registry, and its members to the sandboxes.
    shared.registry.members = SandboxRegistry.Members()
  }

  package var addresses: Addresses { shared.addresses }
  /// Called with each sandbox that is about to be removed or reset, while it still has its messages and its journal.
  package var beforeRemoval: (Sandbox) -> Void = { _ in }

  package var appTransport: AppTransport { shared.appTransport }
  package var webhookRenderer: WebhookRenderer { shared.webhookRenderer }

  package var count: Int { sandboxes.count }

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

  package func owner(ofCredential credential: String, provider: String) throws -> Sandbox? {
    try shared.credentials.find(credential, of: provider).flatMap {
      shared.registry.members.byID[$0.sandbox]
    }
  }

  /// Creates a sandbox and loads its seeds; nil if the name is taken.
  package func create(_ name: String, _ configuration: Sandbox.Configuration) throws -> Sandbox? {
    guard sandboxes[name] == nil else { return nil }
    let sandbox = try shared.registry.atomically {
      let start = SandboxClock(mode: configuration.clock, wallClock: shared.settings.wallClock).now
      let complete = try RevokedTokens(database: shared.database).completing(configuration, of: name)
      let row = try SandboxRow.insert(
        name, configuration: complete, at: start, machineTime: shared.settings.wallClock(),
        into: shared.database)
      let sandbox = Sandbox(row, shared: shared)
      try loadSeeds(sandbox)
      return sandbox
    }
    shared.registry.members.add(sandbox)
    if sandbox.removalTime != nil { shared.wakeups.hasNewDueTime = true }
    return sandbox
  }

  /// Removes a sandbox with all of its data, and its participant in a workshop.
  package func remove(_ sandbox: Sandbox) throws {
    try shared.workshopStore.removeParticipant(with: sandbox.name)
    try removeForNow(sandbox)
  }

  /// Removes a sandbox that is created again under its name.
  func removeForNow(_ sandbox: Sandbox) throws {
    beforeRemoval(sandbox)
    try shared.database.run("DELETE FROM sandboxes WHERE id = ?", sandbox.id)
    shared.registry.members.remove(sandbox)
    shared.registry.derived.credentials = nil
    sandbox.markChanged()
  }

  /// Deletes a sandbox and creates it again with its configuration.
  package func reset(_ sandbox: Sandbox) throws -> Sandbox {
    try removeForNow(sandbox)
    guard let fresh = try create(sandbox.name, sandbox.configuration) else {
      preconditionFailure("the removed sandbox is still there")
    }
    try fresh.tasks.begin()
    return fresh
  }

  /// Runs all due work. Sandboxes without due work do not count as changed. If that of one fails, it throws after the
  /// others have run.
  package func catchUp() throws {
    var failure: (any Error)?
    do {
      try removeUnused()
    } catch {
      failure = error
    }
    for sandbox in sandboxes.values {
      let isDue = sandbox.nextDue.map { $0 <= sandbox.clock.now } ?? false
      guard isDue || sandbox.hasDelayedWork else { continue }
      do {
        try sandbox.atomically {
          try sandbox.catchUp()
          if sandbox.hasDelayedWork { try sandbox.advanceToTarget() }
        }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// The sandboxes that were removed because nobody used them.
  package private(set) var removedCount = 0

  /// Removes sandboxes some time after their last request, a few in each turn of the event loop.
  private func removeUnused() throws {
    let now = shared.settings.wallClock()
    for sandbox in sandboxes.values.lazy.filter({ $0.removalTime.map { $0 <= now } ?? false }).prefix(10) {
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
    shared.wakeups.hasNewDueTime = false
    let now = shared.settings.wallClock()
    return sandboxes.values.compactMap { sandbox in
      if sandbox.hasDelayedWork { return .zero }
      let removal = sandbox.removalTime.map { max(.zero, $0 - now) }
      if case .frozen = sandbox.clock.mode { return removal }
      let due = sandbox.nextDue.map { max(.zero, $0 - sandbox.clock.now) }
      return [removal, due].compactMap(\.self).min()
    }.min()
  }

  /// Commits the current tick. When this fails, everything since the last commit is undone.
  package func commit() throws {
    do {
      try shared.database.commit()
      committed = shared.registry.members
    } catch {
      shared.registry.restore(committed)
      for sandbox in sandboxes.values { try sandbox.reloadAll() }
      throw error
    }
  }

  private func load() throws {
    for row in try SandboxRow.all(in: shared.database) {
      let sandbox = Sandbox(row, shared: shared)
      if row.name == Self.defaultName {
        shared.registry.workshopChanges = Sandbox.firstChange(afterStarts: row.starts)
      }
      try sandbox.reloadDerived()
      shared.registry.members.add(sandbox)
    }
  }

  private func loadSeeds(_ sandbox: Sandbox) throws {
    sandbox.isLoadingOwnSeeds = true
    defer { sandbox.isLoadingOwnSeeds = false }
    for name in sandbox.configuration.seeds { try seeds.load(seedNamed: name, into: sandbox) }
    for section in seeds.sections { try section.provision(sandbox) }
    try sandbox.agenda.schedule(.sweepHistory, on: 0, at: sandbox.clock.now + Retention.sweepInterval)
    try sandbox.saveOrdinals()
  }
}

extension Sandboxes {
  /// What all sandboxes of the process share.
  struct Shared {
    let database: Database
    let settings: Settings
    let hooks: [ProviderHooks]
    let wakeups = WakeupFlags()
    let registry: SandboxRegistry
    let numberWarnings: NumberWarnings
    let credentials: Credentials
    let workshopStore: WorkshopStore
    let addresses = Addresses()
    let appTransport = AppTransport()
    let webhookRenderer = WebhookRenderer()

    init(database: Database, settings: Settings, hooks: [ProviderHooks]) {
      self.database = database
      self.settings = settings
      self.hooks = hooks
      registry = SandboxRegistry(database: database)
      credentials = Credentials(database: database, registry: registry)
      workshopStore = WorkshopStore(database: database, registry: registry)
      numberWarnings = NumberWarnings(settings.numbers, warn: settings.warn)
    }
  }
}

/// Changes in any sandbox that the event loop has to react to.
///
/// A class because all sandboxes write to the same one.
final class WakeupFlags {
  /// True after a change of a due time or a clock.
  var hasNewDueTime = false
  var mayHaveReadyWebhooks = true
}

/// All sandboxes of the process, and the caches that they share.
///
/// A class because all sandboxes share one: a rollback in any of them restores it.
final class SandboxRegistry {
  /// The present sandboxes. A value, so that keeping it for a rollback costs nothing.
  struct Members {
    private(set) var byName: [String: Sandbox] = [:]
    private(set) var byID: [Int: Sandbox] = [:]
    /// For requests that name no sandbox.
    private(set) var defaultSandbox: Sandbox?

    mutating func add(_ sandbox: Sandbox) {
      byName[sandbox.name] = sandbox
      byID[sandbox.id] = sandbox
      if sandbox.name == Sandboxes.defaultName { defaultSandbox = sandbox }
    }

    mutating func remove(_ sandbox: Sandbox) {
      byName[sandbox.name] = nil
      byID[sandbox.id] = nil
      if defaultSandbox === sandbox { defaultSandbox = nil }
    }
  }

  /// Everything that is cached for all sandboxes and can be read again from rows. A rollback replaces the whole value,
  /// so each field needs an initial value that means "not read yet".
  struct Derived {
    /// By the name of the credential; nil until read.
    var credentials: [String: [Credentials.Entry]]?
    /// By id; nil until read.
    var workshops: [Int: Workshop]?
    /// The names of the sandboxes that belong to workshops; nil until read.
    var participants: Set<String>?
  }

  var members = Members()
  var derived = Derived()
  /// Grows with everything that a workshop's board shows.
  var workshopChanges = 0
  private let database: Database

  init(database: Database) {
    self.database = database
  }

  /// Runs `body` in a savepoint. When it throws, its writes, members and caches are undone.
  func atomically<T>(_ body: () throws -> T) throws -> T {
    let earlier = members
    do {
      return try database.savepoint(body)
    } catch {
      restore(earlier)
      throw error
    }
  }

  /// Goes back to earlier members after rows were rolled back.
  func restore(_ earlier: Members) {
    members = earlier
    derived = Derived()
  }
}
