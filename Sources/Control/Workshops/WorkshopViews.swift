/// A story that workshops can have.
struct StoryView: Sendable {
  let name: String
  let story: Story

  static let page = PageSchema<StoryView, String>("stories", schema, "The stories, ordered by name.")

  static let schema = Schema<StoryView>(
    "StorySummary", "A story for workshops.",
    [
      .readOnly("name", .oneWord, "The name.") { $0.name },
      .readOnly("title", .string, "The title.") { $0.story.title },
      .readOnly("summary", .string, "What participants learn.") { $0.story.summary },
      .readOnly("flavours", .array(of: .string), "The names of its flavours.") {
        $0.story.flavours.map(\.name)
      },
    ])
}

/// A workshop in the list.
struct WorkshopView: Sendable {
  let workshop: Workshop
  let progress: WorkshopProgress

  init(_ workshop: Workshop, _ progress: WorkshopProgress) {
    self.workshop = workshop
    self.progress = progress
  }

  static let page = PageSchema<WorkshopView, String>("workshops", schema, "The workshops, ordered by name.")

  static let schema = Schema<WorkshopView>(
    "Workshop", "A set of sandboxes whose participants solve the tasks of a story.",
    [
      .readOnly("name", .oneWord, "The name.") { $0.workshop.name },
      .readOnly("story", .oneWord, "The story's name.") { $0.workshop.story },
      .readOnly("flavour", .oneWord, "The story's flavour.") { $0.workshop.flavour },
      .readOnly("createdAt", .timestamp, "When it was created.") { $0.workshop.createdAt },
      .readOnly("participants", .integer, "The number of participants.") { $0.progress.participants },
      .readOnly("finished", .integer, "The number of participants who have done all tasks.") {
        $0.progress.finished
      },
    ])
}

struct BoardView: Sendable {
  let workshop: Workshop
  let participants: [ParticipantView]
  let now: Timestamp
  let cursor: Int
  let failed: [FailedParticipant]

  static let schema = Schema<BoardView>(
    "Board", "A workshop with its participants and their results.",
    [
      .readOnly("name", .oneWord, "The name.") { $0.workshop.name },
      .readOnly("story", .oneWord, "The story's name.") { $0.workshop.story },
      .readOnly("flavour", .oneWord, "The story's flavour.") { $0.workshop.flavour },
      .readOnly("createdAt", .timestamp, "When it was created.") { $0.workshop.createdAt },
      .readOnly("tasks", .array(of: .string), "The titles of the tasks.") { $0.workshop.tasks.map(\.title) },
      .readOnly("now", .timestamp, "The time of the board: that of the default sandbox.") { $0.now },
      .readOnly("participants", .objects(ParticipantView.schema), "The participants, in order.") {
        $0.participants
      },
      .readOnly("cursor", .integer, "Pass this to the stream as after, to follow what changes next.") {
        $0.cursor
      },
      .readOnlyIfPresent(
        "failed", .json(.array(.object(FailedParticipant.schema.object))),
        "The participants for whom an action failed, with the reason. It was done for the others."
      ) { $0.failed.isEmpty ? nil : .array($0.failed.map { FailedParticipant.schema.json($0) }) },
    ])
}

/// A participant for whom an action failed.
struct FailedParticipant: Sendable {
  let name: String
  let why: String

  init(_ failure: ParticipantsJob.Failure) {
    name = failure.participant.name
    why =
      switch failure.error {
      case let problem as ControlProblem: problem.message
      case is SandboxIsBusy: "the sandbox is being replaced; try again"
      case let error: "\(error)"
      }
  }

  static let schema = Schema<FailedParticipant>(
    nil, "",
    [
      .readOnly("participant", .string, "The participant's name.") { $0.name },
      .readOnly("why", .string, "Why it failed.") { $0.why },
    ])
}

struct ParticipantView: Sendable {
  let participant: Participant
  let token: String?
  let failures: [ParticipantFailure]
  let now: Timestamp

  static let schema = Schema<ParticipantView>(
    "Participant", "Someone with a sandbox in a workshop.",
    [
      .readOnly("name", .string, "The name.") { $0.participant.name },
      .readOnly("sandbox", .sandboxName, "The sandbox's name.") { $0.participant.sandboxName },
      .readOnly("phrase", .string, "Opens the sandbox at /join.") { $0.participant.phrase },
      .readOnlyIfPresent("token", .string, "The sandbox's token; absent if the server requires none.") {
        $0.token
      },
      .readOnly("note", .string, "The trainer's note; empty if there is none.") { $0.participant.note },
      .readOnly(
        "activeAt", .timestamp,
        "The last request to a provider, or to the control API if it was refused or counted; null if there was none."
      ) { $0.participant.activeAt },
      .readOnly(
        "failures", .objects(failureSchema), "What is broken on purpose, except by the current task."
      ) { $0.failures },
      .readOnly("results", .objects(ResultView.schema), "One result for each task.") { view in
        view.participant.results.map { ResultView(result: $0, now: view.now) }
      },
    ])

  private static let failureSchema = Schema<ParticipantFailure>(
    nil, "",
    [
      .readOnly("effect", .string, "What it does, for people.") { $0.effect },
      .readOnly(
        "origin", .word(of: [.trainer, .control]), "Break on the board (trainer), or anything else (control)."
      ) { $0.origin },
    ])
}

/// How far a participant is with a task.
struct ResultView: Sendable {
  let result: TaskResult
  let now: Timestamp

  static let fields: [Field<ResultView>] = [
    .readOnly("state", .word, "How far the task is.") { $0.result.state },
    .readOnly("openedAt", .timestamp, "When the participant could begin; null before.") {
      $0.result.openedAt
    },
    .readOnly("doneAt", .timestamp, "When the task was done; else null.") { $0.result.doneAt },
    .readOnly(
      "minutes", .integer, "How long the task has been open, or was open until it was done; null before."
    ) { $0.result.minutes(at: $0.now) },
    .readOnly(
      "why", .string,
      "The reason of the last refusal, or why the last accepted request is not what the task waits for; null if a "
        + "step of the task or another accepted request came later."
    ) {
      $0.result.refusal?.why
    },
    .readOnly(
      "onPurpose", .boolean, "True if the reason is a failure that somebody injected, not a mistake."
    ) { $0.result.refusal?.isOnPurpose ?? false },
  ]

  static let schema = Schema<ResultView>("TaskResult", "How far a participant is with a task.", fields)
}

struct TasksView: Sendable {
  let workshop: Workshop
  let participant: Participant
  let now: Timestamp

  static let schema = Schema<TasksView>(
    "Tasks", "The tasks of a participant.",
    [
      .readOnly("workshop", .oneWord, "The workshop's name.") { $0.workshop.name },
      .readOnly("participant", .string, "The participant's name.") { $0.participant.name },
      .readOnly("note", .string, "The trainer's note; empty if there is none.") { $0.participant.note },
      .readOnly("tasks", .objects(TaskView.schema), "The tasks, in order.") { view in
        zip(view.workshop.tasks, view.participant.results).map {
          TaskView(task: $0, result: ResultView(result: $1, now: view.now))
        }
      },
    ])
}

struct TaskView: Sendable {
  let task: StoryTask
  var result: ResultView

  static let schema = Schema<TaskView>(
    "Task", "A task with its result.",
    [
      .readOnly("title", .string, "The title.") { $0.task.title },
      .readOnly("text", .string, "What to do.") { $0.task.text },
      .readOnly("hint", .string, "Help for those who are stuck; null if there is none.") { $0.task.hint },
    ] + ResultView.fields.map { $0.lifted(\.result) })
}
