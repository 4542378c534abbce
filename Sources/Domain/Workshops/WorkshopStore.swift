import Basics
import Database
import JSON

/// The rows of workshops, participants and results.
struct WorkshopStore {
  let database: Database
  let registry: SandboxRegistry

  /// See `Workshops.now`.
  var now: Timestamp { registry.members.defaultSandbox?.clock.now ?? Timestamp(milliseconds: 0) }

  // MARK: Workshops

  /// By id.
  var workshops: [Int: Workshop] {
    get throws {
      if let cached = registry.derived.workshops { return cached }
      let rows = try database.all(
        "SELECT id, name, story, flavour, tasks, created_at FROM workshops"
      ) { row in
        Workshop(
          id: row.int(0), name: row.text(1), story: row.text(2), flavour: row.text(3),
          tasks: try Self.tasks(in: row.text(4)), createdAt: Timestamp(milliseconds: row.int64(5)))
      }
      let loaded = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
      registry.derived.workshops = loaded
      return loaded
    }
  }

  /// Inserts a workshop without participants; nil if the name is taken.
  func insert(_ name: String, story: String, _ flavour: Story.Flavour) throws -> Workshop? {
    guard try !workshops.values.contains(where: { $0.name == name }) else { return nil }
    try database.run(
      "INSERT INTO workshops (name, story, flavour, tasks, created_at) VALUES (?, ?, ?, ?, ?)", name, story,
      flavour.name, String(decoding: TaskList.schema.encode(TaskList(tasks: flavour.tasks)), as: UTF8.self),
      now.milliseconds)
    forgetCaches()
    return try workshops.values.first { $0.name == name }
  }

  /// Returns the workshop with its new name.
  func rename(_ workshop: Workshop, to name: String) throws -> Workshop? {
    try database.run("UPDATE workshops SET name = ? WHERE id = ?", name, workshop.id)
    forgetCaches()
    return try workshops[workshop.id]
  }

  /// Removes what was not complete at the end of the last run.
  func removeHidden() throws { try database.run("DELETE FROM workshops WHERE name >= '~'") }

  /// Its participants go with it.
  func remove(_ workshop: Workshop) throws {
    try database.run("DELETE FROM workshops WHERE id = ?", workshop.id)
    forgetCaches()
  }

  private static func tasks(in text: String) throws -> [StoryTask] {
    var list = TaskList()
    try TaskList.schema.merge(Fields(Array(text.utf8), limits: .seed), into: &list)
    return list.tasks
  }

  /// The column `tasks`.
  private struct TaskList {
    var tasks: [StoryTask] = []

    static let schema = Schema<TaskList>([
      .required(
        "tasks", \.tasks, .objects(StoryTask.schema, maxItems: StoryLimits.tasks, from: { StoryTask() }))
    ])
  }

  // MARK: Participants

  func insertParticipant(
    _ position: Int, of workshop: Workshop, name: String, sandboxName: String, phrase: String
  ) throws {
    try database.run(
      "INSERT INTO participants (workshop, position, name, sandbox_name, phrase) VALUES (?, ?, ?, ?, ?)",
      workshop.id, position, name, sandboxName, phrase)
    registry.change { $0.participants?.insert(sandboxName) }
    registry.boards.markRow(position, of: workshop.id)
  }

  func removeParticipant(with sandboxName: String) throws {
    guard try sandboxNames.contains(sandboxName) else { return }
    try database.run("DELETE FROM participants WHERE sandbox_name = ?", sandboxName)
    forgetCaches()
  }

  /// Ordered by position.
  func participants(of workshop: Workshop, at positions: ClosedRange<Int> = 0...Int.max) throws
    -> [Participant]
  {
    let results = try results(of: workshop, at: positions)
    return try database.all(
      """
      SELECT position, name, sandbox_name, phrase, note, task, active_at FROM participants
      WHERE workshop = ? AND position >= ? AND position <= ? ORDER BY position
      """, workshop.id, positions.lowerBound, positions.upperBound
    ) { row in
      let own = results[row.int(0)] ?? [:]
      return Participant(
        workshop: workshop.id, position: row.int(0), name: row.text(1), sandboxName: row.text(2),
        phrase: row.text(3), note: row.text(4), current: row.int(5),
        activeAt: row.optionalInt64(6).map { Timestamp(milliseconds: $0) },
        results: workshop.tasks.indices.map { own[$0] ?? TaskResult() })
    }
  }

  func progress(of workshop: Workshop) throws -> WorkshopProgress {
    let progress = try database.first(
      "SELECT COUNT(*), COUNT(*) FILTER (WHERE task = ?) FROM participants WHERE workshop = ?",
      workshop.tasks.count, workshop.id
    ) { row in
      WorkshopProgress(participants: row.int(0), finished: row.int(1))
    }
    return progress ?? WorkshopProgress(participants: 0, finished: 0)
  }

  /// By the participant's position, then by the task.
  private func results(
    of workshop: Workshop, at positions: ClosedRange<Int>
  ) throws -> [Int: [Int: TaskResult]] {
    var found: [Int: [Int: TaskResult]] = [:]
    let rows = try database.all(
      """
      SELECT position, task, opened_at, done_at, tried, why, on_purpose FROM task_results
      WHERE workshop = ? AND position >= ? AND position <= ?
      """, workshop.id, positions.lowerBound, positions.upperBound
    ) { row in
      (row.int(0), row.int(1), Self.result(row, from: 2))
    }
    for (position, task, result) in rows { found[position, default: [:]][task] = result }
    return found
  }

  /// Reads `opened_at, done_at, tried, why, on_purpose`. `tried` is 1 for every task that was started.
  /// `on_purpose` is the kind of the refusal.
  private static func result(_ row: Row, from first: Int32) -> TaskResult {
    TaskResult(
      openedAt: row.optionalInt64(first).map { Timestamp(milliseconds: $0) },
      doneAt: row.optionalInt64(first + 1).map { Timestamp(milliseconds: $0) },
      isStarted: row.bool(first + 2),
      refusal: row.optionalText(first + 3).map {
        Refusal(why: $0, kind: Refusal.Kind(rawValue: row.int(first + 4)) ?? .mistake)
      })
  }

  /// True if the sandbox is a participant's.
  func contains(_ sandboxName: String) throws -> Bool { try sandboxNames.contains(sandboxName) }

  /// The workshop and the position of the participant in a sandbox.
  func place(of sandboxName: String) throws -> (workshop: Workshop, position: Int)? {
    guard try sandboxNames.contains(sandboxName) else { return nil }
    let row = try database.first(
      "SELECT workshop, position FROM participants WHERE sandbox_name = ?", sandboxName
    ) { ($0.int(0), $0.int(1)) }
    guard let row, let workshop = try workshops[row.0] else { return nil }
    return (workshop, row.1)
  }

  func sandboxName(forPhrase phrase: String) throws -> String? {
    try database.first("SELECT sandbox_name FROM participants WHERE phrase = ?", phrase) { $0.text(0) }
  }

  func saveNote(_ note: String, for participant: Participant) throws {
    try database.run(
      "UPDATE participants SET note = ? WHERE workshop = ? AND position = ?", note, participant.workshop,
      participant.position)
    registry.boards.markRow(participant.position, of: participant.workshop)
  }

  /// Every request asks for them, so they are cached.
  private var sandboxNames: Set<String> {
    get throws {
      if let cached = registry.derived.participants { return cached }
      let names = Set(try database.all("SELECT sandbox_name FROM participants") { $0.text(0) })
      registry.derived.participants = names
      return names
    }
  }

  private func forgetCaches() {
    registry.change {
      $0.workshops = nil
      $0.participants = nil
    }
    registry.boards.markAll()
  }

  // MARK: Progress

  /// How far the participant in a sandbox is; nil for a sandbox outside of workshops.
  func state(of sandboxName: String) throws -> TaskState? {
    guard let (workshop, position) = try place(of: sandboxName) else { return nil }
    return try database.first(
      """
      SELECT p.task, p.step, p.seen, p.undo, p.active_at, r.task IS NOT NULL,
        r.opened_at, r.done_at, r.tried, r.why, r.on_purpose
      FROM participants AS p
      LEFT JOIN task_results AS r ON r.workshop = p.workshop AND r.position = p.position AND r.task = p.task
      WHERE p.workshop = ? AND p.position = ?
      """, workshop.id, position
    ) { row in
      guard case .array(let undo) = try JSON(parsing: Array(row.text(3).utf8), limits: .seed) else {
        throw DamagedState(expected: "a list of subscribers")
      }
      return TaskState(
        workshop: workshop, position: position, current: row.int(0), step: row.int(1), seen: row.int(2),
        undo: undo, result: row.bool(5) ? Self.result(row, from: 6) : TaskResult(),
        activeAt: row.optionalInt64(4).map { Timestamp(milliseconds: $0) })
    }
  }

  func save(_ state: TaskState) throws {
    try database.run(
      "UPDATE participants SET task = ?, step = ?, seen = ?, undo = ? WHERE workshop = ? AND position = ?",
      state.current, state.step, state.seen,
      String(decoding: JSON.array(state.undo).encoded(), as: UTF8.self), state.workshop.id, state.position)
    registry.boards.markRow(state.position, of: state.workshop.id)
  }

  /// Saves the result of the current task.
  func saveResult(of state: TaskState) throws {
    let result = state.result
    try database.run(
      """
      INSERT OR REPLACE INTO task_results (workshop, position, task, opened_at, done_at, tried, why, on_purpose)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, state.workshop.id, state.position, state.current, result.openedAt?.milliseconds,
      result.doneAt?.milliseconds, result.isStarted, result.refusal?.why,
      result.refusal?.kind.rawValue ?? 0)
    registry.boards.markRow(state.position, of: state.workshop.id)
  }

  func saveActivity(of state: TaskState) throws {
    try database.run(
      "UPDATE participants SET active_at = ? WHERE workshop = ? AND position = ?",
      state.activeAt?.milliseconds, state.workshop.id, state.position)
    registry.boards.markRow(state.position, of: state.workshop.id)
  }

  /// Back to the first task, without results.
  func clearProgress(of participant: Participant) throws {
    try database.run(
      "DELETE FROM task_results WHERE workshop = ? AND position = ?", participant.workshop,
      participant.position)
    try database.run(
      "UPDATE participants SET task = 0, step = 0, seen = 0, undo = '[]' WHERE workshop = ? AND position = ?",
      participant.workshop, participant.position)
    registry.boards.markRow(participant.position, of: participant.workshop)
  }
}
