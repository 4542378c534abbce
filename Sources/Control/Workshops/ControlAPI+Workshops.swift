import Domain
import HTTP
import JSON

/// Workshops: their participants, boards and actions.
extension ControlAPI {
  var workshopOperations: [Operation] {
    [
      Operation(
        .get("/control/stories", as: "listStories", listStories), "List the stories of workshops.",
        query: Parameter.namedPage, .page(StoryView.page)),
      Operation(
        .get("/control/workshops", as: "listWorkshops", listWorkshops), "List the workshops.",
        query: Parameter.namedPage, .page(WorkshopView.page)),
      Operation(
        .post("/control/workshops", as: "createWorkshop", createWorkshop),
        "Create a workshop with a sandbox for each participant.", body: NewWorkshop.schema.object,
        .json(BoardView.schema, 201)),
      Operation(
        .deferred(.get, "/control/workshops/{workshop}", as: "fetchWorkshop", fetchWorkshop),
        "Get the board: each participant with the results of the tasks. Can wait for a change.",
        query: Parameter.change, .json(BoardView.schema)),
      Operation(
        .deferred(.get, "/control/workshops/{workshop}/stream", as: "streamBoard", streamBoard),
        "Follow the changes of the board (server-sent events).", query: [Parameter.lastChange.member],
        .file("text/event-stream")),
      Operation(
        .delete("/control/workshops/{workshop}", as: "deleteWorkshop", deleteWorkshop),
        "Delete a workshop with its sandboxes.", .empty),
      Operation(
        .get("/control/workshops/{workshop}/results.csv", as: "fetchResults", fetchResults),
        "Get the results as CSV.", .file("text/csv")),
      Operation(
        .post("/control/workshops/{workshop}/reset", as: "resetParticipants", resetParticipants),
        "Reset the sandboxes of participants; they start with the first task again.",
        body: ParticipantSelection.schema.object, .json(BoardView.schema)),
      Operation(
        .post("/control/workshops/{workshop}/break", as: "breakParticipants", breakParticipants),
        "Add faults and scenarios to the sandboxes of participants, before those that they have.",
        body: ParticipantFailures.schema.object, .json(BoardView.schema)),
      Operation(
        .post("/control/workshops/{workshop}/fix", as: "fixParticipants", fixParticipants),
        "Remove the faults and scenarios of participants, except what their current tasks have prepared.",
        body: ParticipantSelection.schema.object, .json(BoardView.schema)),
      Operation(
        .post("/control/workshops/{workshop}/clock", as: "moveParticipants", moveParticipants),
        "Change the clocks of participants.", body: ParticipantClock.schema.object, .json(BoardView.schema)),
      Operation(
        .post("/control/workshops/{workshop}/note", as: "noteParticipants", noteParticipants),
        "Show a note on the pages of participants; an empty one removes it.",
        body: ParticipantNote.schema.object, .json(BoardView.schema)),
      Operation(
        .deferred(.get, "/control/tasks", as: "listTasks", listTasks),
        "List the tasks of this sandbox, with their results. Can wait for a change.",
        query: Parameter.change, .json(TasksView.schema)),
      Operation(
        .post("/control/tasks/restart", as: "restartTask", restartTask),
        "Start the current task of this sandbox again, with what is prepared for it.", .json(TasksView.schema)
      ),
    ]
  }

  func listStories(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try list(StoryView.page, request) { after, limit in
      sandboxes.seeds.stories.filter { $0.key > after }.sorted { $0.key < $1.key }.prefix(limit)
        .map { ($0.key, StoryView(name: $0.key, story: $0.value)) }
    }
  }

  func listWorkshops(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try list(WorkshopView.page, request) { after, limit in
      try sandboxes.workshops.all.filter { $0.name > after }.prefix(limit).map { workshop in
        (workshop.name, WorkshopView(workshop, try sandboxes.workshops.participants(of: workshop)))
      }
    }
  }

  func createWorkshop(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let wanted = try request.decodeBody(NewWorkshop.self)
    let (story, flavour) = try story(wanted)
    let names = try wanted.participants.checkedNames()
    var configuration = Sandbox.Configuration()
    configuration.seeds = wanted.seeds
    if let time = wanted.clock { configuration.clock = .frozen(time) }
    try requireRoom(for: names.count)
    let draft = Workshops.Draft(
      name: wanted.name, story: story, flavour: flavour, participants: names, configuration: configuration)
    let taken = names.indices.map { draft.sandboxName($0 + 1) }.first { sandboxes[$0] != nil }
    if let taken {
      throw ControlProblem(status: 409, message: "sandbox \(taken) exists already; use another name")
    }
    let created = try sandboxes.workshops.create(draft) { position, attempt in
      JoinPhrase.make(
        for: "\(wanted.name) \(position) \(attempt)", tokens: tokens,
        entropy: sandboxes.defaultSandbox.entropy)
    }
    guard let created else {
      throw ControlProblem(status: 409, message: "workshop \(wanted.name) exists already", field: "$.name")
    }
    return try board(of: created, status: 201)
  }

  /// An unknown story or flavour is an error that names the nearest one.
  private func story(_ wanted: NewWorkshop) throws(FieldError) -> (name: String, Story.Flavour) {
    let (stories, name) = (sandboxes.seeds.stories, wanted.story)
    guard let flavours = stories[name]?.flavours else {
      throw .unknownName("$.story", kind: "story", name, known: stories.keys.sorted())
    }
    let flavour = flavours.first { $0.name == wanted.flavour ?? $0.name }
    guard let flavour else {
      throw .unknownName(
        "$.flavour", kind: "flavour", wanted.flavour ?? "", known: flavours.map(\.name))
    }
    return (name, flavour)
  }

  func fetchWorkshop(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    _ = try workshop(request)
    return try waitForChange(request, sandbox, count: { _ in sandboxes.workshops.changeCount }) { _ in
      try board(of: workshop(request))
    }
  }

  /// Answers at once, or, if the query names the present change, after the next one.
  private func waitForChange(
    _ request: Request, _ sandbox: Sandbox, count: @escaping (Sandbox) -> Int,
    answer: @escaping (Sandbox) throws -> Response
  ) throws -> Reply {
    let known = try Parameter.lastChange.value(in: request.query)
    return try wait(timeout(request.query), sandbox, signal: count) {
      count($0) == known ? nil : try answer($0)
    } onTimeout: {
      try answer($0)
    }
  }

  func deleteWorkshop(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandboxes.workshops.remove(workshop(request))
    return Response(204)
  }

  func fetchResults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let workshop = try self.workshop(request)
    let table = ResultsTable(workshop, try sandboxes.workshops.participants(of: workshop))
    return Response(
      200,
      headers: [
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": "attachment; filename=\"\(workshop.name).csv\"",
      ], body: Array(table.csv.utf8))
  }

  // MARK: Actions

  func resetParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let selection = try request.decodeBody(ParticipantSelection.self)
    return try change(selection, request) { participant, _ in try sandboxes.workshops.reset(participant) }
  }

  func breakParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let failures = try request.decodeBody(ParticipantFailures.self)
    let names = sandboxes.seeds.names
    for (place, fault) in failures.faults.enumerated() {
      try names.validate(
        provider: fault.provider, route: fault.route, code: fault.code, in: "$.faults[\(place)]")
    }
    for (place, scenario) in failures.scenarios.enumerated() {
      try names.validate(provider: scenario.provider, in: "$.scenarios[\(place)].match")
    }
    return try change(failures.selection, request) { _, sandbox in
      try sandbox.faults.add(failures.faults)
      try sandbox.scenarios.add(failures.scenarios)
    }
  }

  func fixParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let selection = try request.decodeBody(ParticipantSelection.self)
    return try change(selection, request) { try $1.tasks.fix() }
  }

  func moveParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let wanted = try request.decodeBody(ParticipantClock.self)
    for (_, sandbox) in try selected(wanted.selection, in: workshop(request)) {
      try wanted.change.requireEnd(after: wanted.change.time ?? sandbox.clockTarget ?? sandbox.clock.now)
    }
    return try change(wanted.selection, request) { try wanted.change.apply(to: $1) }
  }

  func noteParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let wanted = try request.decodeBody(ParticipantNote.self)
    return try change(wanted.selection, request) { participant, sandbox in
      try sandboxes.workshops.set(note: wanted.note, for: participant)
    }
  }

  /// Changes the sandboxes of selected participants, and answers with the board.
  private func change(
    _ selection: ParticipantSelection, _ request: Request, _ body: (Participant, Sandbox) throws -> Void
  ) throws -> Response {
    let workshop = try self.workshop(request)
    for (participant, sandbox) in try selected(selection, in: workshop) {
      try sandbox.atomically { try body(participant, sandbox) }
    }
    return try board(of: workshop)
  }

  private func selected(
    _ selection: ParticipantSelection, in workshop: Workshop
  ) throws -> [(Participant, Sandbox)] {
    let participants = try sandboxes.workshops.participants(of: workshop)
    let known = participants.map(\.name)
    for (place, name) in (selection.names ?? []).enumerated() where !known.contains(name) {
      throw FieldError.unknownName("$.participants[\(place)]", kind: "participant", name, known: known)
    }
    return participants.filter { selection.names?.contains($0.name) ?? true }.compactMap { participant in
      sandboxes[participant.sandboxName].map { (participant, $0) }
    }
  }

  // MARK: A participant's tasks

  func listTasks(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    _ = try tasks(of: sandbox)
    return try waitForChange(request, sandbox, count: \.tasks.changeCount) { try tasks(of: $0) }
  }

  private func tasks(of sandbox: Sandbox) throws -> Response {
    guard let (workshop, participant) = try sandbox.workshopPlace else {
      throw ControlProblem.notFound("workshop with the sandbox \(sandbox.name)")
    }
    return TasksView.schema.response(
      TasksView(workshop: workshop, participant: participant, cursor: sandbox.tasks.changeCount))
  }

  func restartTask(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.tasks.restart()
    return try tasks(of: sandbox)
  }

  func workshop(_ request: Request) throws -> Workshop {
    let name = request[parameter: "workshop"]
    guard let workshop = try sandboxes.workshops[name] else {
      throw ControlProblem.notFound("workshop \(name)")
    }
    return workshop
  }

  private func board(of workshop: Workshop, status: Status = 200) throws -> Response {
    let participants = try sandboxes.workshops.participants(of: workshop)
    return BoardView.schema.response(
      BoardView(
        workshop: workshop, participants: participants, tokens: tokens(of: participants),
        cursor: sandboxes.workshops.changeCount), status: status)
  }

  private func tokens(of participants: [Participant]) -> [String: String] {
    guard let tokens else { return [:] }
    let named = participants.compactMap { sandboxes[$0.sandboxName] }
    return Dictionary(named.map { ($0.name, tokens.token(for: $0)) }) { first, _ in first }
  }
}

extension FieldError {
  /// The error of a name that nothing has: it names the nearest one, or all.
  fileprivate static func unknownName(
    _ path: String, kind: String, _ name: String, known: [String]
  ) -> FieldError {
    let list = known.prefix(20).joined(separator: ", ")
    let hint = known.nearest(to: name).map { "did you mean \"\($0)\"?" } ?? "expected one of \(list)"
    return .unknownName(path, "unknown \(kind) \"\(name)\"; \(hint)")
  }
}
