/// A workshop to create.
struct NewWorkshop: RequestBody {
  var name = ""
  var story = ""
  var flavour: String?
  var participants = NewParticipants.count(1)
  var clock: Timestamp?
  var seeds = [Sandboxes.defaultName]

  static let schema = Schema<NewWorkshop>(
    "NewWorkshop", "A workshop to create.",
    [
      .required("name", \.name, .oneWord, "The name; sandboxes are called NAME-1, NAME-2 and so on."),
      .required("story", \.story, .string(1...40), "The name of a story: GET /control/stories lists them."),
      .optional("flavour", \.flavour, .string, "The name of the story's flavour; the first one by default."),
      .required(
        "participants", \.participants, .newParticipants,
        "The number of participants, or their names, in order."),
      .optional(
        "clock", \.clock, .clockTime, "Freezes the participants' clocks at this time; by default they run."),
      .field(
        "seeds", \.seeds, .array(of: .string, maxItems: SandboxLimits.items),
        default: [Sandboxes.defaultName], "The seeds to load: default, and subfolders of --seeds."),
    ])
}

/// Participants who come later.
struct AddedParticipants: RequestBody {
  var participants = NewParticipants.count(1)

  static let schema = Schema<AddedParticipants>(
    "AddedParticipants", "Participants to add.",
    [
      .required(
        "participants", \.participants, .newParticipants, "Their number, or their names, in order.")
    ])
}

/// A number of participants, who get numbers as names, or a list of names.
enum NewParticipants: Equatable, Sendable {
  case count(Int)
  case names([String])

  static let nameLength = 1...60

  var count: Int {
    switch self {
    case .count(let count): count
    case .names(let names): names.count
    }
  }

  /// All names; numbers begin at `first`. Throws if one is not valid or not unique. `present`: the names of
  /// the participants that the workshop has already.
  func checkedNames(from first: Int = 1, besides present: [String] = []) throws(FieldError) -> [String] {
    switch self {
    case .count(let count):
      let names = (first..<first + count).map(String.init)
      guard let taken = names.first(where: present.contains) else { return names }
      throw FieldError(
        path: "$.participants", expected: "a list of names, because there is a participant \(taken)",
        found: "a number")
    case .names(let names):
      for (place, name) in names.enumerated() {
        let path = "$.participants[\(place)]"
        guard !present.contains(name) else {
          throw FieldError(path: path, expected: "a name that no participant has", found: "\"\(name)\"")
        }
        guard Self.nameLength.contains(name.unicodeScalars.count), Self.isPlain(name) else {
          throw FieldError(
            path: path, expected: "1 to 60 characters without line breaks, not only spaces",
            found: "another text")
        }
        guard !names.prefix(place).contains(name) else {
          throw FieldError(path: path, expected: "a different name for each", found: "\"\(name)\"")
        }
      }
      return names
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    name.contains { !$0.isWhitespace }
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      && !name.contains(where: \.isNewline)
  }
}

extension FieldType<NewParticipants> {
  static var newParticipants: FieldType {
    let most = Workshop.maxParticipants
    return FieldType(
      .anyOf([
        .integer(minimum: 1, maximum: most),
        .array(
          .string(
            minLength: NewParticipants.nameLength.lowerBound, maxLength: NewParticipants.nameLength.upperBound
          ),
          minItems: 1, maxItems: most),
      ]), expected: "a number from 1 to \(most), or a list of 1 to \(most) names"
    ) { json in
      switch json {
      case .integer, .double:
        return json.wholeNumber.flatMap { 1...most ~= $0 ? .count($0) : nil }
      case .array(let items) where 1...most ~= items.count:
        let names = items.compactMap { if case .string(let name) = $0 { name } else { nil } }
        return names.count == items.count ? .names(names) : nil
      default: return nil
      }
    } write: { participants, json in
      switch participants {
      case .count(let count): json.value(count)
      case .names(let names): json.value(names)
      }
    }
  }
}

/// The participants that an action is about; nil: all.
struct ParticipantSelection: RequestBody, Equatable {
  var names: [String]?

  static let fields: [Field<ParticipantSelection>] = [
    .optional(
      "participants", \.names, .array(of: .string, minItems: 1, maxItems: Workshop.maxParticipants),
      "The names of the participants; all by default.")
  ]

  static let schema = Schema<ParticipantSelection>(
    "ParticipantSelection", "Some or all participants.", fields)
}

struct ParticipantFailures: RequestBody {
  var selection = ParticipantSelection()
  var faults: [Fault] = []
  var scenarios: [Scenario] = []

  static let schema = Schema<ParticipantFailures>(
    "ParticipantFailures", "What to break, and for whom.",
    ParticipantSelection.fields.map { $0.lifted(\.selection) } + [
      .field(
        "faults", \.faults, .objects(Fault.schema, maxItems: limit, from: { Fault() }), default: [],
        "Rules about requests that fail."),
      .field(
        "scenarios", \.scenarios, .objects(Scenario.schema, maxItems: limit, from: { Scenario() }),
        default: [],
        "Rules about the outcome of messages."),
    ], constraints: [.atLeastOne(of: ["faults", "scenarios"])])

  /// At once; a sandbox keeps up to `RuleLimits.perList`.
  private static let limit = 10
}

struct ParticipantClock: RequestBody {
  var selection = ParticipantSelection()
  var change = ClockChange()

  static let schema = Schema<ParticipantClock>(
    "ParticipantClock", "A change of clocks, and for whom.",
    ParticipantSelection.fields.map { $0.lifted(\.selection) }
      + ClockChange.schema.fields.map { $0.lifted(\.change) },
    constraints: ClockChange.schema.constraints)
}

struct ParticipantNote: RequestBody {
  var selection = ParticipantSelection()
  var note = ""

  static let schema = Schema<ParticipantNote>(
    "ParticipantNote", "A note, and for whom.",
    ParticipantSelection.fields.map { $0.lifted(\.selection) } + [
      .required("note", \.note, .string(0...500), "The text; an empty one removes the note.")
    ])
}
