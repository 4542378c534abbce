package import Basics
package import Database

/// One isolated environment: its own clock, random numbers, subscribers, inbox, accounts and log.
///
/// A class for its identity: there is one object per sandbox, and it owns all of the sandbox's state.
package final class Sandbox {
  /// The first part of every key in the database.
  package let id: Int
  /// As in `/s/<name>/` and `X-Sandbox`.
  package let name: String
  /// Recent requests and their responses.
  package let journal: Journal
  /// As created, with the present limits and ttl. A reset uses it again.
  package private(set) var configuration: Configuration
  /// When the sandbox's clock started. Relative dates in seeds count from here.
  package let startedAt: Timestamp
  /// True if every well-formed account is accepted, even without a seed. After a change, the last caller has
  /// to be checked again.
  package var acceptsUnknownAccounts: Bool { didSet { derived.lastSignIn = nil } }
  /// Prints a warning to the operator.
  package let warn: @Sendable (String) -> Void

  package struct Configuration: Equatable, Sendable {
    package var clock = SandboxClock.Mode.real
    /// Nil for the server's default.
    package var entropySeed: Int?
    /// The names of the seeds to load, in order.
    package var seeds = ["default"]
    /// How long after its last request the sandbox is removed; nil for the server's default.
    package var ttl: Duration?
    package var limits = Limits()
    /// How many tokens of the sandbox were revoked.
    package var revokedTokens = 0

    package init() {}
  }

  /// The sandbox whose place this one takes when it is complete; nil if it takes none.
  let replacedID: Int?
  /// True while a job works on the sandbox: its requests, its due work and its webhooks wait.
  package internal(set) var isHeld = false {
    didSet { if !isHeld { noteDueTime() } }
  }

  package let database: Database
  package let destinations: DestinationIndex
  /// Caches of rows. A rollback drops them.
  var derived: Derived
  /// State that is in no row. A rollback restores it.
  private var transient = TransientState()
  /// The newest ordinal given out. A rollback does not change it.
  private var lastOrdinal: Int
  /// True if ordinals were given out since the last save.
  private var hasNewOrdinals = false
  /// What all sandboxes share.
  package let shared: SharedServices
  var pushSignals = PushSignals()
  /// The earlier time that the clock shows while `withClock` runs, also after a rollback.
  var shownTime: Timestamp?
  /// True while the sandbox is created and loads the seeds of its configuration.
  var isLoadingOwnSeeds = false
  /// True while the sandbox loads an export, perhaps that of another one.
  var isLoadingExport = false
  /// True while an agenda item runs. Requests of apps that it causes must not run the next items.
  var isRunningItem = false
  package var deliveryNotes = DeliveryNotes()
  /// The verification that the current request has read or written last; nil if none. For the journal.
  package var currentVerification: Int?
  /// Why the current request did not do what it asked for, such as a wrong code, although the answer may be a
  /// success. For the journal; it is better than the reason of the error.
  package var currentReason: String?
  /// The trace of what happens now: that of the request, or of the one that has scheduled the work.
  package var trace: TraceContext?
  /// What the request limits allow now, by the limit's position and the provider. A rollback does not change
  /// it: a request that fails counts too.
  var requestAllowances: [String: RequestAllowance] = [:]
  let starts: Int
  private var requests = 0
  var changes = ChangeCounts()
  /// Nil for a sandbox without limits.
  private(set) var quota: Quota?

  /// `journal`: that of the replaced sandbox, if this one continues it.
  init(
    _ row: SandboxRow, shared: SharedServices, replacing replaced: Sandbox? = nil, journal: Journal? = nil
  ) {
    replacedID = replaced?.id
    self.shared = shared
    let settings = shared.settings
    database = shared.database
    id = row.id
    name = row.name
    destinations = DestinationIndex(of: row.id, in: shared.database)
    configuration = row.configuration
    var entropy = Entropy(seed: row.firstEntropySeed)
    entropy.seed = row.entropySeed
    derived = Derived(
      of: row.id, clock: SandboxClock(mode: row.clock, wallClock: settings.wallClock), entropy: entropy,
      nextDue: nil, wakeups: shared.wakeups)
    lastOrdinal = row.lastOrdinal
    starts = row.starts
    startedAt = row.startedAt
    acceptsUnknownAccounts = settings.acceptsUnknownAccounts && row.name == Sandboxes.defaultName
    warn = settings.warn
    quota = Quota(row, in: shared.database, settings)
    self.journal =
      journal
      ?? Journal(
        capacity: settings.journalCapacity, byteLimit: row.configuration.limits.storedBytes ?? .max)
  }

  package var clock: SandboxClock { derived.clock }
  /// The source of codes, credentials and identifiers.
  package var entropy: Entropy { derived.entropy }
  /// The source of keys and tokens: of everything that opens something by itself. It follows from the
  /// sandbox's name too, so no other sandbox accepts them, also not one with the same seed. Its identifiers,
  /// unlike its secrets, stay the same when the random seed is changed.
  package var tokenEntropy: Entropy { derived.entropy.derived(for: name) }
  /// True for a random seed that somebody chose, or a usual one: with it, the sandbox's name is enough to
  /// compute its credentials.
  package var hasGuessableSeed: Bool { entropy.identifierSeed.magnitude < 1 << 32 }
  /// When the first item of the agenda is due; nil when the agenda is empty.
  package var nextDue: Timestamp? { derived.nextDue }
  /// The time to which the clock is moving; nil when it is not moving.
  package internal(set) var clockTarget: Timestamp? {
    get { transient.clockTarget }
    set { transient.clockTarget = newValue }
  }

  /// True if there is a fault, a latency, a limit or chaos: one check, for requests to sandboxes without any.
  package var hasRequestRules: Bool {
    get throws {
      if let known = derived.hasRequestRules { return known }
      let hasRules = try faults.canAct || !latency.all.isEmpty || !requestLimits.all.isEmpty
      derived.hasRequestRules = hasRules
      return hasRules
    }
  }

  var hasDelayedWork: Bool {
    get { transient.hasDelayedWork }
    set { transient.hasDelayedWork = newValue }
  }

  /// The newest message that has the same text as the one before it to its receiver, less than 10 s older.
  package internal(set) var repeatedMessage: Int? {
    get { transient.repeatedMessage }
    set { transient.repeatedMessage = newValue }
  }

  /// True if work is due by the present time.
  package var hasDueWork: Bool { nextDue.map { $0 <= clock.now } ?? false }

  /// True if the next turn of the event loop has work to do here.
  var hasWork: Bool { !isHeld && (hasDelayedWork || hasDueWork) }

  /// True if requests must wait: for the end of a job, or for due work.
  package var isBusy: Bool { isHeld || hasDueWork }

  /// Runs work that is due before a request. Throws `SandboxIsBusy` if the request must wait.
  package func prepareForRequest() throws {
    try requireFree()
    guard hasDueWork, !isRunningItem else { return }
    try atomically { try catchUp() }
    if hasDueWork { throw SandboxIsBusy(name: name) }
  }

  /// Throws if a job works on the sandbox. Check this before changing it.
  package func requireFree() throws {
    if isHeld { throw SandboxIsBusy(name: name) }
  }

  package var parsedKeys: ParsedKeys { shared.parsedKeys }
  package var agenda: Agenda { Agenda(sandbox: self) }
  package var subscribers: Subscribers { Subscribers(sandbox: self) }
  package var messages: Messages { Messages(sandbox: self) }
  package var verifications: Verifications { Verifications(sandbox: self) }
  package var fallbacks: Fallbacks { Fallbacks(sandbox: self) }
  package var devices: Devices { Devices(sandbox: self) }
  package var pushes: Pushes { Pushes(sandbox: self) }
  package var pushAttempts: PushAttempts { PushAttempts(sandbox: self) }
  package var challenges: Challenges { Challenges(sandbox: self) }
  package var simTokens: SIMTokens { SIMTokens(sandbox: self) }
  package var scenarios: Rules<Scenario> { Rules(sandbox: self, cache: derived.scenarioRules) }
  package var faults: Rules<Fault> { Rules(sandbox: self, cache: derived.faultRules) }
  package var webhookFaults: Rules<WebhookFault> { Rules(sandbox: self, cache: derived.webhookFaultRules) }
  package var chaos: ChaosMonkey { ChaosMonkey(sandbox: self) }
  package var latency: Rules<Latency> { Rules(sandbox: self, cache: derived.latencyRules) }
  package var requestLimits: Rules<RequestLimit> { Rules(sandbox: self, cache: derived.requestLimitRules) }
  package var calls: Calls { Calls(sandbox: self) }
  package var numbers: NumberPlan { NumberPlan(sandbox: self) }
  var ownScenarioHits: OwnScenarioHits { OwnScenarioHits(sandbox: self) }
  package var events: EventLog { EventLog(sandbox: self) }
  package var webhooks: Webhooks { Webhooks(sandbox: self) }
  package var keys: SigningKeys { SigningKeys(sandbox: self) }
  package var records: RecordStore { RecordStore(sandbox: self) }
  package var codes: CodeGenerator { CodeGenerator(sandbox: self) }
  package var accounts: Accounts { Accounts(sandbox: self) }
  package var tasks: TaskTracker { TaskTracker(sandbox: self) }

  /// The next ordinal. Everything in a sandbox is numbered in one sequence.
  package func nextOrdinal() -> Int {
    lastOrdinal += 1
    if !hasNewOrdinals {
      hasNewOrdinals = true
      shared.wakeups.unsaved.append(self)
    }
    return lastOrdinal
  }

  package var newestOrdinal: Int { lastOrdinal }

  /// For tables with a `RecordKey`. `key(0)` is before all records of the sandbox, `key(.max)` after them.
  func key(_ ordinal: Int) -> RecordKey { RecordKey(id, ordinal) }

  /// The first ordinal of the history that is kept.
  package var firstKeptOrdinal: Int {
    max(transient.historyStart, shared.settings.retention.firstKeptByCount(in: self))
  }

  /// The history before this ordinal is deleted, except for rows still in use.
  var historyStart: Int {
    get { transient.historyStart }
    set { transient.historyStart = newValue }
  }

  /// 32 hex digits, unique among the requests of this sandbox for a label.
  package func requestIdentifier(_ label: StaticString) -> String {
    requests += 1
    return entropy.identifier(label, requests, starts)
  }

  /// The same for a token.
  package func requestToken(_ label: StaticString) -> String {
    requests += 1
    return tokenEntropy.identifier(label, requests, starts)
  }

  /// The same, with the label as a prefix.
  package func labelledRequestIdentifier(_ label: StaticString) -> String {
    requests += 1
    return entropy.labelledIdentifier(label, requests, starts)
  }

  /// False for a sandbox that was removed or reset.
  var isPresent: Bool { shared.registry.members.byID[id] === self }

  /// Runs `body`. When it throws, its writes are undone, in rows and in memory.
  package func atomically<T>(_ body: () throws -> T) throws -> T {
    changes.countTransaction()
    // Kept, because the body may call `configure`, which replaces it.
    let quota = quota
    quota?.beginChange()
    let (earlier, rows, events) = (transient, database.writtenRows, changes.events)
    let holdsClock = derived.clock.hold()
    defer {
      if holdsClock { derived.clock.goOn() }
      if database.writtenRows != rows { changes.countWrite(hasEvents: changes.events != events) }
      quota?.endChange()
    }
    do {
      return try shared.registry.atomically {
        let result = try body()
        try webhooks.render()
        try tasks.observeEvents()
        return result
      }
    } catch {
      transient = earlier
      try reloadDerived()
      throw error
    }
  }

  /// What snapshots have besides rows.
  package var memory: SandboxMemory {
    get {
      var memory = SandboxMemory()
      memory.requests = requests
      memory.clockTarget = (transient.clockTarget?.milliseconds).map { Int($0) }
      memory.historyStart = transient.historyStart
      return memory
    }
    set {
      requests = newValue.requests
      transient.clockTarget = newValue.clockTarget.map { Timestamp(milliseconds: Int64($0)) }
      // A moving clock goes on in the next turn of the event loop.
      transient.hasDelayedWork = newValue.clockTarget != nil
      noteDueTime()
      transient.historyStart = newValue.historyStart
    }
  }

  /// Changes the number from which later codes and secrets are generated.
  package func set(entropySeed: Int) throws {
    derived.entropy.seed = entropySeed
    try database.run("UPDATE sandboxes SET entropy_seed = ? WHERE id = ?", entropySeed, id)
  }

  /// Drops all caches, because rows may have been rolled back.
  package func reloadDerived() throws {
    var (clock, entropy) = (derived.clock, derived.entropy)
    // No row: the rollback undid the creation of this sandbox.
    if let row = try SandboxRow.find(id, in: database) {
      clock.set(row.clock)
      entropy.seed = row.entropySeed
      if row.configuration != configuration { configure(as: row) }
    }
    if let shownTime { clock.set(.frozen(shownTime)) }
    derived = Derived(
      of: id, clock: clock, entropy: entropy, nextDue: try agenda.first?.dueAt, wakeups: shared.wakeups)
  }

  /// Applies the limits of a row.
  private func configure(as row: SandboxRow) {
    configuration = row.configuration
    quota = Quota(row, in: database, shared.settings)
    journal.byteLimit = row.configuration.limits.storedBytes ?? .max
    noteDueTime()
  }

  /// Changes the limits, the time after which the sandbox is removed, and which of its tokens is valid.
  package func configure(_ change: (inout Configuration) -> Void) throws {
    // A job that makes its successor has read the configuration already.
    try requireFree()
    var changed = configuration
    change(&changed)
    try SandboxRow.saveQuota(of: changed, for: id, usedAt: shared.settings.wallClock(), in: database)
    try RevokedTokens(database: database).save(changed.revokedTokens, of: name)
    guard let row = try SandboxRow.find(id, in: database) else { throw DamagedState(expected: "its row") }
    configure(as: row)
    markChanged()
  }

  /// Goes back to the last commit after a whole tick was lost. Ordinals continue from the last saved one.
  func reloadAll() throws {
    try reloadDerived()
    destinations.reload()
    transient = TransientState()
    lastOrdinal = try SandboxRow.find(id, in: database)?.lastOrdinal ?? lastOrdinal
    hasNewOrdinals = false
  }

  /// Writes what requests have left for the commit.
  func prepareCommit() throws {
    guard hasNewOrdinals else { return }
    try saveOrdinals()
    try destinations.settle(newest: lastOrdinal, historyStart: historyStart)
  }

  /// Saves the newest ordinal, and deletes history beyond its limit.
  package func saveOrdinals() throws {
    guard hasNewOrdinals else { return }
    try shared.settings.retention.deleteExcess(in: self)
    try database.run("UPDATE sandboxes SET last_ordinal = ? WHERE id = ?", lastOrdinal, id)
    hasNewOrdinals = false
  }
}
