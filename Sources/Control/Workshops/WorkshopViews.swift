import Domain
import JSON

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
  let participants: [Participant]

  init(_ workshop: Workshop, _ participants: [Participant]) {
    self.workshop = workshop
    self.participants = participants
  }

  static let page = PageSchema<WorkshopView, String>("workshops", schema, "The workshops, ordered by name.")

  static let schema = Schema<WorkshopView>(
    "Workshop", "A set of sandboxes whose participants solve the tasks of a story.",
    [
      .readOnly("name", .oneWord, "The name.") { $0.workshop.name },
      .readOnly("story", .oneWord, "The story's name.") { $0.workshop.story },
      .readOnly("flavour", .oneWord, "The story's flavour.") { $0.workshop.flavour },
      .readOnly("createdAt", .timestamp, "When it was created.") { $0.workshop.createdAt },
      .readOnly("participants", .integer, "The number of participants.") { $0.participants.count },
      .readOnly("finished", .integer, "The number of participants who have done all tasks.") { view in
        view.participants.count { $0.current == view.workshop.tasks.count }
      },
    ])
}

/// The board of a workshop.
struct BoardView: Sendable {
  let workshop: Workshop
  let participants: [Participant]
  /// By the name of the sandbox; empty if the server requires none.
  let tokens: [String: String]
  let cursor: Int

  static let schema = Schema<BoardView>(
    "Board", "A workshop with its participants and their results.",
    [
      .readOnly("name", .oneWord, "The name.") { $0.workshop.name },
      .readOnly("story", .oneWord, "The story's name.") { $0.workshop.story },
      .readOnly("flavour", .oneWord, "The story's flavour.") { $0.workshop.flavour },
      .readOnly("createdAt", .timestamp, "When it was created.") { $0.workshop.createdAt },
      .readOnly("tasks", .array(of: .string), "The titles of the tasks.") { $0.workshop.tasks.map(\.title) },
      .readOnly("participants", .objects(ParticipantView.schema), "The participants, in order.") { board in
        board.participants.map { participant in
          ParticipantView(
            participant: participant, token: board.tokens[participant.sandboxName])
        }
      },
      .readOnly("cursor", .integer, "Pass this as after to wait for a change.") { $0.cursor },
    ])
}

struct ParticipantView: Sendable {
  let participant: Participant
  let token: String?

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
      .readOnly("activeAt", .timestamp, "The last request to a provider; null if there was none.") {
        $0.participant.activeAt
      },
      .readOnly("results", .objects(ResultView.schema), "One result for each task.") {
        $0.participant.results.map { ResultView(result: $0) }
      },
    ])
}

/// How far a participant is with a task.
struct ResultView: Sendable {
  let result: TaskResult

  static let fields: [Field<ResultView>] = [
    .readOnly("state", .oneOf(["untouched", "tried", "done"]), "How far the task is.") { $0.result.word },
    .readOnly("doneAt", .timestamp, "When the task was done; else null.") {
      if case .done(let time) = $0.result { time } else { nil }
    },
    .readOnly("why", .string, "The reason of the last refusal while the task was tried; else null.") {
      if case .tried(let why) = $0.result { why } else { nil }
    },
  ]

  static let schema = Schema<ResultView>("TaskResult", "How far a participant is with a task.", fields)
}

/// The tasks of one participant.
struct TasksView: Sendable {
  let workshop: Workshop
  let participant: Participant
  let cursor: Int

  static let schema = Schema<TasksView>(
    "Tasks", "The tasks of a participant.",
    [
      .readOnly("workshop", .oneWord, "The workshop's name.") { $0.workshop.name },
      .readOnly("participant", .string, "The participant's name.") { $0.participant.name },
      .readOnly("note", .string, "The trainer's note; empty if there is none.") { $0.participant.note },
      .readOnly("tasks", .objects(TaskView.schema), "The tasks, in order.") { view in
        zip(view.workshop.tasks, view.participant.results).map {
          TaskView(task: $0, result: ResultView(result: $1))
        }
      },
      .readOnly("cursor", .integer, "Pass this as after to wait for a change.") { $0.cursor },
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
