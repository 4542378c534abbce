import Database
import JSON

/// A named set of sandboxes whose participants solve the tasks of a story.
package struct Workshop: Sendable {
  let id: Int
  package let name: String
  /// The name of the story.
  package let story: String
  package let flavour: String
  package let tasks: [StoryTask]
  package let createdAt: Timestamp

  package static let maxParticipants = 500
}

/// Someone with a sandbox in a workshop.
package struct Participant: Sendable {
  let workshop: Int
  /// Counted from 1.
  package let position: Int
  package let name: String
  package let sandboxName: String
  /// Opens the sandbox at `/join`.
  package let phrase: String
  /// The trainer's note; empty if there is none.
  package let note: String
  /// The index of the current task; the number of tasks when all are done.
  package let current: Int
  /// The time of the last request to a provider.
  package let activeAt: Timestamp?
  /// One for each task.
  package let results: [TaskResult]
}

/// How far a participant is with one task.
package enum TaskResult: Equatable, Sendable {
  case untouched
  /// There were requests while the task was the current one; `why` is the reason of the last refusal.
  case tried(why: String?)
  case done(at: Timestamp)

  package var word: String {
    switch self {
    case .untouched: "untouched"
    case .tried: "tried"
    case .done: "done"
    }
  }
}

/// A participant's current task, as the sandbox caches it.
struct TaskState {
  let workshop: Workshop
  let position: Int
  /// The index of the current task; the number of tasks when all are done.
  var current: Int
  /// How many steps of the current task have happened.
  var step: Int
  /// Events up to this ordinal were seen.
  var seen: Int
  /// What the current task's preparation has to restore.
  var undo: [JSON]
  /// True if the current task was tried, and the reason of the last refusal.
  var isTried: Bool
  var why: String?
  var activeAt: Timestamp?

  /// Nil when all tasks are done.
  var task: StoryTask? { workshop.tasks.indices.contains(current) ? workshop.tasks[current] : nil }

  /// The request or event that is expected next.
  var nextStep: StoryStep? {
    guard let task, task.done.indices.contains(step) else { return nil }
    return task.done[step]
  }
}
