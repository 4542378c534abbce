import Database

/// One isolated world: its own clock, chance, subscribers, inbox, accounts and log.
///
/// A class for its identity: there is one object per sandbox, and all of its state is behind it.
package final class Sandbox {
  /// Its number, first in every key of the database.
  package let id: Int
  /// Its name in `/s/<name>/` and in `X-Sandbox`.
  package let name: String
  /// What clients asked and what they were told.
  package let journal = Journal()
  /// The clock that a reset goes back to, and the stories that it loads.
  package let origin: Origin
  /// When its clock began: what relative dates in seeds are counted from.
  package let startedAt: Timestamp
  /// Whether a well-formed account that nobody has seeded is let in.
  package let admitsUnknownAccounts: Bool
  /// Tells whoever runs the process what they should know.
  package let warn: @Sendable (String) -> Void

  /// What a sandbox was made from.
  package struct Origin: Equatable, Sendable {
    /// The clock's mode at the start.
    package var clock = SandboxClock.Mode.real
    /// The number behind all chance.
    package var entropySeed = 1
    /// The names of the stories that are loaded, in order.
    package var seeds = ["default"]

    /// A running clock, entropy seed 1, the default story.
    package init() {}
  }

  let database: Database
  /// What follows from rows; dropped by a rollback.
  var derived: Derived
  /// What no row holds; restored by a rollback.
  private var transient = TransientState()
  /// The newest ordinal given out. A rolled back request gives none back.
  private var lastOrdinal: Int
  /// Whether ordinals were given out since they were last written down.
  private var hasNewOrdinals = false
  private let history: History
  let wakeups: WakeupFlags
  private unowned let registry: SandboxRegistry
  let hooks: [ProviderHooks]
  let credentials: Credentials
  let numberWatch: NumberWatch
  let makeKey: @Sendable (_ secret: [UInt8]) -> SigningKey
  let addresses: Addresses
  private let starts: Int
  private var requests = 0

  init(_ row: SandboxRow, shared: Sandboxes.Shared) {
    let settings = shared.settings
    wakeups = shared.wakeups
    registry = shared.registry
    hooks = shared.hooks
    credentials = shared.credentials
    addresses = shared.addresses
    database = shared.database
    id = row.id
    name = row.name
    origin = row.origin
    var entropy = Entropy(seed: row.origin.entropySeed)
    entropy.seed = row.entropySeed
    derived = Derived(
      clock: SandboxClock(mode: row.clock, wallClock: settings.wallClock), entropy: entropy, nextDue: nil,
      wakeups: wakeups)
    lastOrdinal = row.lastOrdinal
    starts = row.starts
    startedAt = row.startedAt
    history = settings.history
    admitsUnknownAccounts = settings.admitsUnknownAccounts && row.name == Sandboxes.defaultName
    warn = settings.warn
    makeKey = settings.makeKey
    numberWatch = shared.numberWatch
  }

  package var clock: SandboxClock { derived.clock }
  /// The source of codes, secrets and identifiers.
  package var entropy: Entropy { derived.entropy }
  /// When the first item of the agenda is due; nil when the agenda is empty.
  package var nextDue: Timestamp? { derived.nextDue }
  var scenarioRules: Rules<Scenario> { derived.scenarioRules }
  var faultRules: Rules<Fault> { derived.faultRules }
  var pendingWebhooks: Int? {
    get { derived.pendingWebhooks }
    set { derived.pendingWebhooks = newValue }
  }
  var mayHaveReadyWebhooks: Bool {
    get { derived.mayHaveReadyWebhooks }
    set { derived.mayHaveReadyWebhooks = newValue }
  }
  /// The time to which the clock is moving; nil when it is not moving.
  package internal(set) var clockTarget: Timestamp? {
    get { transient.clockTarget }
    set { transient.clockTarget = newValue }
  }

  /// Work that is due at a time.
  package var agenda: Agenda { Agenda(sandbox: self) }
  /// Who holds which number.
  package var subscribers: Subscribers { Subscribers(sandbox: self) }
  /// What was sent to handsets.
  package var messages: Messages { Messages(sandbox: self) }
  /// Proofs of possession, under way and ended.
  package var verifications: Verifications { Verifications(sandbox: self) }
  /// The channels of verifications that try several, one after another.
  package var fallbacks: Fallbacks { Fallbacks(sandbox: self) }
  /// Proofs by the data connection of a handset.
  package var silentSessions: SilentSessions { SilentSessions(sandbox: self) }
  /// Apps that have registered themselves on handsets.
  package var devices: Devices { Devices(sandbox: self) }
  /// Notifications to them.
  package var pushes: Pushes { Pushes(sandbox: self) }
  /// Requests to push something to them.
  package var pushAttempts: PushAttempts { PushAttempts(sandbox: self) }
  /// Questions to them.
  package var challenges: Challenges { Challenges(sandbox: self) }
  /// The operators' gateway to mobile data.
  package var gateway: Gateway { Gateway(sandbox: self) }
  /// What goes wrong on the carrier.
  package var scenarios: Scenarios { Scenarios(sandbox: self) }
  /// What goes wrong with requests.
  package var faults: Faults { Faults(sandbox: self) }
  /// What was read out to people.
  package var calls: Calls { Calls(sandbox: self) }
  /// Which numbers may be sent to.
  package var numbers: NumberPlan { NumberPlan(sandbox: self) }
  /// How often subscribers' own scenarios had their occasion.
  var occasions: Occasions { Occasions(sandbox: self) }
  /// What happened.
  package var events: EventLog { EventLog(sandbox: self) }
  /// Requests to whoever asked for them.
  package var webhooks: Webhooks { Webhooks(sandbox: self) }
  /// What providers sign with.
  package var keys: SigningKeys { SigningKeys(sandbox: self) }
  /// Records of the providers.
  package var records: RecordStore { RecordStore(sandbox: self) }
  /// Where codes come from.
  package var codes: CodeGenerator { CodeGenerator(sandbox: self) }
  /// Who may call the providers.
  package var accounts: Accounts { Accounts(sandbox: self) }

  /// The next number of whatever happens; everything in a sandbox is numbered in one sequence.
  package func nextOrdinal() -> Int {
    lastOrdinal += 1
    hasNewOrdinals = true
    return lastOrdinal
  }

  /// The newest number given out.
  package var newestOrdinal: Int { lastOrdinal }

  /// 32 hex digits for one request under a label; no two requests of a sandbox get the same.
  package func requestIdentifier(_ label: StaticString) -> String {
    requests += 1
    return entropy.identifier(label, requests, starts)
  }

  /// The same behind its label.
  package func labelledRequestIdentifier(_ label: StaticString) -> String {
    requests += 1
    return entropy.labelledIdentifier(label, requests, starts)
  }

  /// Runs `body`. When it throws, its writes are undone, and so is what followed from them in memory.
  package func atomically<T>(_ body: () throws -> T) throws -> T {
    let earlier = transient
    do {
      return try registry.atomically(body)
    } catch {
      transient = earlier
      try reloadDerived()
      throw error
    }
  }

  /// Changes the number from which later codes and secrets are generated.
  package func set(entropySeed: Int) throws {
    derived.entropy.seed = entropySeed
    try database.run("UPDATE sandboxes SET entropy_seed = ? WHERE id = ?", entropySeed, id)
  }

  /// Reads again what memory holds of rows, after they may have been rolled back.
  func reloadDerived() throws {
    var (clock, entropy) = (derived.clock, derived.entropy)
    // No row: the rollback undid the creation of this sandbox.
    if let row = try SandboxRow.find(id, in: database) {
      clock.set(row.clock)
      entropy.seed = row.entropySeed
    }
    derived = Derived(clock: clock, entropy: entropy, nextDue: try agenda.first?.dueAt, wakeups: wakeups)
  }

  /// Goes back to the last commit after a whole tick was lost. Ordinals continue from the last saved one.
  func reloadAll() throws {
    try reloadDerived()
    transient = TransientState()
    lastOrdinal = try SandboxRow.find(id, in: database)?.lastOrdinal ?? lastOrdinal
    hasNewOrdinals = false
  }

  /// Saves the newest ordinal, and deletes history beyond its limit.
  func saveOrdinals() throws {
    guard hasNewOrdinals else { return }
    let next = history.horizonByCount(of: self)
    if next > transient.historyStart + History.stride { try forgetHistory(before: next, at: clock.now) }
    try database.run("UPDATE sandboxes SET last_ordinal = ? WHERE id = ?", lastOrdinal, id)
    hasNewOrdinals = false
  }

  private func forgetHistory(before next: Int, at now: Timestamp) throws {
    guard next > transient.historyStart else { return }
    try history.forget(transient.historyStart..<next, of: self, at: now)
    transient.historyStart = next
  }

  /// Does one piece of work; `time` is where the clock is going.
  func run(_ item: Agenda.Item, until time: Timestamp) throws {
    switch item.work {
    case .expireVerification:
      try verifications.expire(item)
    case .fallBack:
      try fallbacks.come(item)
    case .answerLate: break
    case .answerChallenge:
      try challenges.answerByHabit(item)
    case .deliverMessage:
      guard let message = try messages.find(item.subject), message.arrivesAt == item.dueAt
      else { return }
      try events.append(
        .messageArrived, provider: message.provider, subject: message.ordinal,
        destination: message.destination, at: item.dueAt)
    case .reportLoss:
      try showing(item.dueAt) { try messages.reportLoss(item) }
    case .sendWebhook:
      try webhooks.ready(item)
    case .sweepHistory:
      // From the beginning: what waited when its neighbours went may be over by now.
      transient.historyStart = 0
      try forgetHistory(before: history.horizon(of: self, now: item.dueAt), at: item.dueAt)
      // A clock that jumps over many sweeps makes one more, where it lands.
      let next = item.dueAt + History.interval
      try agenda.schedule(.sweepHistory, on: 0, at: next < time ? time : next)
    }
  }
}
