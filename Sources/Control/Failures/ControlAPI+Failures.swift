extension ControlAPI {
  var failureOperations: [Operation] {
    [
      Operation(
        .get("/control/failures", as: "listFailures", listFailures), access: .participant,
        "List the kinds of failure, and the request that produces each.", query: [Parameter.flow.member],
        .json(Self.failureList)),
      Operation(
        .get("/control/failures/{id}", as: "fetchFailure", fetchFailure), access: .participant,
        "Get a kind of failure, with what an app sees of it with each provider.", path: [Parameter.failure],
        .json(Self.failure)),
      Operation(
        .deferred(.post, "/control/failures/{id}", as: "produceFailure", produceFailure),
        access: .participant,
        "Produce a failure, until it is undone.", path: [Parameter.failure],
        body: FailureLimits.schema.object,
        .json(Self.failure)),
      Operation(
        .deferred(.delete, "/control/failures/{id}", as: "undoFailure", undoFailure), access: .participant,
        "Undo a failure: remove its rules, or repair the line of a number.", path: [Parameter.failure],
        query: [Parameter.number.member], .empty),
    ]
  }

  func listFailures(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    Self.failureList.response(FailureGroup.all(of: try Parameter.flow.value(in: request.query)))
  }

  func fetchFailure(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    Self.failure.response(try failure(of: request).shown(with: sandboxes.seeds.names))
  }

  /// The failure whose id is in the path.
  func failure(of request: Request) throws(ControlProblem) -> Failure {
    let id = request[parameter: "id"]
    guard let failure = Failure.named(id) else { throw ControlProblem.notFound(Failure.unknown(id)) }
    return failure
  }

  package static let failureList = Schema<[FailureGroup]>(
    "Failures", "The kinds of failure that an app can meet.",
    [.readOnly("groups", .objects(group), "The parts of the system that fail.") { $0 }])

  private static let group = Schema<FailureGroup>(
    nil, "",
    [
      .readOnly("name", .string, "The part of the system.") { $0.name },
      .readOnly("flow", .word, "What an app does when it meets the failures.") { $0.flow },
      .readOnly("failures", .objects(failure), "Its failures.") { $0.failures },
    ])

  package static let failure = Schema<Failure>(
    "Failure", "A kind of failure.",
    [
      .readOnly("id", .string, "Its id.") { $0.id },
      .readOnly("name", .string, "Its name.") { $0.name },
      .readOnly("effect", .string, "What happens.") { $0.effect },
      .readOnlyIfPresent("request", .object(request), "The request that produces it.") { failure in
        failure.cause.path == nil ? nil : failure.cause
      },
      .readOnlyIfPresent("repair", .object(request), "The request that undoes it.") { $0.repair },
      .readOnlyIfPresent("manual", .string, "Steps for a person or an app, without a request.") {
        $0.cause.steps
      },
      .readOnlyIfPresent("number", .string, "A number whose last digits have the same effect.") { $0.number },
      .readOnlyIfPresent(
        "providers", .objects(shown), "What an app sees with each provider; absent in a list of failures."
      ) { $0.shown },
    ])

  private static let shown = Schema<Failure.Shown>(
    nil, "",
    [
      .readOnly("provider", .string, "The provider.") { $0.provider },
      .readOnly(
        "places", .objects(ShownFailures.Place.schema),
        "What differs from the flow without a failure; empty if nothing does."
      ) { $0.places },
    ])

  private static let request = Schema<Failure.Cause>(
    nil, "",
    [
      .readOnly("method", .string, "The method.") { $0.method ?? "" },
      .readOnly("path", .string, "The path; {number} stands for a phone number.") { $0.path ?? "" },
      .readOnly("body", .json(.map(.any)), "The body.") { cause in
        cause.body.flatMap { try? JSON(parsing: Array($0.utf8)) } ?? .object([])
      },
    ])
}

extension Failure {
  package static func named(_ id: String) -> Failure? {
    FailureGroup.all.lazy.flatMap(\.failures).first { $0.id == id }
  }

  /// `failure text-lots; did you mean text-lost?`, for an id that no failure has.
  package static func unknown(_ id: String) -> String {
    "failure \(id); \(meant(by: id).map { "did you mean \($0)?" } ?? "GET /control/failures lists all")"
  }

  /// The id that one without a failure is a misspelling of: `text-lots`, or `lost-text` for `text-lost`.
  package static func meant(by id: String) -> String? {
    let ids = FailureGroup.all.flatMap { $0.failures.map(\.id) }
    let words = { (text: String) in text.lowercased().split(separator: "-").sorted() }
    return ids.first { words($0) == words(id) } ?? ids.nearest(to: id)
  }

  /// The same with what apps see of it with each provider.
  package func shown(with names: [RouteNames]) -> Failure {
    var failure = self
    failure.shown = names.compactMap { names in
      ShownFailures(names.failureRecord()).places(of: self).map {
        Shown(provider: names.provider, places: $0)
      }
    }
    return failure
  }
}

extension FailureGroup {
  /// Those that an app meets in a flow; nil for all.
  package static func all(of flow: Flow?) -> [FailureGroup] { all.filter { flow == nil || flow == $0.flow } }
}
