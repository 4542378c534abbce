package import Database

/// All sandboxes of the process, in one database.
///
/// A class for its identity: it owns the database's one writer.
package final class Sandboxes {
  /// What all sandboxes of a process have in common.
  package struct Settings: Sendable {
    /// The machine's clock.
    package let wallClock: WallClock
    /// Makes the key pair on curve P-256 whose private key is a secret of 32 bytes: the first bit 0, the last 1.
    let makeKey: @Sendable (_ secret: [UInt8]) -> SigningKey
    /// How much history each keeps.
    package var history = History()
    /// Whether a well-formed account that nobody has seeded is let in.
    package var admitsUnknownAccounts = true
    /// What is done about numbers that may belong to somebody.
    package var numbers = NumberPlan.Policy.open
    /// Tells whoever runs the process of something that they should know.
    package var warn: @Sendable (String) -> Void = { _ in }

    /// The defaults, over this wall clock and this maker of keys.
    package init(
      makeKey: @escaping @Sendable (_ secret: [UInt8]) -> SigningKey, wallClock: @escaping WallClock
    ) {
      self.makeKey = makeKey
      self.wallClock = wallClock
    }
  }

  /// The sandbox that is there from the start.
  package static let defaultName = "default"

  /// What can be loaded into a sandbox.
  package let seeds: SeedLibrary
  private let shared: Shared
  /// Who was here at the last commit.
  private var committed = SandboxRegistry.Members()
  private var sandboxes: [String: Sandbox] { shared.registry.members.byName }

  /// Opens the sandboxes of a database, and makes the default one with this origin where there is none.
  package init(
    in database: Database, settings: Settings, seeds: SeedLibrary, hooks: [ProviderHooks] = [],
    defaultOrigin: Sandbox.Origin = .init()
  ) throws {
    shared = Shared(database: database, settings: settings, hooks: hooks)
    self.seeds = seeds
    try database.migrate(DatabaseSchema.migrations)
    try database.savepoint {
      try database.run(
        "UPDATE sandboxes SET starts = starts + 1, started_at = CASE started_at WHEN 0 THEN ? ELSE started_at END",
        settings.wallClock().milliseconds)
      try load()
      if self[Self.defaultName] == nil { _ = try create(Self.defaultName, origin: defaultOrigin) }
    }
    database.beforeCommit = { [unowned self] in
      for sandbox in sandboxes.values { try sandbox.saveOrdinals() }
    }
    try commit()
  }

  /// Where the process can be reached; told by whoever listens.
  package var addresses: Addresses { shared.addresses }

  /// How many there are.
  package var count: Int { sandboxes.count }

  /// The sandbox of this name.
  package subscript(name: String) -> Sandbox? { sandboxes[name] }

  /// The sandbox that is there from the start.
  package var standard: Sandbox {
    guard let sandbox = shared.registry.members.defaultSandbox else {
      preconditionFailure("there is no default sandbox")
    }
    return sandbox
  }

  /// All of them, by name.
  package var all: [Sandbox] { sandboxes.values.sorted { $0.name < $1.name } }

  /// The sandbox that a credential belongs to.
  package func holder(of credential: String, provider: String) throws -> Sandbox? {
    try shared.credentials.find(credential, of: provider).flatMap {
      shared.registry.members.byID[$0.sandbox]
    }
  }

  /// Makes a sandbox and loads its stories; nil when the name is taken.
  package func create(_ name: String, origin: Sandbox.Origin) throws -> Sandbox? {
    guard sandboxes[name] == nil else { return nil }
    let sandbox = try shared.registry.atomically {
      let start = SandboxClock(mode: origin.clock, wallClock: shared.settings.wallClock).now
      guard let row = try SandboxRow.insert(name, origin: origin, at: start, into: shared.database) else {
        preconditionFailure("the new sandbox has no row")
      }
      let sandbox = Sandbox(row, shared: shared)
      try loadSeeds(sandbox)
      return sandbox
    }
    shared.registry.members.add(sandbox)
    return sandbox
  }

  /// Removes a sandbox with all that it holds.
  package func remove(_ sandbox: Sandbox) throws {
    try shared.database.run("DELETE FROM sandboxes WHERE id = ?", sandbox.id)
    shared.registry.members.remove(sandbox)
    shared.registry.derived.credentials = nil
  }

  /// Brings a sandbox back to its origin: everything since is gone, its seeds are loaded anew.
  package func reset(_ sandbox: Sandbox) throws -> Sandbox {
    try remove(sandbox)
    guard let fresh = try create(sandbox.name, origin: sandbox.origin) else {
      preconditionFailure("the removed sandbox is still there")
    }
    return fresh
  }

  /// Does the due work of every sandbox.
  package func catchUp() throws {
    for sandbox in sandboxes.values { try sandbox.atomically { try sandbox.catchUp() } }
  }

  /// Whether `timeToNextDue` may have changed since it was last asked for.
  package var hasNewDueTime: Bool { shared.wakeups.hasNewDueTime }

  /// Whether webhooks may be ready somewhere that were not when this was last set.
  package var mayHaveReadyWebhooks: Bool {
    get { shared.wakeups.mayHaveReadyWebhooks }
    set { shared.wakeups.mayHaveReadyWebhooks = newValue }
  }

  /// Whether a sandbox is still one of these: not removed, not replaced by a reset.
  package func holds(_ sandbox: Sandbox) -> Bool { sandboxes[sandbox.name] === sandbox }

  /// How long until some sandbox has work due, by the wall clock; nil when none will have any.
  package var timeToNextDue: Duration? {
    shared.wakeups.hasNewDueTime = false
    return sandboxes.values.compactMap { sandbox in
      if case .frozen = sandbox.clock.mode { return nil }
      return sandbox.nextDue.map { max(.zero, $0 - sandbox.clock.now) }
    }.min()
  }

  /// Ends the tick: everything since the last commit becomes durable, or nothing of it happened.
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
      try sandbox.reloadDerived()
      shared.registry.members.add(sandbox)
    }
  }

  private func loadSeeds(_ sandbox: Sandbox) throws {
    for story in sandbox.origin.seeds { try seeds.load(story: story, into: sandbox) }
    for section in seeds.sections { try section.provision(sandbox) }
    try sandbox.agenda.schedule(.sweepHistory, on: 0, at: sandbox.clock.now + History.interval)
    try sandbox.saveOrdinals()
  }
}

extension Sandboxes {
  /// What all sandboxes of a process work with.
  struct Shared {
    let database: Database
    let settings: Settings
    let hooks: [ProviderHooks]
    let wakeups = WakeupFlags()
    let registry: SandboxRegistry
    let numberWatch: NumberWatch
    let credentials: Credentials
    let addresses = Addresses()

    init(database: Database, settings: Settings, hooks: [ProviderHooks]) {
      self.database = database
      self.settings = settings
      self.hooks = hooks
      registry = SandboxRegistry(database: database)
      credentials = Credentials(database: database, registry: registry)
      numberWatch = NumberWatch(settings.numbers, warn: settings.warn)
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
