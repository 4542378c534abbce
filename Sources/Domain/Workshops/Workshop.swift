package import Basics
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

  /// The name of a workshop that is being made. No client can choose it.
  static func hiddenName(_ name: String) -> String { "~\(name)" }

  var isHidden: Bool { name.hasPrefix("~") }
}

/// How far the participants of a workshop are together.
package struct WorkshopProgress: Sendable {
  package let participants: Int
  /// The number of participants who have done all tasks.
  package let finished: Int
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
package struct TaskResult: Equatable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case untouched
    /// There were requests while the task was the current one, and none was refused by the participant's own
    /// mistake.
    case started
    /// One was.
    case tried
    case done
  }

  /// When the participant could begin: at the first sign of life, later when the task before was done; nil
  /// until then.
  package var openedAt: Timestamp?
  package var doneAt: Timestamp?
  package var isStarted = false
  /// The reason of the last refusal, unless a step of the task or an accepted request came later; or why the
  /// last accepted request was not the step that comes next.
  package var refusal: Refusal?

  package var state: State {
    if doneAt != nil { return .done }
    guard isStarted else { return .untouched }
    return refusal?.isMistake ?? false ? .tried : .started
  }

  /// How long the task has been open, or was open until it was done.
  package func minutes(at now: Timestamp) -> Int? {
    openedAt.map { max(0, ((doneAt ?? now) - $0).wholeSeconds / 60) }
  }
}

/// A fault or a scenario of a participant that the current task has not prepared.
package struct ParticipantFailure: Equatable, Sendable {
  package let effect: String
  package let origin: RuleOrigin
}

extension Sandbox {
  /// Those of rules that still act. A failure that was added twice is listed once.
  var failures: [ParticipantFailure] {
    get throws {
      if let known = derived.failures { return known }
      let all = try RuleKinds.all.flatMap { try $0.failures(in: self) }
      let failures = all.reduce(into: [ParticipantFailure]()) { if !$0.contains($1) { $0.append($1) } }
      derived.failures = failures
      return failures
    }
  }
}

extension Rule {
  fileprivate static func failures(in sandbox: Sandbox) throws -> [ParticipantFailure] {
    try rules(of: sandbox).all.filter { $0.isActive && $0.origin != .task }.map {
      ParticipantFailure(effect: $0.rule.effect, origin: $0.origin)
    }
  }
}

/// Why a request was refused, or accepted in vain.
package struct Refusal: Equatable, Sendable {
  /// The numbers are in the database.
  package enum Kind: Int, Sendable {
    case mistake = 0
    /// The answer is that of a failure that somebody injected.
    case onPurpose = 1
    /// A mistake. The newest answer is that of such a failure, which does not replace its reason.
    case beforeFailure = 2
    /// A mistake. Requests to other routes were refused soon after it: they may be its consequences.
    case beforeOthers = 3
    /// Accepted, but not the step that comes next.
    case accepted = 4
  }

  package let why: String
  package var kind = Kind.mistake

  package var isOnPurpose: Bool { kind == .onPurpose }

  /// True if the answer was a refusal of the participant's own mistake.
  package var isMistake: Bool { kind != .onPurpose && kind != .accepted }
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
  /// That of the current task.
  var result: TaskResult
  var activeAt: Timestamp?
  /// The route and the time of the refusal whose reason the result has; nil after a start of the server.
  var refused: (route: String?, at: Timestamp)?

  /// Nil when all tasks are done.
  var task: StoryTask? { workshop.tasks[safe: current] }

  /// The request or event that is expected next.
  var nextStep: StoryStep? { task?.done[safe: step] }
}
