/// Workshops: their participants, boards and actions.
extension ControlAPI {
  var workshopOperations: [Operation] {
    [
      Operation(
        .deferred(.get, "/control/stories", as: "listStories", listStories), access: .admin,
        "List the stories of workshops.",
        query: Parameter.namedPage, .page(StoryView.page)),
      Operation(
        .deferred(.get, "/control/workshops", as: "listWorkshops", listWorkshops), access: .admin,
        "List the workshops.",
        query: Parameter.namedPage, .page(WorkshopView.page)),
      Operation(
        .deferred(.post, "/control/workshops", as: "createWorkshop", createWorkshop), access: .admin,
        secret: true,
        "Create a workshop with a sandbox for each participant.", body: NewWorkshop.schema.object,
        .json(BoardView.schema, 201)),
      Operation(
        .get("/control/workshops/{workshop}", as: "fetchWorkshop", fetchWorkshop), access: .admin,
        secret: true,
        "Get the board: each participant with the results of the tasks.", .json(BoardView.schema)),
      Operation(
        .deferred(.get, "/control/workshops/{workshop}/stream", as: "streamBoard", streamBoard),
        access: .admin,
        "Follow the changes of the board (server-sent events).", query: [Parameter.lastChange.member],
        .file("text/event-stream")),
      Operation(
        .delete("/control/workshops/{workshop}", as: "deleteWorkshop", deleteWorkshop), access: .admin,
        "Delete a workshop with its sandboxes.", .empty),
      Operation(
        .deferred(
          .post, "/control/workshops/{workshop}/participants", as: "addParticipants", addParticipants),
        access: .admin, secret: true, "Add participants, each with a sandbox like that of the first.",
        body: AddedParticipants.schema.object, .json(BoardView.schema, 201)),
      Operation(
        .get("/control/workshops/{workshop}/results.csv", as: "fetchResults", fetchResults), access: .admin,
        "Get the results as CSV.", .file("text/csv")),
      Operation(
        .deferred(.post, "/control/workshops/{workshop}/reset", as: "resetParticipants", resetParticipants),
        access: .admin, secret: true,
        "Reset the sandboxes of participants; they start with the first task again.",
        body: ParticipantSelection.schema.object, .json(BoardView.schema)),
      Operation(
        .deferred(.post, "/control/workshops/{workshop}/break", as: "breakParticipants", breakParticipants),
        access: .admin, secret: true,
        "Add faults and scenarios to the sandboxes of participants, before those that they have.",
        body: ParticipantFailures.schema.object, .json(BoardView.schema)),
      Operation(
        .deferred(.post, "/control/workshops/{workshop}/fix", as: "fixParticipants", fixParticipants),
        access: .admin, secret: true,
        "Remove the faults and scenarios of participants, except what their current tasks have prepared.",
        body: ParticipantSelection.schema.object, .json(BoardView.schema)),
      Operation(
        .deferred(.post, "/control/workshops/{workshop}/clock", as: "moveParticipants", moveParticipants),
        access: .admin, secret: true,
        "Change the clocks of participants.", body: ParticipantClock.schema.object, .json(BoardView.schema)),
      Operation(
        .deferred(.post, "/control/workshops/{workshop}/note", as: "noteParticipants", noteParticipants),
        access: .admin, secret: true,
        "Show a note on the pages of participants; an empty one removes it.",
        body: ParticipantNote.schema.object, .json(BoardView.schema)),
      Operation(
        .get("/control/tasks", as: "listTasks", listTasks), access: .participant,
        "List the tasks of this sandbox, with their results. /control/events/stream reports their changes.",
        .json(TasksView.schema)),
      Operation(
        .post("/control/tasks/restart", as: "restartTask", restartTask), access: .participant,
        "Start the current task of this sandbox again, with what is prepared for it.", .json(TasksView.schema)
      ),
    ]
  }

  func listStories(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    try list(StoryView.page, request) { after, limit in
      try sandboxes.seeds.stories.filter { $0.key > after }.sorted { $0.key < $1.key }.prefix(limit)
        .map { ($0.key, StoryView(name: $0.key, story: $0.value)) }
    }
  }

  func listWorkshops(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    try list(WorkshopView.page, request) { after, limit in
      try sandboxes.workshops.all.filter { $0.name > after }.prefix(limit).map { workshop in
        (workshop.name, WorkshopView(workshop, try sandboxes.workshops.progress(of: workshop)))
      }
    }
  }

  func createWorkshop(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let wanted = try request.decodeBody(NewWorkshop.self)
    let (story, flavour) = try story(wanted)
    let names = try wanted.participants.checkedNames()
    var configuration = Sandbox.Configuration()
    configuration.seeds = wanted.seeds
    if let time = wanted.clock { configuration.clock = .frozen(time) }
    try requireRoom(for: names.count)
    let draft = Workshops.Draft(
      name: wanted.name, story: story, flavour: flavour, participants: names, configuration: configuration)
    return try reply(withField: "$.name") {
      try sandboxes.workshops.start(draft, phrase: phrase(in: wanted.name))
    }
  }

  func addParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let wanted = try request.decodeBody(AddedParticipants.self).participants
    let workshop = try self.workshop(request)
    let present = try sandboxes.workshops.participants(of: workshop).map(\.name)
    guard present.count + wanted.count <= Workshop.maxParticipants else {
      throw FieldError(
        path: "$.participants",
        expected: "at most \(Workshop.maxParticipants - present.count) more: a workshop has at most "
          + "\(Workshop.maxParticipants)", found: "\(wanted.count)")
    }
    try requireRoom(for: wanted.count)
    return try reply(withField: "$.participants") {
      try sandboxes.workshops.startAdding(
        to: workshop, { try wanted.checkedNames(from: $0, besides: present) },
        phrase: phrase(in: workshop.name)
      )
    }
  }

  private func phrase(in workshop: String) -> WorkshopBuild.Phrase {
    { position, attempt in
      JoinPhrase.make(
        for: "\(workshop) \(position) \(attempt)", tokens: tokens, entropy: sandboxes.defaultSandbox.entropy)
    }
  }

  /// Answers with the board when it is made. `field` is the one to blame if a name is taken.
  private func reply(
    withField field: String, _ start: () throws -> (job: Job, build: WorkshopBuild)
  ) throws -> Reply {
    do {
      let (job, build) = try start()
      return reply(after: job) { try board(of: build.workshop, status: 201) }
    } catch let taken as Workshops.NameTaken {
      throw ControlProblem(409, "\(field): \(taken.what) exists already; use another name", field: field)
    }
  }

  /// An unknown story or flavour is an error that names the nearest one.
  private func story(_ wanted: NewWorkshop) throws(FieldError) -> (name: String, Story.Flavour) {
    let (stories, name) = (try sandboxes.seeds.stories, wanted.story)
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

  func fetchWorkshop(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try board(of: workshop(request))
  }

  func deleteWorkshop(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandboxes.workshops.remove(workshop(request))
    return Response(204)
  }

  func fetchResults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let workshop = try self.workshop(request)
    let table = ResultsTable(
      workshop, try sandboxes.workshops.participants(of: workshop), at: sandboxes.workshops.now)
    // A spreadsheet takes a file without a mark for one in the code page of its system. Programs want none.
    let mark = request.headers["Accept"]?.contains("text/html") ?? false ? "\u{FEFF}" : ""
    return Response(
      200,
      headers: [
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": "attachment; filename=\"\(workshop.name).csv\"",
      ], body: Array((mark + table.csv).utf8))
  }

  // MARK: Actions

  func resetParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let selection = try request.decodeBody(ParticipantSelection.self)
    let workshop = try self.workshop(request)
    let participants = try selected(selection, in: workshop)
    return reply(after: sandboxes.workshops.startReset(of: participants), in: workshop)
  }

  func breakParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let failures = try request.decodeBody(ParticipantFailures.self)
    let names = sandboxes.seeds.names
    try names.validate(failures.faults, in: "$")
    try names.validate(failures.scenarios, in: "$")
    return try change(failures.selection, request) { _, sandbox in
      try requireRoom("faults", for: failures.faults, besides: sandbox.faults.all)
      try requireRoom("scenarios", for: failures.scenarios, besides: sandbox.scenarios.all)
      try sandbox.faults.add(failures.faults, from: .trainer)
      try sandbox.scenarios.add(failures.scenarios, from: .trainer)
    }
  }

  /// Throws if a participant would have too many rules: every request is compared with all of them.
  private func requireRoom<Content: Rule>(
    _ list: String, for added: [Content], besides present: [CountedRule<Content>]
  ) throws(ControlProblem) {
    let most = RuleLimits.perList
    guard !added.isEmpty, present.count > most - added.count else { return }
    throw ControlProblem(
      409, at: "$.\(list)", "has \(present.count) already; at most \(most). Fix removes them")
  }

  func fixParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let selection = try request.decodeBody(ParticipantSelection.self)
    return try change(selection, request) { try $1.tasks.fix() }
  }

  func moveParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let wanted = try request.decodeBody(ParticipantClock.self)
    return try change(wanted.selection, request) { _, sandbox in
      try wanted.change.requireEnd(after: wanted.change.time ?? sandbox.clockTarget ?? sandbox.clock.now)
      try wanted.change.apply(to: sandbox)
    }
  }

  func noteParticipants(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let wanted = try request.decodeBody(ParticipantNote.self)
    return try change(wanted.selection, request) { participant, _ in
      try sandboxes.workshops.set(note: wanted.note, for: participant)
    }
  }

  /// Changes the sandboxes of selected participants, and answers with the board. It names those for whom it
  /// failed.
  private func change(
    _ selection: ParticipantSelection, _ request: Request,
    _ body: @escaping (Participant, Sandbox) throws -> Void
  ) throws -> Reply {
    let workshop = try self.workshop(request)
    let participants = try selected(selection, in: workshop)
    return reply(after: sandboxes.workshops.startChange(of: participants, body), in: workshop)
  }

  private func reply(after change: ParticipantsJob, in workshop: Workshop) -> Reply {
    reply(after: change.job) {
      let failed = change.failures.map(FailedParticipant.init)
      guard failed.isEmpty || failed.count < change.count else {
        throw ControlProblem(409, failed.map { "\($0.name): \($0.why)" }.joined(separator: "; "))
      }
      return try board(of: workshop, failed: failed)
    }
  }

  private func selected(
    _ selection: ParticipantSelection, in workshop: Workshop
  ) throws -> [Participant] {
    let participants = try sandboxes.workshops.participants(of: workshop)
    let known = participants.map(\.name)
    for (place, name) in (selection.names ?? []).enumerated() where !known.contains(name) {
      throw FieldError.unknownName("$.participants[\(place)]", kind: "participant", name, known: known)
    }
    return participants.filter { selection.names?.contains($0.name) ?? true }
  }

  // MARK: A participant's tasks

  func listTasks(_ request: Request, _ sandbox: Sandbox) throws -> Response { try tasks(of: sandbox) }

  private func tasks(of sandbox: Sandbox) throws -> Response {
    guard let (workshop, participant) = try sandbox.workshopPlace else {
      throw ControlProblem.notFound("workshop with the sandbox \(sandbox.name)")
    }
    return TasksView.schema.response(
      TasksView(workshop: workshop, participant: participant, now: sandboxes.workshops.now))
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

  private func board(
    of workshop: Workshop, failed: [FailedParticipant] = [], status: Status = 200
  ) throws -> Response {
    let now = sandboxes.workshops.now
    let participants = try sandboxes.workshops.participants(of: workshop).map { participant in
      let sandbox = sandboxes[participant.sandboxName]
      return ParticipantView(
        participant: participant, token: sandbox.flatMap { tokens?.token(for: $0) },
        failures: sandboxes.workshops.failures(of: participant), now: now)
    }
    return BoardView.schema.response(
      BoardView(
        workshop: workshop, participants: participants, now: now, cursor: sandboxes.workshops.changeCount,
        failed: failed),
      status: status)
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
