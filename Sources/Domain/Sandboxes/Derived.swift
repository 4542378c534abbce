import Basics
import Database
import Numbers

/// Everything about a sandbox that is cached in memory and can be read again from its rows.
///
/// A rollback replaces the whole value with a fresh one. To cache something else, add a field here with an
/// initial value that means "not read yet". Nothing else has to change.
///
/// Caches that undo their own changes would need code in each of them, and a forgotten one would show what
/// was rolled back. One value is replaced as a whole, so none can be forgotten. The price is small: after a
/// failed request, some rows are read again.
struct Derived {
  var clock: SandboxClock
  var entropy: Entropy
  /// When the first item of the agenda is due; nil when the agenda is empty.
  var nextDue: Timestamp? {
    didSet { if nextDue != oldValue { wakeups.newDueTime(of: sandbox) } }
  }

  let scenarioRules = RuleCache<Scenario>()
  let faultRules = RuleCache<Fault>()
  let webhookFaultRules = RuleCache<WebhookFault>()
  /// Nil until read; then the chaos, or none.
  var chaosRun: ChaosRun??
  let latencyRules = RuleCache<Latency>()
  let requestLimitRules = RuleCache<RequestLimit>()
  /// True if there are rules about requests; nil until read.
  var hasRequestRules: Bool?
  /// The failures that a board lists; nil until read.
  var failures: [ParticipantFailure]?
  var verifications = VerificationCache()
  var devices = DeviceCache()
  /// Provider records as decoded by their providers.
  var recordCache = RecordCache()
  /// Clients read the same record again and again.
  var lastBody: WrittenBody?
  var historyCounts = HistoryCounts()
  var recordLists = RecordLists()
  /// The last authenticated caller; clients send the same credentials with every request.
  var lastSignIn: SignIn?
  /// The steps of the verification that was started last: answers show them.
  var lastSteps: (verification: Int, steps: [Step])?
  /// The subscriber of the number that was asked for last: a request asks several times.
  var lastSubscriber: (number: PhoneNumber, isRecorded: Bool, subscriber: Shared<Subscriber>)?
  /// For each lifetime, when the first verification on the agenda expires; nil until read.
  var scheduledExpiries: [Duration: Timestamp]?
  /// True if a message arrived late, or waits for the next one to its destination; nil until read.
  var hasLateMessages: Bool?
  /// The number of pending webhooks; nil until counted.
  var pendingWebhooks: Int?
  /// False when no webhook is known to be ready.
  var mayHaveReadyWebhooks = true {
    didSet { if mayHaveReadyWebhooks { wakeups.mayHaveReadyWebhooks = true } }
  }
  /// False when no webhook is known to wait for the next one to its receiver.
  var mayHaveReorderedWebhooks = true
  /// How many webhooks were made that are ready without their requests; nil: others may be, too.
  var unrenderedWebhooks: Int?

  /// The sandbox's place in a workshop.
  var place = TaskTracker.Place.unread

  private let wakeups: Wakeups
  /// The sandbox's id.
  private let sandbox: Int

  init(of sandbox: Int, clock: SandboxClock, entropy: Entropy, nextDue: Timestamp?, wakeups: Wakeups) {
    self.sandbox = sandbox
    self.clock = clock
    self.entropy = entropy
    self.nextDue = nextDue
    self.wakeups = wakeups
    wakeups.newDueTime(of: sandbox)
    wakeups.mayHaveReadyWebhooks = true
  }
}

/// State of a sandbox that is in no row.
///
/// A failed request gets back the value from before it. After a failed commit, it starts again from its
/// initial value.
struct TransientState {
  /// The time to which the clock is moving; nil when it is not moving.
  var clockTarget: Timestamp?
  /// True if the clock is moving and the rest of the due work waits for the next turn of the event loop.
  var hasDelayedWork = false
  /// History before this ordinal is deleted, except for rows still in use.
  var historyStart = 0
  /// The newest message with the same text as the one before it.
  var repeatedMessage: Int?
}
