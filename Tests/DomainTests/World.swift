import Basics
import Database
import Domain
import Foundation
import JSON
import Numbers
import Support
import Testing

/// A database of sandboxes without any provider, for tests that look at rows, wind the wall clock or come
/// back to a file; a class because it owns the database.
final class World {
  let database: Database
  let sandboxes: Sandboxes
  let wallClock: HandClock

  /// A world in memory or in a file, its default sandbox frozen at `TestSandbox.start`.
  init(
    _ location: Location = .memory, clock: SandboxClock.Mode = .frozen(TestSandbox.start),
    retention: Retention = Retention(), sections: [any Seeded.Type] = [],
    seeds: [String: [SeedLibrary.File]] = ["default": []], hooks: [ProviderHooks] = [],
    at now: Timestamp = TestSandbox.start, ttl: Duration? = nil
  ) throws {
    let wallClock = HandClock()
    wallClock.now = now
    self.wallClock = wallClock
    database = try Database(location)
    var settings = Sandboxes.Settings(makeKey: TestSandbox.makeKey) { wallClock.now }
    settings.retention = retention
    settings.ttl = ttl
    var origin = Sandbox.Configuration()
    origin.clock = clock
    sandboxes = try Sandboxes(
      in: database, settings: settings,
      seeds: SeedLibrary(
        sections: sections,
        names: sections.map {
          RouteNames(
            provider: $0.name, routes: [.init(name: "create", method: "POST", path: "/things")],
            errorCodes: ["60203"])
        },
        files: seeds),
      hooks: hooks, defaultConfiguration: origin)
  }

  /// The default sandbox.
  var sandbox: Sandbox { sandboxes.defaultSandbox }

  /// Closes the database file; uncommitted changes are lost.
  func close() { database.close() }

  /// Starts a verification by text message with the provider `acme`.
  @discardableResult
  func start(
    _ destination: String = "+12025550100", owner: String = "shop", over channel: Channel = .sms,
    rules: VerificationRules = .init(), code: String? = nil
  ) throws -> Verifications.StartOutcome {
    try sandbox.start(destination, owner: owner, over: channel, rules: rules, code: code)
  }

  /// Runs all jobs to their ends.
  func finishJobs() throws { while sandboxes.hasJobs { try sandboxes.catchUp() } }

  /// The same, and expects that this one succeeds.
  func finish(_ job: Job) throws {
    try finishJobs()
    #expect(try job.isFinished)
  }

  /// Creates a workshop.
  func create(_ draft: Workshops.Draft, phrase: @escaping WorkshopBuild.Phrase) throws -> Workshop {
    let (job, build) = try sandboxes.workshops.start(draft, phrase: phrase)
    try finish(job)
    return build.workshop
  }

  /// Resets the sandbox of a participant.
  func reset(_ participant: Participant) throws {
    let reset = sandboxes.workshops.startReset(of: [participant])
    try finish(reset.job)
    #expect(reset.failures.isEmpty)
  }

  /// The single number that a query answers with.
  func count(_ sql: StaticString) throws -> Int { try database.first(sql) { $0.int(0) } ?? 0 }

  /// How many rows each table has that grows with use.
  var rows: [String: Int] {
    get throws {
      [
        "agenda": try count("SELECT count(*) FROM agenda"),
        "challenges": try count("SELECT count(*) FROM challenges"),
        "credentials": try count("SELECT count(*) FROM credentials"),
        "devices": try count("SELECT count(*) FROM devices"),
        "events": try count("SELECT count(*) FROM events"),
        "messages": try count("SELECT count(*) FROM messages"),
        "push_attempts": try count("SELECT count(*) FROM push_attempts"),
        "pushes": try count("SELECT count(*) FROM pushes"),
        "rules": try count("SELECT count(*) FROM rules"),
        "sandboxes": try count("SELECT count(*) FROM sandboxes"),
        "silent_sessions": try count("SELECT count(*) FROM silent_sessions"),
        "records": try count("SELECT count(*) FROM records"),
        "signing_keys": try count("SELECT count(*) FROM signing_keys"),
        "steps": try count("SELECT count(*) FROM steps"),
        "subscribers": try count("SELECT count(*) FROM subscribers"),
        "verifications": try count("SELECT count(*) FROM verifications"),
        "webhook_attempts": try count("SELECT count(*) FROM webhook_attempts"),
        "webhooks": try count("SELECT count(*) FROM webhooks"),
      ]
    }
  }

  /// Lets the next commit fail, as a full disk would.
  func breakNextCommit() {
    let usual = database.beforeCommit
    database.beforeCommit = { [unowned self] in
      database.beforeCommit = usual
      try usual?()
      throw TestError()
    }
  }
}

extension Sandbox {
  /// Starts a verification with the provider `acme`.
  @discardableResult
  func start(
    _ destination: String = "+12025550100", owner: String = "shop", over channel: Channel = .sms,
    rules: VerificationRules = .init(), code: String? = nil
  ) throws -> Verifications.StartOutcome {
    let claim = Claim(provider: "acme", owner: owner, destination: destination)
    var start = Verifications.Start(claim, over: channel, rules: rules) { verification in
      .text(verification.code, to: destination, over: channel)
    }
    start.customCode = code
    return try atomically { try verifications.start(start) }
  }

  /// The newest verification of a destination.
  func newest(_ destination: String = "+12025550100", owner: String = "shop") throws -> Verification? {
    try verifications.latest(Claim(provider: "acme", owner: owner, destination: destination))
  }

  /// Holds a code against the newest verification of a destination.
  @discardableResult
  func check(
    _ code: String, of destination: String = "+12025550100", owner: String = "shop", limit: Int = 5
  ) throws -> Verifications.CheckOutcome {
    try atomically { try verifications.check(code, of: newest(destination, owner: owner), limit: limit) }
  }

  /// The event log without sent messages, as `10:20:30.000 verification.started +12025550100`.
  var story: [String] {
    get throws {
      try turns.map { event in
        "\(event.at.iso8601Milliseconds.dropFirst(11).dropLast()) \(event.kind.rawValue) \(event.destination)"
      }
    }
  }

  /// The kinds of events, without sent messages.
  var turns: [Event] {
    get throws { try events.after(0).filter { $0.kind != .messageSent } }
  }

  /// The texts on the handset of a destination.
  func texts(_ destination: String = "+12025550100") throws -> [String] {
    var filter = Messages.Filter()
    filter.destination = destination
    return try messages.inbox(filter).map(\.text)
  }
}

extension Verifications.StartOutcome {
  /// Its case and the verification.
  var parts: (name: String, verification: Verification) {
    switch self {
    case .created(let verification): ("created", verification)
    case .resent(let verification): ("resent", verification)
    case .sendsExhausted(let verification): ("sendsExhausted", verification)
    case .checksExhausted(let verification): ("checksExhausted", verification)
    }
  }
}

extension Verifications.CheckOutcome {
  /// Its case, with the journal's sentence where nothing waited.
  var name: String {
    switch self {
    case .approved: "approved"
    case .wrongCode: "wrongCode"
    case .checksExhausted: "checksExhausted"
    case .nothingPending(let absence): "nothingPending: \(absence)"
    }
  }
}

extension Subscriber {
  /// A default mobile line in a sandbox whose clock started at the tests' start.
  init(happyLineOf number: PhoneNumber) { self.init(happyLineOf: number, since: TestSandbox.start) }
}

extension MessageDraft {
  /// A message of the provider `acme` that carries a code.
  static func text(
    _ code: String?, to destination: String = "+12025550100", over channel: Channel = .sms,
    from sender: String = "Acme", provider: String = "acme"
  ) -> MessageDraft {
    MessageDraft(
      provider: provider, reference: "ref", channel: channel, destination: destination, sender: sender,
      text: code.map { "Your code is \($0)" } ?? "Hello", code: code)
  }
}

extension Timestamp {
  /// Parses a time; the earliest time if the text is not one.
  init(_ text: String) {
    self = Timestamp(iso8601: text) ?? Timestamp(milliseconds: 0)
  }
}

/// A wall clock that the test sets. Used on one thread.
final class HandClock: @unchecked Sendable {
  /// How far the clock moves after each reading.
  var ticks = Duration.zero
  private var time = TestSandbox.start

  var now: Timestamp {
    get {
      defer { time = time + ticks }
      return time
    }
    set { time = newValue }
  }
}

/// The error that closures of these tests throw.
struct TestError: Error, Equatable {}

/// A new directory that ends with this object; a class because of that.
final class TemporaryDirectory {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "ringfence-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The place of a database in it.
  var database: Location { .file(path: url.appending(path: "ringfence.db").path) }
}

extension JSON {
  /// A document as tests write it.
  init(_ text: String) throws { try self.init(parsing: Array(text.utf8)) }

  /// The document's text.
  var text: String { String(decoding: encoded(), as: UTF8.self) }
}

extension Fields {
  /// A document as tests write it.
  convenience init(_ text: String) throws { try self.init(Array(text.utf8)) }
}
