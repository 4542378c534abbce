/// A workshop that is made in steps: its sandboxes one after the other. Nobody sees it before its last step.
///
/// A class because its steps fill it.
package final class WorkshopBuild {
  /// Makes a join phrase for a participant, another one for each attempt.
  package typealias Phrase = (_ position: Int, _ attempt: Int) -> String

  private static let phraseAttempts = 100

  private let draft: Workshops.Draft
  private let sandboxes: Sandboxes
  private let phrase: Phrase
  private let builds: [SandboxBuild]
  private var made: Workshop?

  /// Throws `NameTaken` if the name of the workshop or of a sandbox is taken.
  init(_ draft: Workshops.Draft, in sandboxes: Sandboxes, phrase: @escaping Phrase) throws {
    self.draft = draft
    self.sandboxes = sandboxes
    self.phrase = phrase
    let names = [draft.name, Workshop.hiddenName(draft.name)]
    guard try !sandboxes.shared.workshopStore.workshops.values.contains(where: { names.contains($0.name) })
    else {
      throw Workshops.NameTaken(what: "workshop \(draft.name)")
    }
    var builds: [SandboxBuild] = []
    for (position, _) in zip(1..., draft.participants) {
      guard let build = SandboxBuild(draft.sandboxName(position), in: sandboxes) else {
        for build in builds { build.abandon() }
        throw Workshops.NameTaken(what: "sandbox \(draft.sandboxName(position))")
      }
      builds.append(build)
    }
    self.builds = builds
  }

  /// To read at the end of the job.
  package var workshop: Workshop {
    guard let made else { preconditionFailure("workshop \(draft.name) is not made yet") }
    return made
  }

  private var store: WorkshopStore { sandboxes.shared.workshopStore }

  func start() -> Job {
    var steps = Steps()
    steps.add { try self.insertWorkshop() }
    for (position, (participant, build)) in zip(1..., zip(draft.participants, builds)) {
      var configuration = draft.configuration
      // Codes differ, so that nobody can copy them.
      configuration.entropySeed = position
      sandboxes.seed(build, configuration)
      steps.addRepeated { try build.steps.runNext() }
      steps.add { try self.insert(participant, position, in: build.sandbox) }
    }
    steps.add { try self.publish() }
    let job = Job(steps, cleanUp: abandon)
    sandboxes.jobs.start(job)
    return job
  }

  private func insertWorkshop() throws {
    guard let workshop = try store.insert(Workshop.hiddenName(draft.name), story: draft.story, draft.flavour)
    else { throw Workshops.NameTaken(what: "workshop \(draft.name)") }
    made = workshop
  }

  private func insert(_ participant: String, _ position: Int, in sandbox: Sandbox) throws {
    try store.insertParticipant(
      position, of: workshop, name: participant, sandboxName: sandbox.name,
      phrase: freePhrase(position))
    try sandbox.tasks.begin()
  }

  private func freePhrase(_ position: Int) throws -> String {
    for attempt in 0..<Self.phraseAttempts {
      let phrase = phrase(position, attempt)
      if try store.sandboxName(forPhrase: phrase) == nil { return phrase }
    }
    throw DamagedState(expected: "a free join phrase")
  }

  private func publish() throws {
    for build in builds { try build.publish() }
    made = try store.rename(workshop, to: draft.name)
  }

  private func abandon() {
    for build in builds { build.abandon() }
    guard let made else { return }
    // If this fails, the next start of the server removes it.
    try? sandboxes.shared.registry.atomically { try store.remove(made) }
  }
}
