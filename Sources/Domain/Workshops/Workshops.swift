package import Basics
import Database
package import JSON

/// The workshops of the process.
package struct Workshops {
  let sandboxes: Sandboxes

  private var store: WorkshopStore { sandboxes.shared.workshopStore }

  /// Ordered by name.
  package var all: [Workshop] {
    get throws { try store.workshops.values.filter { !$0.isHidden }.sorted { $0.name < $1.name } }
  }

  package subscript(name: String) -> Workshop? {
    get throws { try store.workshops.values.first { $0.name == name } }
  }

  /// The time of boards, which is that of the default sandbox: participants move their own clocks.
  package var now: Timestamp { store.now }

  /// Changes with everything that a board shows; another number after each start of the server.
  package var changeCount: Int { sandboxes.shared.registry.boards.count }

  /// What has changed on a board since a value of `changeCount`.
  package func update(of workshop: Workshop, after known: Int) -> BoardUpdate {
    sandboxes.shared.registry.boards.update(of: workshop.id, after: known)
  }

  package func participants(of workshop: Workshop) throws -> [Participant] {
    try store.participants(of: workshop)
  }

  package func progress(of workshop: Workshop) throws -> WorkshopProgress {
    try store.progress(of: workshop)
  }

  /// The failures of a participant, except those of the current task. Damaged rules count as none, so that
  /// the board still shows the others.
  package func failures(of participant: Participant) -> [ParticipantFailure] {
    (try? sandboxes[participant.sandboxName]?.failures) ?? []
  }

  /// The sandbox that a join phrase opens.
  package func sandbox(forPhrase phrase: String) throws -> Sandbox? {
    try store.sandboxName(forPhrase: phrase).flatMap { sandboxes[$0] }
  }

  /// What a workshop is created from.
  package struct Draft {
    package let name: String
    package let story: String
    package let flavour: Story.Flavour
    package let participants: [String]
    package let configuration: Sandbox.Configuration

    package init(
      name: String, story: String, flavour: Story.Flavour, participants: [String],
      configuration: Sandbox.Configuration
    ) {
      self.name = name
      self.story = story
      self.flavour = flavour
      self.participants = participants
      self.configuration = configuration
    }

    func sandboxName(_ position: Int) -> String { "\(name)-\(position)" }
  }

  /// A name that a new workshop needs, and that another workshop or sandbox has.
  package struct NameTaken: Error {
    /// `sandbox tuesday-2`
    package let what: String
  }

  /// Starts to make a workshop with a sandbox for each participant. Throws `NameTaken` if a name is taken.
  package func start(
    _ draft: Draft, phrase: @escaping WorkshopBuild.Phrase
  ) throws -> (job: Job, build: WorkshopBuild) {
    let build = try WorkshopBuild(draft, in: sandboxes, phrase: phrase)
    return (build.start(), build)
  }

  /// Starts to add participants to a workshop, with sandboxes like those of the first. Throws `NameTaken` if
  /// the name of a sandbox is taken. `names` returns their names, which must be new, from the number of the
  /// first.
  package func startAdding(
    to workshop: Workshop, _ names: (_ first: Int) throws -> [String], phrase: @escaping WorkshopBuild.Phrase
  ) throws -> (job: Job, build: WorkshopBuild) {
    let present = try participants(of: workshop)
    let first = (present.last?.position ?? 0) + 1
    var configuration = Sandbox.Configuration()
    if let model = present.first.flatMap({ sandboxes[$0.sandboxName] })?.configuration {
      (configuration.seeds, configuration.clock) = (model.seeds, model.clock)
    }
    let draft = Draft(
      name: workshop.name, story: workshop.story, flavour: Story.Flavour(of: workshop),
      participants: try names(first), configuration: configuration)
    let build = try WorkshopBuild(draft, in: sandboxes, extending: workshop, from: first, phrase: phrase)
    return (build.start(), build)
  }

  /// Removes a workshop with its sandboxes.
  package func remove(_ workshop: Workshop) throws {
    let all = try participants(of: workshop).compactMap { sandboxes[$0.sandboxName] }
    for sandbox in all { try sandbox.requireFree() }
    for sandbox in all { try sandboxes.hide(sandbox) }
    try store.remove(workshop)
  }

  /// Changes the sandboxes of participants.
  package func startChange(
    of participants: [Participant], _ change: @escaping (Participant, Sandbox) throws -> Void
  ) -> ParticipantsJob {
    let job = ParticipantsJob(in: sandboxes)
    job.start(for: participants, change)
    return job
  }

  /// Resets the sandboxes of participants, who start with the first task again.
  package func startReset(of participants: [Participant]) -> ParticipantsJob {
    let job = ParticipantsJob(in: sandboxes)
    job.startResets(of: participants)
    return job
  }

  /// Shows a note on the participant's pages; an empty one removes it.
  package func set(note: String, for participant: Participant) throws {
    try store.saveNote(note, for: participant)
  }
}

extension Sandbox {
  package var isInWorkshop: Bool { get throws { try shared.workshopStore.contains(name) } }

  /// The workshop and the participant that the sandbox belongs to; nil for most sandboxes.
  package var workshopPlace: (workshop: Workshop, participant: Participant)? {
    get throws {
      guard let (workshop, position) = try shared.workshopStore.place(of: name) else { return nil }
      return try shared.workshopStore.participants(of: workshop, at: position...position).first.map {
        (workshop, $0)
      }
    }
  }
}

extension Sandboxes {
  package var workshops: Workshops { Workshops(sandboxes: self) }
}

/// The stories of the program, read when the first one is asked for: most sandboxes have no workshop.
///
/// A class because copies of the library share what was read.
final class ShippedStories {
  private let files: [String: SeedLibrary.File]
  private var read: [String: Story]?

  init(_ files: [String: SeedLibrary.File]) { self.files = files }

  func callAsFunction(_ parse: (SeedLibrary.File) throws(FieldError) -> Story) throws(FieldError) -> [String:
    Story]
  {
    if let read { return read }
    var stories: [String: Story] = [:]
    for (name, file) in files { stories[name] = try parse(file) }
    read = stories
    return stories
  }
}

extension SeedLibrary {
  /// The stories of workshops, by name.
  package var stories: [String: Story] {
    get throws(FieldError) {
      try shippedStories(story).merging(addedStories) { $1 }
    }
  }

  /// Adds a story, or replaces the one of this name.
  package mutating func add(story name: String, _ file: File) throws(FieldError) {
    addedStories[name] = try story(file)
  }

  private func story(_ file: File) throws(FieldError) -> Story {
    do throws(FieldError) {
      return try story(Fields(file.bytes, limits: .seed))
    } catch {
      throw error.inDocument(file.name)
    }
  }

  /// Reads a story. An unknown provider, route or error code is an error, because the task could never be
  /// done.
  package func story(_ fields: Fields) throws(FieldError) -> Story {
    var story = Story()
    do throws(FieldError) {
      try Story.schema.merge(fields, into: &story)
    } catch {
      // A misspelt name is the likely reason why another one is missing.
      throw fields.unknownName(in: Story.document) ?? error
    }
    _ = try fields.optionalString("$schema")
    try fields.requireAllRead(of: Story.document)
    for (place, flavour) in story.flavours.enumerated() {
      for (number, task) in flavour.tasks.enumerated() {
        try validate(task, "\(fields.path).flavours[\(place)].tasks[\(number)]")
      }
    }
    return story
  }

  private func validate(_ task: StoryTask, _ path: String) throws(FieldError) {
    try names.validate(task.preparation.scenarios, in: path)
    try names.validate(task.preparation.faults, in: path)
    let control = RouteNames(provider: Story.controlRequests, routes: [], errorCodes: [])
    for (place, step) in task.done.enumerated() {
      let path = "\(path).done[\(place)]"
      if let filter = step.request {
        try (names + [control]).validate(
          provider: filter.provider, route: filter.route, in: "\(path).request")
      }
      if let filter = step.event { try names.validate(provider: filter.provider, in: "\(path).event") }
    }
  }
}

extension Story {
  /// The provider of steps that are requests of the control API. They are selected by method, path and
  /// status.
  package static let controlRequests = "control"

  /// The shape of a story's file.
  package static let document = ObjectSchema(
    schema.name, schema.summary,
    [.init("$schema", .string(), "The URL of this schema, for editors; ignored.")] + schema.object.members)
}
