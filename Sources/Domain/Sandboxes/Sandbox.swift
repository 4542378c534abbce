import Database

/// One isolated world: its own clock, chance, subscribers, inbox, accounts and log.
///
/// A class for its identity: there is one object per sandbox, and all of its state is behind it.
package final class Sandbox {
  /// Its number, first in every key of the database.
  package let id: Int
  /// Its name in `/s/<name>/` and in `X-Sandbox`.
  package let name: String
  /// Its source of chance.
  package internal(set) var entropy: Entropy
  /// What it takes for now.
  package internal(set) var clock: SandboxClock
  /// What clients asked and what they were told.
  package let journal = Journal()
  /// When the first item of its agenda is due; nil when there is none.
  package internal(set) var nextDue: Timestamp? {
    didSet { if nextDue != oldValue { wakeups.isStale = true } }
  }
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
  let scenarioRules = Rules<Scenario>(kind: "scenario")
  let faultRules = Rules<Fault>(kind: "fault")
  var lastOrdinal: Int
  /// Whether ordinals were given out since they were last written down.
  var hasNewOrdinals = false
  private let history: History
  let wakeups: WakeupFlags
  private unowned let registry: SandboxRegistry
  let hooks: [ProviderHooks]
  let credentials: Credentials
  let numberWatch: NumberWatch
  let makeKey: @Sendable (_ secret: [UInt8]) -> SigningKey
  let addresses: Addresses
  /// What providers have read from the records, until it changes.
  var recordCache = RecordCache()
  /// Who was proven to call last; clients send the same credentials with every request.
  var lastSignIn: SignIn?
  /// Whether webhooks may be ready to be sent; false when it is known that none is.
  var mayHaveReadyWebhooks = true {
    didSet { if mayHaveReadyWebhooks { wakeups.mayHaveReadyWebhooks = true } }
  }
  /// How many webhooks are pending; nil until they are counted.
  var pendingWebhooks: Int?
  /// The time that the clock is on its way to; nil when it is on none.
  package internal(set) var clockTarget: Timestamp?
  /// The copy behind `scheduledExpiries`; nil until it is read.
  var scheduledExpiriesCache: [Duration: Timestamp]?
  private var horizon = 0
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
    clock = SandboxClock(mode: row.clock, wallClock: settings.wallClock)
    entropy = Entropy(seed: row.origin.entropySeed)
    entropy.seed = row.entropySeed
    lastOrdinal = row.lastOrdinal
    starts = row.starts
    startedAt = row.startedAt
    history = settings.history
    admitsUnknownAccounts = settings.admitsUnknownAccounts && row.name == Sandboxes.defaultName
    warn = settings.warn
    makeKey = settings.makeKey
    numberWatch = shared.numberWatch
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
  var ownScenarioHits: OwnScenarioHits { OwnScenarioHits(sandbox: self) }
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

  /// Runs `body` so that all it wrote is undone when it throws.
  package func atomically<T>(_ body: () throws -> T) throws -> T {
    let (sweptTo, present, target) = (horizon, registry.members, clockTarget)
    do {
      return try database.savepoint(body)
    } catch {
      horizon = sweptTo
      clockTarget = target
      registry.members = present
      try reread()
      throw error
    }
  }

  /// Puts another number behind the codes and secrets that are still to come.
  package func set(entropySeed: Int) throws {
    entropy.seed = entropySeed
    try database.run("UPDATE sandboxes SET entropy_seed = ? WHERE id = ?", entropySeed, id)
  }

  /// Reads again what memory holds of the rows, after they may have been rolled back.
  func reread() throws {
    scenarioRules.forgetCache()
    faultRules.forgetCache()
    recordCache = RecordCache()
    scheduledExpiriesCache = nil
    mayHaveReadyWebhooks = true
    pendingWebhooks = nil
    credentials.forgetCopy()
    lastSignIn = nil
    nextDue = try agenda.first?.dueAt
    guard let row = try SandboxRow.find(id, in: database) else { return }
    clock.set(row.clock)
    entropy.seed = row.entropySeed
  }

  /// The same after a whole tick was lost: numbers go on from where they were written down last.
  func rereadAll() throws {
    try reread()
    lastOrdinal = try SandboxRow.find(id, in: database)?.lastOrdinal ?? lastOrdinal
    hasNewOrdinals = false
    horizon = 0
    clockTarget = nil
  }

  /// Writes down how far ordinals have been given out, and keeps history within its span.
  func writeOrdinals() throws {
    guard hasNewOrdinals else { return }
    let next = history.horizonByCount(of: self)
    if next > horizon + History.stride { try forgetHistory(before: next, at: clock.now) }
    try database.run("UPDATE sandboxes SET last_ordinal = ? WHERE id = ?", lastOrdinal, id)
    hasNewOrdinals = false
  }

  private func forgetHistory(before next: Int, at now: Timestamp) throws {
    guard next > horizon else { return }
    try history.forget(horizon..<next, of: self, at: now)
    horizon = next
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
      try challenges.react(item)
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
      horizon = 0
      try forgetHistory(before: history.horizon(of: self, now: item.dueAt), at: item.dueAt)
      // A clock that jumps over many sweeps makes one more, where it lands.
      let next = item.dueAt + History.interval
      try agenda.schedule(.sweepHistory, on: 0, at: next < time ? time : next)
    }
  }
}
