/// A workshop that is made in steps, or participants who come later: their sandboxes one after the other.
/// Nobody sees them before the last step.
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
  /// The position of the first participant.
  private let first: Int
  private let isExtension: Bool
  private var made: Workshop?

  /// Throws `NameTaken` if the name of the workshop or of a sandbox is taken. `existing`: the workshop that
  /// gets more participants, from the position `first` on.
  init(
    _ draft: Workshops.Draft, in sandboxes: Sandboxes, extending existing: Workshop? = nil,
    from first: Int = 1,
    phrase: @escaping Phrase
  ) throws {
    self.draft = draft
    self.sandboxes = sandboxes
    self.phrase = phrase
    self.first = first
    made = existing
    isExtension = existing != nil
    let names = [draft.name, Workshop.hiddenName(draft.name)]
    let all = try sandboxes.shared.workshopStore.workshops.values
    guard isExtension || !all.contains(where: { names.contains($0.name) }) else {
      throw Workshops.NameTaken(what: "workshop \(draft.name)")
    }
    var builds: [SandboxBuild] = []
    for (position, _) in zip(first..., draft.participants) {
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
    if !isExtension { steps.add { try self.insertWorkshop() } }
    for (position, (participant, build)) in zip(first..., zip(draft.participants, builds)) {
      var configuration = draft.configuration
      // Codes differ, so that nobody can copy them. Secret seeds do, too.
      configuration.entropySeed = sandboxes.shared.settings.secretSeed == nil ? position : nil
      sandboxes.seed(build, configuration)
      steps.addRepeated { try build.steps.runNext() }
      // On the board of a workshop that is there already, a participant would be seen.
      if !isExtension { steps.add { try self.insert(participant, position, in: build.sandbox) } }
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
    if isExtension {
      for (position, (participant, build)) in zip(first..., zip(draft.participants, builds)) {
        try insert(participant, position, in: build.sandbox)
      }
    }
    for build in builds { try build.publish() }
    made = try store.rename(workshop, to: draft.name)
  }

  private func abandon() {
    for build in builds { build.abandon() }
    guard let made, !isExtension else { return }
    // If this fails, the next start of the server removes it.
    try? sandboxes.shared.registry.atomically { try store.remove(made) }
  }
}
