import Basics
import Database

/// A sandbox that is made in steps, beside the one that it replaces. Nobody sees it before its last step,
/// which gives it its name. Then the rows of the replaced one are deleted in steps, too.
///
/// ```
/// ~17: row ─ seeds, or the rows of a snapshot ─ … ─ publish: the old one becomes ~3, this one gets its name ─ delete ~3
/// ```
/// A class because its steps fill it.
package final class SandboxBuild {
  let name: String
  /// Nil for a new name.
  package let replaced: Sandbox?
  package var steps = Steps()
  /// Set by the first step.
  package private(set) var id = 0
  private var built: Sandbox?
  private let sandboxes: Sandboxes

  /// Reserves the name; nil if another sandbox has it, or will have it.
  package init?(_ name: String, replacing replaced: Sandbox? = nil, in sandboxes: Sandboxes) {
    guard sandboxes[name] === replaced, sandboxes.shared.registry.building.insert(name).inserted else {
      return nil
    }
    self.name = name
    self.replaced = replaced
    self.sandboxes = sandboxes
  }

  /// The new sandbox. To read when a step has made it.
  package var sandbox: Sandbox {
    guard let built else { preconditionFailure("sandbox \(name) is not made yet") }
    return built
  }

  private var shared: SharedServices { sandboxes.shared }

  // MARK: Steps

  /// Inserts a row that is hidden, without limits: those of a copy are among its other rows.
  package func insertRow(_ configuration: Sandbox.Configuration) throws {
    let start = SandboxClock(mode: configuration.clock, wallClock: shared.settings.wallClock).now
    let complete = try RevokedTokens(database: shared.database).completing(configuration, of: name)
    let seed = complete.entropySeed ?? shared.settings.secretSeed?(name, complete.revokedTokens) ?? 1
    id = try SandboxRow.insertHidden(configuration: complete, seed: seed, at: start, into: shared.database)
    shared.registry.buildingIDs.insert(id)
  }

  /// Saves the limits of the row in place of those that it has, and all revocations of the name.
  func saveLimits(of configuration: Sandbox.Configuration) throws {
    let revoked = RevokedTokens(database: shared.database)
    let complete = try revoked.completing(configuration, of: name)
    try SandboxRow.saveQuota(
      of: complete, for: id, usedAt: shared.settings.wallClock(), in: shared.database)
    try revoked.save(complete.revokedTokens, of: name)
  }

  /// Saves the limits of the replaced sandbox, or else those of the row. They are the server's, not the
  /// client's.
  package func keepLimits() throws {
    let row = try SandboxRow.find(id, in: shared.database)
    if let limited = replaced?.configuration ?? row?.configuration { try saveLimits(of: limited) }
  }

  /// Makes the sandbox of the row.
  package func makeSandbox(journal: Journal? = nil) throws {
    guard let row = try SandboxRow.find(id, in: shared.database) else {
      throw DamagedState(expected: "a row of the new sandbox")
    }
    built = Sandbox(row.named(name), shared: shared, replacing: replaced, journal: journal)
  }

  /// Puts the sandbox in its place. Throws if another one has got one of its credentials meanwhile.
  func publish() throws {
    let registry = shared.registry
    try sandbox.saveOrdinals()
    try sandbox.reloadDerived()
    if let replaced { try sandboxes.hide(replaced) }
    try shared.credentials.requireFree(id)
    try SandboxRow.rename(id, to: name, in: shared.database)
    registry.members.add(sandbox)
    if name == Sandboxes.defaultName { registry.boards.markClock() }
    end()
    if replaced != nil { try sandbox.tasks.begin() }
    sandbox.noteDueTime()
  }

  /// Call this after a failure: the name is free again, and the rows are deleted.
  func abandon() {
    end()
    sandboxes.removal.start()
  }

  private func end() {
    // They hold what they need, such as the bytes of a snapshot, and this build.
    steps = Steps()
    shared.registry.building.remove(name)
    shared.registry.buildingIDs.remove(id)
  }
}

extension Sandboxes {
  /// A new sandbox with its seeds; nil if the name is taken.
  package func build(_ name: String, _ configuration: Sandbox.Configuration) -> SandboxBuild? {
    let build = SandboxBuild(name, in: self)
    build.map { seed($0, configuration) }
    return build
  }

  /// A sandbox with the configuration of another, which it replaces; nil if that is being replaced already.
  package func buildReset(of sandbox: Sandbox) -> SandboxBuild? {
    let build = SandboxBuild(sandbox.name, replacing: sandbox, in: self)
    build.map { seed($0, sandbox.configuration) }
    return build
  }

  /// Adds the steps that make a sandbox and load its seeds.
  func seed(_ build: SandboxBuild, _ configuration: Sandbox.Configuration) {
    build.steps.add {
      try build.insertRow(configuration)
      try build.saveLimits(of: configuration)
      try build.makeSandbox()
      build.sandbox.isLoadingOwnSeeds = true
    }
    for name in configuration.seeds {
      build.steps.addRepeated(seeds.load(seedNamed: name) { build.sandbox })
    }
    for section in seeds.sections { build.steps.add { try section.createCredentials(in: build.sandbox) } }
    build.steps.add {
      let sandbox = build.sandbox
      sandbox.isLoadingOwnSeeds = false
      try sandbox.agenda.schedule(.sweepHistory, on: 0, at: sandbox.clock.now + Retention.sweepInterval)
    }
  }

  /// Runs the steps of a build between requests, then publishes it. Requests to the replaced sandbox wait
  /// until then.
  package func start(_ build: SandboxBuild) -> Job {
    build.steps.add { try build.publish() }
    let job = Job(holding: build.replaced.map { [$0] } ?? [], build.steps, cleanUp: build.abandon)
    jobs.start(job)
    return job
  }

  /// Runs all steps of a build at once, and publishes it.
  package func finish(_ build: SandboxBuild) throws -> Sandbox {
    do {
      try shared.registry.atomically {
        try build.steps.runAll()
        try build.publish()
      }
    } catch {
      build.abandon()
      throw error
    }
    return build.sandbox
  }
}
