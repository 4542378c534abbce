import Basics
import Database
import Domain
import Foundation
import JSON
import Numbers
import Snapshots
import Support
import Testing

/// Work in pieces: each test stops a job in the middle and looks at what others see.
@Suite("Domain · jobs")
struct JobTests {
  private let world: World

  init() throws {
    world = try World()
    try world.sandboxes.commit()
  }

  /// Runs one step of each job, as a turn whose time is over at once.
  private func runOneStep(in world: World? = nil) throws {
    let world = world ?? self.world
    let now = world.wallClock.now
    // The clock goes back with each reading, so that every slice is over after its first step.
    world.wallClock.ticks = .milliseconds(-1)
    defer {
      world.wallClock.ticks = .zero
      world.wallClock.now = now
    }
    try world.sandboxes.catchUp()
  }

  private var hidden: Int {
    get throws { try world.count("SELECT count(*) FROM sandboxes WHERE name >= '~'") }
  }

  @Test("a reset happens beside the sandbox, which is there until the end; then its rows are deleted")
  func reset() throws {
    try world.start()
    let old = world.sandbox
    let build = try #require(world.sandboxes.buildReset(of: old))
    let job = world.sandboxes.start(build)

    try runOneStep()
    #expect(try !job.isFinished)
    #expect(world.sandbox === old)
    #expect(try hidden == 1)
    #expect(try old.verifications.all().count == 1)

    while try !job.isFinished { try runOneStep() }
    #expect(world.sandbox === build.sandbox)
    #expect(try world.sandbox.verifications.all().isEmpty)
    try world.finishJobs()
    #expect(try hidden == 0)
    #expect(try world.rows["verifications"] == 0)
  }

  @Test("requests to a sandbox wait while a job works on it, those to others do not")
  func held() throws {
    let other = try #require(try world.sandboxes.create("other", .init()))
    let job = world.sandboxes.start(try #require(world.sandboxes.buildReset(of: world.sandbox)))

    let error = #expect(throws: SandboxIsBusy.self) { try world.sandbox.prepareForRequest() }
    #expect(error?.name == Sandboxes.defaultName)
    #expect(throws: Never.self) { try other.prepareForRequest() }
    #expect(world.sandboxes.buildReset(of: world.sandbox) == nil)

    try world.finish(job)
    #expect(throws: Never.self) { try world.sandbox.prepareForRequest() }
  }

  @Test("a commit that fails ends all jobs, frees their sandboxes, and leaves no row behind")
  func failedCommit() throws {
    try world.start()
    let old = world.sandbox
    let job = world.sandboxes.start(try #require(world.sandboxes.buildReset(of: old)))
    try runOneStep()
    try world.sandboxes.commit()
    try runOneStep()

    world.breakNextCommit()
    #expect(throws: (any Error).self) { try world.sandboxes.commit() }

    #expect(throws: (any Error).self) { try job.isFinished }
    #expect(!old.isHeld && world.sandbox === old)
    try world.finishJobs()
    #expect(try hidden == 0)
    #expect(try old.verifications.all().count == 1)
    try world.finish(world.sandboxes.start(try #require(world.sandboxes.buildReset(of: old))))
  }

  @Test("a job whose last step is not committed has failed")
  func failedLastCommit() throws {
    let old = world.sandbox
    let job = world.sandboxes.start(try #require(world.sandboxes.buildReset(of: old)))
    try world.sandboxes.commit()
    try world.finishJobs()

    world.breakNextCommit()
    #expect(throws: (any Error).self) { try world.sandboxes.commit() }

    #expect(throws: (any Error).self) { try job.isFinished }
    #expect(world.sandbox === old)
  }

  @Test("a crash in the middle leaves the old state, and the next start removes the rest")
  func crash() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "jobs-\(UUID()).sqlite").path
    defer {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
    }
    let first = try World(.file(path: file))
    try first.start()
    _ = first.sandboxes.start(try #require(first.sandboxes.buildReset(of: first.sandbox)))
    try runOneStep(in: first)
    try first.sandboxes.commit()
    first.close()

    let second = try World(.file(path: file))

    #expect(try second.sandbox.verifications.all().count == 1)
    #expect(second.sandboxes.count == 1)
    try second.finishJobs()
    #expect(try second.count("SELECT count(*) FROM sandboxes") == 1)
    second.close()
  }

  @Test("two builds cannot have one name, and a failed one gives it back")
  func names() throws {
    var configuration = Sandbox.Configuration()
    configuration.seeds = ["missing"]
    let build = try #require(world.sandboxes.build("new", configuration))
    #expect(world.sandboxes.build("new", .init()) == nil)
    #expect(world.sandboxes.countWithBuilds == 2)

    let job = world.sandboxes.start(build)
    try world.finishJobs()

    let error = #expect(throws: FieldError.self) { try job.isFinished }
    #expect(error?.path == "$.seeds")
    #expect(world.sandboxes.build("new", .init()) != nil)
  }

  @Test("two snapshots with one credential: the second to finish fails")
  func credentials() throws {
    let source = try #require(try world.sandboxes.create("source", .init()))
    _ = try source.accounts.register(Credential(provider: "acme", name: "key", secret: "s", account: "key"))
    let snapshot = try world.sandboxes.snapshot(of: source)
    try world.sandboxes.remove(source)

    let jobs = try ["one", "two"].map { name in
      world.sandboxes.start(try #require(try world.sandboxes.buildRestored(snapshot, as: name)))
    }
    try world.finishJobs()

    #expect(try jobs[0].isFinished)
    let error = #expect(throws: FieldError.self) { try jobs[1].isFinished }
    #expect(error?.found == "acme key")
    #expect(world.sandboxes["one"] != nil && world.sandboxes["two"] == nil)
  }

  @Test("a large seed changes the sandbox at its end, or not at all; its journal and its history stay")
  func seed() throws {
    try world.start()
    let old = world.sandbox
    let text = #"{"subscribers":[{"number":"+12025550171","code":"123456"}]}"#
    let job = world.sandboxes.start(
      try #require(try world.sandboxes.buildSeeded(old, with: Array(text.utf8))))
    try runOneStep()
    #expect(world.sandbox === old)

    try world.finish(job)

    #expect(world.sandbox !== old && world.sandbox.journal === old.journal)
    #expect(try world.sandbox.verifications.all().count == 1)
    #expect(try world.sandbox.subscribers.all.map(\.number.description) == ["+12025550171"])
    try world.start("+12025550102")

    let bad = #"{"subscribers":[{"number":"+12025550172","code":"123456"}],"devises":[]}"#
    let failed = world.sandboxes.start(
      try #require(try world.sandboxes.buildSeeded(world.sandbox, with: Array(bad.utf8))))
    try world.finishJobs()
    #expect(throws: FieldError.self) { try failed.isFinished }
    #expect(try world.sandbox.subscribers.all.count == 1)
  }

  @Test("a snapshot is written in steps, and has no change from in between")
  func snapshot() throws {
    try world.start()
    let expected = try world.sandboxes.snapshot(of: world.sandbox)

    let (job, writer) = try world.sandboxes.startSnapshot(of: world.sandbox)
    try runOneStep()
    #expect(throws: SandboxIsBusy.self) { try world.sandbox.prepareForRequest() }
    try world.finish(job)

    #expect(writer.bytes == expected)
    try world.sandbox.prepareForRequest()
  }

  @Test("much due work runs in several turns; a request waits for its end")
  func dueWork() throws {
    for number in 1...200 { try world.start("+1202555\(1_000 + number)") }
    try world.sandbox.set(clock: .real)
    world.wallClock.now = world.wallClock.now + .seconds(3600)

    #expect(throws: SandboxIsBusy.self) { try world.sandbox.prepareForRequest() }
    let pending: () throws -> Int = {
      try world.count("SELECT count(*) FROM verifications WHERE state = 'pending'")
    }
    #expect(try (1..<200).contains(pending()))
    #expect(world.sandboxes.timeToNextDue == .zero)

    try world.sandboxes.catchUp()
    #expect(try pending() == 0)
    try world.sandbox.prepareForRequest()
  }
}
