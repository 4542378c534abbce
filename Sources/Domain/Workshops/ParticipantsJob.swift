/// Does the same for several participants, one after the other. Where it fails for one, it goes on with the
/// next.
///
/// A class because its steps note failures.
package final class ParticipantsJob {
  package struct Failure {
    package let participant: Participant
    package let error: any Error
  }

  package private(set) var failures: [Failure] = []
  /// Of the participants.
  package private(set) var count = 0
  /// To read after the start.
  package private(set) var job = Job(Steps())
  private let sandboxes: Sandboxes
  /// The sandbox that is being reset, and the one that replaces it.
  private var reset: (sandbox: Sandbox, build: SandboxBuild)?

  init(in sandboxes: Sandboxes) { self.sandboxes = sandboxes }

  /// Starts changes of the participants' sandboxes.
  func start(
    for participants: [Participant], _ change: @escaping (Participant, Sandbox) throws -> Void
  ) {
    start(participants) { [self] participant in
      var steps = Steps()
      steps.add { [self] in
        let sandbox = try sandbox(of: participant)
        try sandbox.atomically { try change(participant, sandbox) }
      }
      return steps
    }
  }

  /// Starts resets of the participants' sandboxes, who begin with the first task again.
  func startResets(of participants: [Participant]) {
    start(participants) { [self] participant in
      let sandbox = try sandbox(of: participant)
      guard let build = sandboxes.buildReset(of: sandbox) else { throw SandboxIsBusy(name: sandbox.name) }
      sandbox.isHeld = true
      reset = (sandbox, build)
      build.steps.add { [self] in
        try sandboxes.shared.workshopStore.clearProgress(of: participant)
        try build.publish()
      }
      return build.steps
    }
  }

  /// `make` returns the steps for a participant.
  private func start(_ participants: [Participant], _ make: @escaping (Participant) throws -> Steps) {
    count = participants.count
    var steps = Steps()
    for participant in participants {
      var own: Steps?
      steps.addRepeated { [self] in
        do {
          if own == nil { own = try make(participant) }
          // Undone alone, because the failure of this participant is not that of the job.
          let hasMore = try sandboxes.shared.registry.atomically { try own?.runNext() ?? false }
          if !hasMore { release() }
          return hasMore
        } catch {
          failures.append(Failure(participant: participant, error: error))
          abandon()
          return false
        }
      }
    }
    job = Job(steps, cleanUp: abandon)
    sandboxes.jobs.start(job)
  }

  private func sandbox(of participant: Participant) throws -> Sandbox {
    guard let sandbox = sandboxes[participant.sandboxName] else {
      throw DamagedState(expected: "the sandbox \(participant.sandboxName)")
    }
    try sandbox.requireFree()
    return sandbox
  }

  private func release() {
    reset?.sandbox.isHeld = false
    reset = nil
  }

  private func abandon() {
    reset?.build.abandon()
    release()
  }
}
