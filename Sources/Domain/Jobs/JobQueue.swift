/// The jobs of the process. Each turn of the event loop runs some of their steps.
///
/// ```
/// turn:  requests ─ steps of job 1, job 2, job 1, … until the slice is over ─ commit ─ answers
/// ```
/// Each step is committed. So a job writes rows that nobody sees before its last step, and what a crash
/// leaves of them is removed at the next start. A class because jobs are started while others run.
final class JobQueue {
  private var jobs: [Job] = []
  /// Those that have ended since the last commit.
  private var ended: [Job] = []
  private let registry: SandboxRegistry
  private let wakeups: Wakeups

  init(registry: SandboxRegistry, wakeups: Wakeups) {
    self.registry = registry
    self.wakeups = wakeups
  }

  var isEmpty: Bool { jobs.isEmpty }

  /// Its first step runs in the next turn: not in the transaction of the request that wants it, which may be
  /// undone.
  func start(_ job: Job) {
    for sandbox in job.held { sandbox.isHeld = true }
    jobs.append(job)
    wakeups.hasNewJob = true
  }

  /// Runs one step of each job in turn, at least one in all.
  func run(in slice: TimeSlice) {
    while !jobs.isEmpty {
      let job = jobs.removeFirst()
      run(job)
      if job.isRunning {
        jobs.append(job)
      } else {
        ended.append(job)
        // Those of a held sandbox had to wait.
        wakeups.mayHaveReadyWebhooks = true
      }
      if slice.isOver { return }
    }
  }

  /// Call this after a commit.
  func committed() { ended.removeAll() }

  /// Ends all jobs after a failed commit, which has undone their last steps.
  func failAll(_ error: any Error) {
    let failed = jobs + ended
    (jobs, ended) = ([], [])
    for job in failed { job.fail(error) }
  }

  private func run(_ job: Job) {
    do {
      try registry.atomically { try job.runStep() }
    } catch {
      job.fail(error)
    }
  }
}
