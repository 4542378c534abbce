import Basics
import JSON
import Numbers

/// What is broken while a task is the current one.
struct Preparation: Equatable, Sendable {
  var scenarios: [Scenario] = []
  var faults: [Fault] = []
  /// Records that are merged into those of their numbers, each with its number.
  var subscribers: [JSON] = []

  static let fields: [Field<Preparation>] = [
    .field(
      "scenarios", \.scenarios, .objects(Scenario.schema, maxItems: RuleLimits.perList, from: { Scenario() }),
      default: [],
      "Rules about the outcome of messages while the task is the current one."),
    .field(
      "faults", \.faults, .objects(Fault.schema, maxItems: RuleLimits.perList, from: { Fault() }),
      default: [],
      "Rules about requests that fail while the task is the current one."),
    subscribersField,
  ]

  private static let subscribersField = Field<Preparation>(
    ObjectSchema.Member(
      "subscribers",
      .array(
        .object(Subscriber.schema.object.requiring("number", as: "StorySubscriber")),
        maxItems: StoryLimits.subscribers),
      "Numbers whose records change while the task is the current one.", .optional)
  ) { input, preparation throws(FieldError) in
    guard let list = try input.optionalObjects("subscribers", atMost: StoryLimits.subscribers) else { return }
    for fields in list {
      // Only to report errors now.
      var subscriber = Subscriber(
        unrecorded: try fields.value("number", .phoneNumber), since: Timestamp(milliseconds: 0))
      try subscriber.merge(fields)
    }
    if case .array(let records)? = try input.optionalJSON("subscribers") { preparation.subscribers = records }
  } write: { preparation, json in
    guard !preparation.subscribers.isEmpty else { return }
    json.member("subscribers", JSON.array(preparation.subscribers))
  }

  var hasRules: Bool { !scenarios.isEmpty || !faults.isEmpty }

  /// Breaks what the task wants broken. Returns what the subscribers' records were before, for `end`.
  func start(in sandbox: Sandbox) throws -> [JSON] {
    try sandbox.scenarios.add(scenarios, from: .task)
    try sandbox.faults.add(faults, from: .task)
    return try subscribers.map { record in
      let fields = try Fields(record)
      let number = try fields.value("number", .phoneNumber)
      let earlier = try sandbox.subscribers.recorded(number)
      var subscriber = try sandbox.subscribers[number]
      try subscriber.merge(fields, at: sandbox.clock.now)
      try sandbox.subscribers.keep(subscriber)
      return earlier.map(sandbox.subscribers.export)
        ?? .object([.init(name: "number", value: .string(number.description))])
    }
  }

  /// Removes what `start` added.
  func end(in sandbox: Sandbox, restoring records: [JSON]) throws {
    try sandbox.scenarios.remove { $0 == .task }
    try sandbox.faults.remove { $0 == .task }
    for record in records {
      let fields = try Fields(record)
      let number = try fields.value("number", .phoneNumber)
      _ = try sandbox.subscribers.forget(number)
      guard fields.count > 1 else { continue }
      var subscriber = try sandbox.subscribers[number]
      try subscriber.merge(fields)
      try sandbox.subscribers.keep(subscriber)
    }
  }
}
