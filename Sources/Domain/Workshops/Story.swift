package import JSON

/// The tasks of a workshop: the content of `Seeds/workshops/<story>.json`.
package struct Story: Equatable, Sendable {
  package var title = ""
  package var summary = ""
  /// At least one.
  package var flavours: [Flavour] = []

  /// The same story with another provider.
  package struct Flavour: Equatable, Sendable {
    package var name = ""
    package var tasks: [StoryTask] = []

    package init() {}

    /// The one that a workshop was created with.
    init(of workshop: Workshop) { (name, tasks) = (workshop.flavour, workshop.tasks) }

    fileprivate static let schema = Schema<Flavour>(
      "StoryFlavour", "A story with one provider.",
      [
        .required(
          "name", \.name, .oneWord, "The flavour's name: the provider's, if there is one flavour for each."),
        .required(
          "tasks", \.tasks, .objects(StoryTask.schema, maxItems: StoryLimits.tasks, from: { StoryTask() }),
          "The tasks, in order. One is the current one; the next follows when it is done."),
      ])
  }

  package init() {}

  package static let schema = Schema<Story>(
    "Story", "The tasks of a workshop: the content of Seeds/workshops/<story>.json.",
    [
      .required("title", \.title, .string(1...100), "The title."),
      .required("summary", \.summary, .string(1...500), "What participants learn."),
      .required(
        "flavours", \.flavours, .objects(Flavour.schema, maxItems: StoryLimits.flavours, from: { Flavour() }),
        "The story, once for each provider that it can be played with."),
    ]
  ) { input, story throws(FieldError) in
    guard !story.flavours.isEmpty else { throw input.mismatch("flavours", expected: "at least one flavour") }
    let names = story.flavours.map(\.name)
    for (place, flavour) in story.flavours.enumerated() {
      let path = "\(input.path).flavours[\(place)]"
      if flavour.tasks.isEmpty {
        throw FieldError(path: "\(path).tasks", expected: "at least one task", found: "none")
      }
      if names.prefix(place).contains(flavour.name) {
        throw FieldError(
          path: "\(path).name", expected: "another name than the flavours before",
          found: "\"\(flavour.name)\"")
      }
    }
  }
}

/// The maximum numbers of a story's parts.
package enum StoryLimits {
  static let flavours = 10
  static let tasks = 50
  static let steps = 10
  static let subscribers = 20
  static let commands = 10
}

/// One task of a story: what to do, what is broken meanwhile, and how it is recognised as done.
package struct StoryTask: Equatable, Sendable {
  package var title = ""
  package var text = ""
  package var hint: String?
  package var commands: [StoryCommand] = []
  /// What to do when the provider refuses because a limit is reached.
  package var limit: String?
  var preparation = Preparation()
  /// At least one. They match in this order; anything may happen between them.
  var done: [StoryStep] = []

  package init() {}

  static let schema = Schema<StoryTask>(
    "StoryTask", "One task of a story.",
    [
      .required("title", \.title, .string(1...100), "The title, for the board."),
      .required("text", \.text, .string(1...2000), "What to do."),
      .optional("hint", \.hint, .string(1...2000), "Help for those who are stuck."),
      .field(
        "commands", \.commands,
        .objects(StoryCommand.schema, maxItems: StoryLimits.commands, from: { StoryCommand() }), default: [],
        "Commands to copy, in the order in which they are needed."),
      .optional(
        "limit", \.limit, .string(1...1000),
        "What to do when the provider refuses because a limit is reached."),
    ] + Preparation.fields.map { $0.lifted(\.preparation) } + [
      .required(
        "done", \.done, .objects(StoryStep.schema, maxItems: StoryLimits.steps, from: { StoryStep() }),
        "What has to happen until the task is done, in this order. Anything may happen in between.")
    ]
  ) { input, task throws(FieldError) in
    if task.done.isEmpty { throw input.mismatch("done", expected: "at least one request or event") }
  }
}

/// A command that participants can copy.
package struct StoryCommand: Equatable, Sendable {
  package var title = ""
  var code = ""

  init() {}

  static let schema = Schema<StoryCommand>(
    "StoryCommand", "A command to copy.",
    [
      .required("title", \.title, .string(1...100), "What it does."),
      .required(
        "code", \.code, .string(1...2000),
        "The command. {{NAME}} becomes the participant's value of a variable of ringfence env, such as "
          + "{{RINGFENCE_URL}}; {{TOKEN_OPTION}} becomes curl's option with the sandbox's token, if one is required; "
          + "{{BROWSER_ADDRESS}} the address of the machine whose browser shows the task."
      ),
    ])

  /// The command with a participant's values; a name without a value stays.
  package func code(with values: [String: String]) -> String {
    Placeholders.doubleBraces.fill(code) { values[$0] }
  }
}

/// A request or an event that a task waits for.
struct StoryStep: Equatable, Sendable {
  var request: JournalFilter?
  var event: EventFilter?

  static let schema = Schema<StoryStep>(
    "StoryStep", "A request with its answer, or an event: one of the two.",
    [
      .optional(
        "request", \.request, .object(JournalFilter.schema, from: { JournalFilter() }),
        "An answered request, in the language of POST /control/journal/verify. The provider control means requests of "
          + "the control API."),
      .optional(
        "event", \.event, .object(EventFilter.schema, from: { EventFilter() }),
        "An event, as GET /control/events lists it. Events that a request causes come before its answer."),
    ], constraints: [.atLeastOne(of: ["request", "event"])]
  ) { input, step throws(FieldError) in
    guard step.request != nil, step.event != nil else { return }
    throw input.mismatch("event", expected: "nothing, because request has a value")
  }
}

/// Selects events of a sandbox; nil matches all.
struct EventFilter: Equatable, Sendable {
  var kind = Event.Kind.messageSent
  var provider: String?
  var destination: String?

  static let schema = Schema<EventFilter>(
    nil, "",
    [
      .required("kind", \.kind, .word, "The kind."),
      .optional("provider", \.provider, .string, "Only events of this provider."),
      .optional("to", \.destination, .string, "Only events of this phone number, email address or URL."),
    ])

  func matches(_ event: Event) -> Bool {
    event.kind == kind && (provider == nil || provider == event.provider)
      && (destination == nil || destination == event.destination)
  }
}

extension FieldType<String> {
  /// The name of a story, a flavour or a workshop: part of a path without encoding.
  package static var oneWord: FieldType {
    .text(.string(pattern: "^[A-Za-z0-9_-]{1,40}$"), expected: "1 to 40 letters, digits, - or _") { text in
      (1...40).contains(text.utf8.count)
        && text.utf8.allSatisfy {
          $0.isDigit || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }
  }
}
