import Basics

/// Long work that runs between requests: see `JobQueue`.
///
/// A class because the request that started it waits for its end.
package final class Job {
  private enum State {
    case running
    case finished
    case failed(any Error)
  }

  /// Requests to these sandboxes wait until the end.
  let held: [Sandbox]
  private var steps: Steps
  private var state = State.running
  private var cleanUp: () -> Void

  /// `cleanUp` is called after a failure. The writes of the steps before it were committed.
  init(holding held: [Sandbox] = [], _ steps: Steps, cleanUp: @escaping () -> Void = {}) {
    self.held = held
    self.steps = steps
    self.cleanUp = cleanUp
  }

  /// True at the end of the work. Throws if it failed.
  package var isFinished: Bool {
    get throws {
      switch state {
      case .running: false
      case .finished: true
      case .failed(let error): throw error
      }
    }
  }

  var isRunning: Bool { if case .running = state { true } else { false } }

  func runStep() throws {
    if try !steps.runNext() { end(.finished) }
  }

  func fail(_ error: any Error) {
    let cleanUp = cleanUp
    end(.failed(error))
    cleanUp()
  }

  private func end(_ state: State) {
    self.state = state
    steps = Steps()
    cleanUp = {}
    for sandbox in held { sandbox.isHeld = false }
  }
}

/// The time that the work of one turn of the event loop may take, so that requests wait only shortly.
struct TimeSlice {
  private static let length = Duration.milliseconds(10)

  private let wallClock: WallClock
  private let start: Timestamp

  init(_ wallClock: @escaping WallClock) {
    self.wallClock = wallClock
    start = wallClock()
  }

  /// Also true after the machine's clock was set back.
  var isOver: Bool {
    let elapsed = wallClock() - start
    return elapsed >= Self.length || elapsed < .zero
  }
}
