import Control

/// Failures by their names in `GET /control/failures`.
struct FailureTools {
  private let maker: ToolMaker

  init(_ maker: ToolMaker) { self.maker = maker }

  private static let failures = FailureGroup.all.flatMap(\.failures)
  private static let name = FieldType<String>.oneOf(failures.map(\.id))

  var all: [Tool] {
    [
      maker.tool(
        "list_failures", "List the failures that can be produced", .reads,
        """
        List what can go wrong, by the names that fail takes: providers that answer 500, texts that are lost or late, \
        wrong signatures of webhooks, SIM swaps and so on. Give flow to see more of those that one kind of app meets.
        """,
        operation: "listFailures", only: ["flow"], shorten: Self.short),
      Tool(
        "fail", "Let something go wrong", .changes,
        """
        Produce a failure by its name, to test what the app does then. It lasts until repair, or for as many times as \
        times says. list_failures explains the names.
        """,
        [
          .init("failure", Self.name.schema, "The failure's name, such as text-lost or api-503.", .required),
          .init("number", .string(), "Only for this phone number. Some failures of a line need one."),
          maker.provider("Only for this provider."),
          .init(
            "times", .integer(minimum: 1), "How often, such as 1 for the next time only. By default always."),
          .init("every", .integer(minimum: 1), "One of so many times, such as 3 for each third."),
          .init(
            "rate", .number(minimum: 0.0001, maximum: 1), "This share of the times, such as 0.2 for 20 %."),
          .init("delayMs", .integer(minimum: 0), "How late, for failures such as text-late."),
        ], action: fail),
      Tool(
        "repair", "End failures", .changes,
        """
        End a failure that fail has produced, or without its name all rules that break something in the sandbox. \
        show_sandbox lists what is on.
        """,
        [
          .init("failure", .string(), "The failure's name. By default all that are rules, and chaos."),
          .init("number", .string(), "The phone number, for a failure of a line."),
        ], action: repair),
    ]
  }

  /// Without the requests, which agents need not send themselves; of all flows names and effects.
  private static func short(_ answer: JSON, _ arguments: Fields) throws -> JSON {
    let failures = (answer["groups"]?.items ?? []).flatMap { group in
      (group["failures"]?.items ?? []).map { failure in
        arguments.has("flow")
          ? short(failure, of: group)
          : .object([.init("failure", failure["id"]?.text), .init("effect", failure["effect"]?.text)])
      }
    }
    return .object([.init(name: "failures", value: .array(failures))])
  }

  private static func short(_ failure: JSON, of group: JSON) -> JSON {
    var members: [JSON.Member] = [
      .init("failure", failure["id"]?.text), .init("of", group["name"]?.text),
      .init("name", failure["name"]?.text), .init("effect", failure["effect"]?.text),
    ]
    if let manual = failure["manual"] { members.append(.init(name: "byHand", value: manual)) }
    return .object(members)
  }

  // MARK: Fail

  private func fail(_ arguments: Fields, _ calls: ControlCalls) throws -> Reply {
    let failure = try Self.failure(of: arguments)
    let number = try arguments.optionalString("number")
    let delay = try arguments.optionalInt("delayMs")
    let done = { (response: Response) in
      guard response.isSuccess else { return response }
      // With another delay the rule is none of the table.
      return Self.answer([
        .init("failure", failure.id),
        .init("effect", delay.map { "\(failure.name), after \($0) ms" } ?? failure.effect),
        .init("number", number),
        .init(
          "undo",
          delay == nil ? Self.undo(failure, of: number) : "repair without failure, which ends all rules"),
      ])
    }
    if let steps = failure.cause.steps {
      for name in ["provider", "times", "delayMs"] + Self.turns where arguments.has(name) {
        throw FieldError(
          path: "$.\(name)", expected: "none, because \(failure.id) is no rule", found: "a value")
      }
      return .now(
        Self.answer([.init("failure", failure.id), .init("effect", failure.effect), .init("byHand", steps)]))
    }
    let rule =
      try Self.turns.filter(arguments.has).map { JSON.Member(name: $0, value: try arguments.json($0)) }
      + Self.delay(arguments, of: failure)
    let body: [JSON.Member] = try [
      .init("number", number), .init("provider", arguments.optionalString("provider")),
      .init("times", arguments.optionalInt("times")),
      .init(name: "rule", value: rule.isEmpty ? .null : .object(rule)),
    ]
    return calls.send(.post, Self.path(of: failure), body: .object(body)).map(done)
  }

  /// Members of a rule that choose matches.
  private static let turns = ["every", "rate"]

  /// Members in which rules say how late something is.
  private static let delays = ["afterMs", "delayMs", "latencyMs"]

  /// The rule's member with the delay that an agent wants; empty by default.
  private static func delay(_ arguments: Fields, of failure: Failure) throws(FieldError) -> [JSON.Member] {
    guard let delay = try arguments.optionalInt("delayMs") else { return [] }
    let rule = (try? JSON(parsing: Array((failure.cause.json ?? "").utf8))) ?? .null
    guard let name = delays.first(where: { rule[$0] != nil }) else {
      throw FieldError(
        path: "$.delayMs", expected: "none, because \(failure.id) is not late", found: .integer(Int64(delay)))
    }
    return [.init(name, delay)]
  }

  private static func path(of failure: Failure) -> String { "/control/failures/\(failure.id)" }

  private static func failure(of arguments: Fields) throws -> Failure {
    let id = try arguments.string("failure")
    guard let failure = Failure.named(id) else {
      if let meant = Failure.meant(by: id) {
        throw FieldError.unknownName("$.failure", "unknown value \"\(id)\"; did you mean \"\(meant)\"?")
      }
      throw FieldError(path: "$.failure", expected: "a failure of list_failures", found: .string(id))
    }
    return failure
  }

  private static func undo(_ failure: Failure, of number: String? = nil) -> String {
    failure.cause.list != nil || failure.repair != nil
      ? "repair with failure \(failure.id)" + (number.map { " and number \($0)" } ?? "")
      : "nothing undoes it; reset_sandbox begins again"
  }

  /// The failures that a line's record has, and that can be repaired; those that are the same together.
  static func failures(of line: JSON) -> [[String]] {
    let found = failures.filter { failure in
      guard failure.repair != nil, failure.cause.method == "PUT",
        case .object(let members)? = failure.cause.body.flatMap({ try? JSON(parsing: Array($0.utf8)) })
      else { return false }
      return members.allSatisfy { line[$0.name] == $0.value }
    }
    return Dictionary(grouping: found) { $0.cause.body ?? "" }.values.map { $0.map(\.id).sorted() }
      .sorted { $0[0] < $1[0] }
  }

  // MARK: Repair

  private func repair(_ arguments: Fields, _ calls: ControlCalls) throws -> Reply {
    let number = try arguments.optionalString("number")
    guard arguments.has("failure") else {
      if let number {
        throw FieldError(path: "$.number", expected: "none without failure", found: .string(number))
      }
      return try repairAll(calls)
    }
    let failure = try Self.failure(of: arguments)
    guard failure.cause.list != nil || failure.repair != nil else {
      return .now(.text(409, "\(failure.id): \(Self.undo(failure))"))
    }
    let query = number.map { "?number=\(PercentCoding.encode($0))" } ?? ""
    return calls.send(.delete, Self.path(of: failure) + query).map { response in
      response.isSuccess ? Self.answer([.init("repaired", failure.id)]) : response
    }
  }

  /// The rules of a list: the failure that each is, for whom, and how often it acted.
  static func rules(at path: String, _ calls: ControlCalls) -> [JSON] {
    guard case .object(let lists)? = try? calls.fetch(path) else { return [] }
    return lists.flatMap { list in
      (list.value.items ?? []).map { rule in
        let match = rule["match"] ?? rule
        let members: [(String, JSON?)] = [
          (
            "failure",
            FailureMatch.failure(of: rule, in: list.name).map { .string($0.id) } ?? .string(list.name)
          ),
          ("number", match["number"]), ("provider", match["provider"]), ("times", rule["times"]),
          ("applied", rule["applied"]),
        ]
        return .object(
          members.compactMap { name, value in
            value.flatMap { $0 == .null ? nil : JSON.Member(name: name, value: $0) }
          })
      }
    }
  }

  private func repairAll(_ calls: ControlCalls) throws -> Reply {
    for path in RuleKinds.all.map({ $0.controlPath }) + [ControlAPI.chaosPath] {
      let response = calls.answer(.delete, path)
      guard response.isSuccess else { return .now(response) }
    }
    return .now(Self.answer([.init("repaired", "all rules that break something")]))
  }

  private static func answer(_ members: [JSON.Member]) -> Response {
    .json(200, JSON.object(members.filter { $0.value != .null }).encoded())
  }
}

extension JSON {
  var items: [JSON]? { if case .array(let items) = self { items } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
