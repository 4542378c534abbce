import Database
import JSON

/// Follows a participant's requests and events, and checks off tasks.
///
/// ```
/// request ─┐                          all steps happened: done_at, the preparation ends,
/// event ───┴─> the step's filter ──>  the next task becomes the current one, its preparation starts
/// ```
/// Progress is written in the transaction of the request or event that made it. For a sandbox outside of workshops, all
/// of this is one comparison.
package struct TaskTracker {
  let sandbox: Sandbox

  /// What a sandbox knows about its place in a workshop.
  enum Place {
    case unread
    case outside
    case inside(TaskState)
  }

  /// The index of the current task; nil outside of workshops.
  package var current: Int? {
    get throws { try state?.current }
  }

  /// Changes with everything that the list of tasks shows; another number after each start of the server.
  package var changeCount: Int { sandbox.taskChanges }

  func markChanged() { sandbox.taskChanges += 1 }

  private var state: TaskState? {
    get throws {
      switch sandbox.derived.place {
      case .outside: return nil
      case .inside(let state): return state
      case .unread:
        guard sandbox.isPresent else { return nil }
        let state = try sandbox.workshopStore.state(of: sandbox.name)
        sandbox.derived.place = state.map { .inside($0) } ?? .outside
        return state
      }
    }
  }

  /// Looks at an answered request. `isOwn`: of one to the control API; it counts only where a step names it. `task`: the
  /// current one when the request arrived; an event that the request caused may have ended it.
  package func observe(
    _ exchange: Journal.Exchange, during task: Int, isOwn: Bool, search: JournalFilter.TextSearch
  ) throws {
    guard var state = try state, sandbox.isPresent else { return }
    if let filter = state.nextStep?.request, !isOwn || filter.provider == exchange.owner,
      filter.matches(exchange, search: search)
    {
      try advance(&state, seen: sandbox.newestOrdinal)
    } else if !isOwn, state.task != nil, state.current == task {
      try markTried(&state, why: exchange.why)
    }
    if !isOwn { try markActive(&state) }
    sandbox.derived.place = .inside(state)
  }

  /// Looks at the events since the last call.
  func observeEvents() throws {
    guard case .inside(var state) = sandbox.derived.place else {
      if case .unread = sandbox.derived.place { _ = try self.state }
      return
    }
    guard state.seen < sandbox.newestOrdinal, sandbox.isPresent else { return }
    if state.nextStep?.event == nil {
      state.seen = sandbox.newestOrdinal
    }
    while state.seen < sandbox.newestOrdinal {
      let events = try sandbox.events.after(state.seen, limit: Self.eventsPerQuery)
      for event in events {
        state.seen = event.ordinal
        if state.nextStep?.event?.matches(event) ?? false { try advance(&state, seen: event.ordinal) }
      }
      if events.count < Self.eventsPerQuery { state.seen = sandbox.newestOrdinal }
    }
    sandbox.derived.place = .inside(state)
  }

  private static let eventsPerQuery = 200

  /// Starts the current task again: its steps, and what is prepared for it.
  package func restart() throws {
    guard var state = try state else { return }
    try state.task?.preparation.end(in: sandbox, restoring: state.undo)
    try begin(&state, seen: sandbox.newestOrdinal)
    sandbox.derived.place = .inside(state)
  }

  /// Removes all faults and scenarios except those of the current task.
  package func fix() throws {
    let preparation = try state?.task?.preparation ?? Preparation()
    let (scenarios, faults) = (try sandbox.scenarios.all.map(\.rule), try sandbox.faults.all.map(\.rule))
    try sandbox.derived.scenarioRules.change(
      removing: scenarios.filter { !preparation.scenarios.contains($0) }, in: sandbox)
    try sandbox.derived.faultRules.change(
      removing: faults.filter { !preparation.faults.contains($0) }, in: sandbox)
  }

  /// Begins the current task in a new sandbox, or in one that was created again.
  func begin() throws {
    sandbox.derived.place = .unread
    guard var state = try state else { return }
    try begin(&state, seen: sandbox.newestOrdinal)
    sandbox.derived.place = .inside(state)
  }

  private func begin(_ state: inout TaskState, seen: Int) throws {
    state.step = 0
    state.seen = seen
    state.undo = try state.task?.preparation.start(in: sandbox) ?? []
    markChanged()
    try sandbox.workshopStore.save(state)
  }

  private func advance(_ state: inout TaskState, seen: Int) throws {
    state.step += 1
    state.seen = seen
    guard let task = state.task, state.step == task.done.count else {
      try sandbox.workshopStore.save(state)
      return try markTried(&state, why: nil)
    }
    try sandbox.workshopStore.saveResult(of: state, doneAt: sandbox.workshopStore.now)
    try task.preparation.end(in: sandbox, restoring: state.undo)
    state.current += 1
    (state.isTried, state.why) = (false, nil)
    try begin(&state, seen: seen)
  }

  private func markTried(_ state: inout TaskState, why: String?) throws {
    guard !state.isTried || (why != nil && why != state.why) else { return }
    state.isTried = true
    state.why = why ?? state.why
    try sandbox.workshopStore.saveResult(of: state, doneAt: nil)
    markChanged()
  }

  /// At most once a second: the board shows no more.
  private func markActive(_ state: inout TaskState) throws {
    let now = sandbox.workshopStore.now
    if let last = state.activeAt, last <= now, now - last < .seconds(1) { return }
    state.activeAt = now
    try sandbox.workshopStore.saveActivity(of: state)
  }
}
