import Basics
import Database
import JSON

/// Follows a participant's requests and events, and checks off tasks.
///
/// ```
/// request ─┐                          all steps happened: done_at, the preparation ends,
/// event ───┴─> the step's filter ──>  the next task becomes the current one, its preparation starts
/// ```
/// Progress is written in the transaction of the request or event that made it. For a sandbox outside of
/// workshops, all of this is one comparison.
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

  private var state: TaskState? {
    get throws {
      switch sandbox.derived.place {
      case .outside: return nil
      case .inside(let state): return state
      case .unread:
        guard sandbox.isPresent else { return nil }
        let state = try sandbox.shared.workshopStore.state(of: sandbox.name)
        sandbox.derived.place = state.map { .inside($0) } ?? .outside
        return state
      }
    }
  }

  /// Looks at an answered request. `isOwn`: of one to the control API; it counts only where a step names it,
  /// and if it was refused. `isOnPurpose`: an injected failure answered. `task`: the current one when the
  /// request arrived. An event that the request caused may have ended it; then it says nothing about the next
  /// one.
  package func observe(
    _ exchange: Journal.Exchange, during task: Int, isOwn: Bool, isOnPurpose: Bool,
    search: JournalFilter.TextSearch
  ) throws {
    guard var state = try state, sandbox.isPresent else { return }
    let filter = state.nextStep?.request
    let isStep = filter.map {
      state.current == task && (!isOwn || $0.provider == exchange.owner)
        && $0.matches(exchange, search: search)
    }
    guard isStep ?? false || !isOwn || exchange.status >= 400 else { return }
    try markActive(&state)
    if isStep ?? false {
      try advance(&state, seen: sandbox.newestOrdinal)
    } else if state.task != nil, state.current == task {
      try markStarted(
        &state, refusal(of: exchange, state, isOwn: isOwn, isOnPurpose: isOnPurpose, search: search),
        of: exchange)
    }
    sandbox.derived.place = .inside(state)
  }

  /// Notes a request to the control API that was refused before it reached the sandbox, such as one without a
  /// token. `isOwn` is false if somebody else may have sent it, which is no sign of life.
  package func noteRefusal(_ method: String, _ target: String, why: String, isOwn: Bool = true) throws {
    guard var state = try state, sandbox.isPresent else { return }
    if isOwn { try markActive(&state) }
    if state.task != nil {
      try markStarted(&state, Refusal(why: refusal(method, target, why)))
    }
    sandbox.derived.place = .inside(state)
  }

  private func refusal(
    of exchange: Journal.Exchange, _ state: TaskState, isOwn: Bool, isOnPurpose: Bool,
    search: JournalFilter.TextSearch
  ) throws -> Refusal? {
    let refusal = why(exchange, isOwn).map { Refusal(why: $0, kind: isOnPurpose ? .onPurpose : .mistake) }
    guard refusal == nil || exchange.status == 429 else { return refusal }
    let inVain = try mismatch(of: exchange, state, search: search).map { Refusal(why: $0, kind: .accepted) }
    // A limit that too many requests in vain reach says less than why they are in vain.
    guard let refusal, isOnPurpose || inVain == nil || inVain != state.result.refusal else { return inVain }
    return refusal
  }

  private func mismatch(
    of exchange: Journal.Exchange, _ state: TaskState, search: JournalFilter.TextSearch
  ) throws -> String? {
    let verification = try exchange.effects.verification.flatMap { try sandbox.verifications.row($0) }
    return state.task?.mismatch(
      of: exchange, step: state.step, destination: verification?.claim.destination, search: search)
  }

  /// Nil for an answer that refuses nothing.
  private func why(_ exchange: Journal.Exchange, _ isOwn: Bool) -> String? {
    guard exchange.why != nil || exchange.status >= 400 else { return nil }
    // The path says more than the reason where there is no provider.
    if let why = exchange.why, !isOwn, !exchange.owner.isEmpty { return why }
    return refusal(exchange.method, exchange.target, exchange.why)
  }

  /// `GET /control/inbx: unknown path`
  private func refusal(_ method: String, _ target: String, _ why: String?) -> String {
    let (path, own) = (target.prefix { $0 != "?" }, "/s/\(sandbox.name)/")
    let shown = (path.hasPrefix(own) ? path.dropFirst(own.count - 1) : path).prefix(Self.longestPath)
    return "\(method) \(shown): \(why ?? "refused")"
  }

  private static let longestPath = 80

  /// Notes that the participant is there: the first task is open from now on.
  package func noteArrival() throws {
    guard var state = try state else { return }
    try open(&state)
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
        if state.nextStep?.event?.matches(event) ?? false {
          try advance(&state, seen: event.ordinal)
        } else if state.nextStep?.event?.kind == .webhookDelivered, let refusal = try refusal(event) {
          try markStarted(&state, refusal)
        }
      }
      if events.count < Self.eventsPerQuery { state.seen = sandbox.newestOrdinal }
    }
    sandbox.derived.place = .inside(state)
  }

  private static let eventsPerQuery = 200

  /// Why the webhook of an event did not arrive: `the webhook to http://10.0.0.7:8000/ was not accepted: …`
  private func refusal(_ event: Event) throws -> Refusal? {
    guard [.webhookUnanswered, .webhookFailed, .webhookRefused, .webhookLost].contains(event.kind),
      let webhook = try sandbox.webhooks.find(event.subject)
    else { return nil }
    let result = try sandbox.webhooks.attempts(of: event.subject).last?.result
    let answer = result?.status.map { "it was answered with \($0); expected 200" }
    let reason = result?.error ?? answer ?? webhook.why ?? "nobody answered"
    return Refusal(
      why: "the webhook to \(webhook.shownURL) did not arrive: \(reason)",
      kind: event.kind == .webhookLost ? .onPurpose : .mistake)
  }

  /// Notes that the board shows something else of the sandbox, which is not the progress.
  func markRow() throws {
    guard let state = try state else { return }
    sandbox.shared.registry.boards.markRow(state.position, of: state.workshop.id)
  }

  /// True if what the current task wants broken was repaired.
  package var isRepaired: Bool {
    get throws {
      guard let preparation = try state?.task?.preparation, preparation.hasRules else { return false }
      return try !sandbox.scenarios.all.contains { $0.origin == .task }
        && !sandbox.faults.all.contains { $0.origin == .task }
    }
  }

  /// The step that has to happen next, in words; nil if all are done.
  package var awaited: String? {
    get throws { try state.flatMap { state in state.nextStep.flatMap { state.task?.words(for: $0) } } }
  }

  /// Starts the current task again: its steps, and what is prepared for it.
  package func restart() throws {
    guard var state = try state else { return }
    try state.task?.preparation.end(in: sandbox, restoring: state.undo)
    try begin(&state, seen: sandbox.newestOrdinal)
    sandbox.derived.place = .inside(state)
  }

  /// Removes all rules except those of the current task, and forgets that they were the reason
  /// of a refusal.
  package func fix() throws {
    for kind in RuleKinds.all { try kind.remove(in: sandbox) { $0 != .task } }
    guard var state = try state, let refusal = state.result.refusal else { return }
    switch refusal.kind {
    case .onPurpose: state.result.refusal = nil
    case .beforeFailure: state.result.refusal?.kind = .mistake
    case .mistake, .beforeOthers, .accepted: return
    }
    try sandbox.shared.workshopStore.saveResult(of: state)
    sandbox.derived.place = .inside(state)
  }

  /// Begins the current task in a new sandbox, or in one that was created again.
  func begin() throws {
    guard var state = try sandbox.shared.workshopStore.state(of: sandbox.name) else { return }
    try begin(&state, seen: sandbox.newestOrdinal)
    sandbox.derived.place = .inside(state)
  }

  private func begin(_ state: inout TaskState, seen: Int) throws {
    state.step = 0
    state.seen = seen
    state.undo = try state.task?.preparation.start(in: sandbox) ?? []
    try sandbox.shared.workshopStore.save(state)
  }

  /// From now on the participant can do the current task.
  private func open(_ state: inout TaskState) throws {
    guard state.task != nil, state.result.openedAt == nil else { return }
    state.result.openedAt = sandbox.shared.workshopStore.now
    try sandbox.shared.workshopStore.saveResult(of: state)
  }

  private func advance(_ state: inout TaskState, seen: Int) throws {
    state.step += 1
    state.seen = seen
    guard let task = state.task, state.step == task.done.count else {
      // A refusal before this step says nothing about the next one.
      (state.result.isStarted, state.result.refusal) = (true, nil)
      try sandbox.shared.workshopStore.saveResult(of: state)
      return try sandbox.shared.workshopStore.save(state)
    }
    state.result.doneAt = sandbox.shared.workshopStore.now
    try sandbox.shared.workshopStore.saveResult(of: state)
    try task.preparation.end(in: sandbox, restoring: state.undo)
    state.current += 1
    state.result = TaskResult()
    try open(&state)
    try begin(&state, seen: seen)
  }

  /// A failure on purpose does not replace the reason of the participant's own mistake, which says more.
  /// Without a refusal, the earlier one is over.
  private func markStarted(
    _ state: inout TaskState, _ refusal: Refusal?, of exchange: Journal.Exchange? = nil
  ) throws {
    let earlier = state.result
    let isMistake = earlier.refusal?.isMistake ?? false
    state.result.isStarted = true
    if isMistake, refusal?.isOnPurpose ?? false {
      state.result.refusal?.kind = .beforeFailure
    } else if isMistake, refusal?.isMistake ?? false, isConsequence(exchange, of: state.refused) {
      state.result.refusal?.kind = .beforeOthers
    } else {
      state.result.refusal = refusal
      state.refused = (exchange?.route, sandbox.shared.workshopStore.now)
    }
    if state.result != earlier { try sandbox.shared.workshopStore.saveResult(of: state) }
  }

  /// True if a refused request probably only lacks what the one before it should have brought: commands that
  /// are run one after the other go on after a refusal.
  private func isConsequence(
    _ exchange: Journal.Exchange?, of refused: (route: String?, at: Timestamp)?
  ) -> Bool {
    guard let refused, let first = refused.route, let exchange, let route = exchange.route, first != route,
      exchange.status != 429
    else { return false }
    let passed = sandbox.shared.workshopStore.now - refused.at
    return passed >= .zero && passed < .seconds(60)
  }

  /// At most once a second: the board shows no more.
  private func markActive(_ state: inout TaskState) throws {
    try open(&state)
    let now = sandbox.shared.workshopStore.now
    if let last = state.activeAt, last <= now, now - last < .seconds(1) { return }
    state.activeAt = now
    try sandbox.shared.workshopStore.saveActivity(of: state)
  }
}
