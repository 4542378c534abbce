extension ControlAPI {
  package static let chaosPath = "/control/chaos"

  var chaosOperations: [Operation] {
    [
      Operation(
        .get(Pattern(stringLiteral: Self.chaosPath), as: "fetchChaos", fetchChaos), access: .participant,
        "Show the chaos, or the last one, and which failures it has chosen.", .json(Self.chaosRun)),
      Operation(
        .put(Pattern(stringLiteral: Self.chaosPath), as: "putChaos", putChaos), access: .participant,
        "Let a share of everything fail at random. It begins again with the first failure of its seed.",
        body: Chaos.schema.object, .json(Self.chaosRun)),
      Operation(
        .delete(Pattern(stringLiteral: Self.chaosPath), as: "endChaos", endChaos), access: .participant,
        "End the chaos. What it has done is shown until the next one.", .empty),
    ]
  }

  func fetchChaos(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    Self.chaosRun.response(try sandbox.chaos.latest ?? .none)
  }

  func putChaos(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.chaos.start(request.decodeBody(Chaos.self))
    return try fetchChaos(request, sandbox)
  }

  func endChaos(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.chaos.end()
    return Response(204)
  }

  static let chaosRun = Schema<ChaosRun>(
    "ChaosRun", "The chaos and what it has done. Before the first one, the rate is 0.",
    [
      .readOnly("on", .boolean, "False before the first chaos, and after its end.") { $0.isOn },
      .readOnly("rate", .number(0...1), "The share that fails.") { $0.chaos.rate },
      .readOnly("seed", .integer, "The seed of the choices.") { $0.chaos.seed },
      .readOnly("chances", .count, "How often something could fail.") { $0.chances },
      .readOnly("failures", .objects(chosen), "The failures so far.") { run in
        FailureGroup.all.flatMap(\.failures).compactMap { failure in
          run.failures[failure.id].map { ChosenFailure(failure: failure, count: $0) }
        }
      },
    ])

  private static let chosen = Schema<ChosenFailure>(
    nil, "",
    [
      .readOnly("id", .string, "The id in GET /control/failures.") { $0.failure.id },
      .readOnly("name", .string, "Its name.") { $0.failure.name },
      .readOnly("count", .count, "How often.") { $0.count },
    ])
}

extension Chaos: RequestBody {}

private struct ChosenFailure {
  let failure: Failure
  let count: Int
}

extension FailureGroup {
  package static let chaosTable: ChaosTable = {
    func rules<Content: Rule>() -> ChaosTable.Entries<Content> {
      all.flatMap(\.failures).compactMap { failure in failure.rule().map { (failure.id, $0) } }
    }
    return ChaosTable(faults: rules(), scenarios: rules(), webhookFaults: rules())
  }()
}
