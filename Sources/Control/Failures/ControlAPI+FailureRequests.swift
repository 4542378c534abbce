/// Produces and undoes failures by their ids.
extension ControlAPI {
  func produceFailure(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let failure = try failure(of: request)
    let limits = try request.decodeBody(FailureLimits.self)
    try sandboxes.seeds.names.validate(provider: limits.provider, in: "$")
    try requireEffect(of: failure, on: limits.provider)
    if let steps = failure.cause.steps {
      throw ControlProblem(409, "\(failure.id) is a step of a person or an app: \(steps)")
    }
    guard let kind = failure.cause.ruleKind else {
      try limits.requireNumberAlone(for: failure)
      do {
        return try send(failure.cause, limits.number, request, sandbox).map {
          $0.isSuccess ? Self.failure.response(failure) : $0
        }
      } catch let refusal as ControlProblem where refusal.isOnPurpose {
        // The provider refuses a faulty answer, as it should.
        return .now(Self.failure.response(failure))
      }
    }
    try add(kind, limits.applied(to: failure), to: sandbox)
    return .now(Self.failure.response(failure))
  }

  func undoFailure(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let failure = try failure(of: request)
    let number = try Parameter.number.value(in: request.query)
    if let repair = failure.repair {
      guard number != nil || !repair.needsNumber else {
        throw FormError(field: Parameter.number.name, expected: "the phone number of the line")
      }
      return try send(repair, number, request, sandbox).map { $0.isSuccess ? Response(204) : $0 }
    }
    guard let kind = failure.cause.ruleKind else {
      throw ControlProblem(409, "nothing undoes \(failure.id) but POST /control/reset")
    }
    guard try remove(kind, failure, number, from: sandbox) else {
      throw ControlProblem(404, "\(failure.id) is not on\(number.map { " for \($0)" } ?? "")")
    }
    return .now(Response(204))
  }

  /// Fails if a provider has nothing of the failure's kind.
  private func requireEffect(of failure: Failure, on provider: String?) throws(FieldError) {
    let group = FailureGroup.all.first { $0.failures.contains { $0.id == failure.id } }
    guard let provider, let group,
      let names = sandboxes.seeds.names.first(where: { $0.provider == provider }),
      let reason = ShownFailures(names.failureRecord()).reason(against: group.flow)
    else { return }
    throw FieldError(
      path: "$.provider", expected: "one that \(failure.id) can happen to (\(reason.dropLast()))",
      found: .string(provider))
  }

  /// The rule before the others, because the first one that matches wins.
  private func add<Content: Rule>(_ kind: Content.Type, _ rule: JSON, to sandbox: Sandbox) throws {
    let fields = try Fields(rule)
    let added = try sandboxes.seeds.rules(kind, from: [fields], for: sandbox)
    try fields.requireAllRead(of: Content.schema.object)
    guard try Content.count(in: sandbox) < RuleLimits.perList else {
      throw ControlProblem(
        409,
        "there are \(RuleLimits.perList) \(Content.noun)s, which is the maximum; DELETE \(Content.controlPath)"
      )
    }
    try Content.rules(of: sandbox).add(added, from: .control)
  }

  /// False if no rule is this failure, or none of them is for this number.
  private func remove<Content: Rule>(
    _ kind: Content.Type, _ failure: Failure, _ number: String?, from sandbox: Sandbox
  ) throws -> Bool {
    let present = try Content.rules(of: sandbox).all.map(\.rule)
    let kept = present.filter { rule in
      let json = JSON(written: Content.schema.encode(rule))
      let own = json["number"] ?? json["match"]?["number"]
      return FailureMatch.failure(of: json, in: Content.listName)?.id != failure.id
        || number != nil && own != number.map(JSON.string)
    }
    guard kept.count < present.count else { return false }
    try Content.rules(of: sandbox).replace(with: kept) { _ in true }
    return true
  }

  /// The reply of the operation that a failure names.
  private func send(
    _ cause: Failure.Cause, _ number: String?, _ request: Request, _ sandbox: Sandbox
  ) throws -> Reply {
    let path = cause.path ?? ""
    let operation = operations.first {
      $0.route.method.rawValue == cause.method
        && $0.route.pattern.collides(with: Pattern(stringLiteral: path))
    }
    guard let route = operation?.route, let handler = route.handler else {
      preconditionFailure("there is no operation \(path)")
    }
    var call = Request(
      route.method, Target(path), headers: request.headers, body: Array((cause.body ?? "").utf8),
      scheme: request.scheme, peer: request.peer)
    if let number, let name = route.pattern.names.first { call.parameters.add(name, number) }
    return try handler(call, sandbox)
  }
}

/// To whom a failure happens, and how often.
struct FailureLimits: RequestBody {
  var number: String?
  var provider: String?
  var times: Int?
  /// Nil if nothing else narrows the rule down.
  var rule: JSON?

  static let schema = Schema<FailureLimits>(
    "FailureLimits", "To whom a failure happens, and how often.",
    [
      .nullable(
        "number", \.number, .destination,
        "Only to this phone number or email address. Failures of a line need it."),
      .nullable("provider", \.provider, .string, "Only with this provider."),
      .nullable("times", \.times, .position, "How often. By default always."),
      .nullable(
        "rule", \.rule, .anyObject, "Members of the rule, such as route, and of a scenario's match."),
    ])

  /// Fails unless they fit a failure that is a request, and no rule.
  func requireNumberAlone(for failure: Failure) throws(FieldError) {
    let unfit = [("provider", provider != nil), ("times", times != nil), ("rule", rule != nil)].first { $0.1 }
    if let unfit {
      throw FieldError(
        path: "$.\(unfit.0)", expected: "none, because \(failure.id) is no rule", found: "a value")
    }
    if failure.cause.needsNumber, number == nil {
      throw try Fields(.object([])).mismatch("number", expected: "the phone number of the line")
    }
    if !failure.cause.needsNumber, let number {
      throw FieldError(
        path: "$.number", expected: "none, because it is for everybody", found: .string(number))
    }
  }

  /// The failure's rule with these limits. Those of a scenario are in its `match`.
  func applied(to failure: Failure) -> JSON {
    guard case .object(var members) = JSON(written: Array((failure.cause.json ?? "").utf8)) else {
      return .null
    }
    var match: [JSON.Member] = []
    if let number { match.append(.init("number", number)) }
    if let provider { match.append(.init("provider", provider)) }
    if let times { members = members.filter { $0.name != "times" } + [.init("times", times)] }
    var more: [JSON.Member] = []
    if case .object(let given)? = rule { more = given }
    guard failure.cause.list == Scenario.listName else { return members.replaced(by: match + more) }
    let outer = Set(Scenario.schema.object.members.map(\.name))
    match += more.filter { !outer.contains($0.name) }
    var own: [JSON.Member] = []
    if case .object(let given)? = JSON.object(members)["match"] { own = given }
    return members.replaced(
      by: more.filter { outer.contains($0.name) } + [.init(name: "match", value: own.replaced(by: match))])
  }
}

extension [JSON.Member] {
  /// An object in which these members replace those of the same names.
  fileprivate func replaced(by more: [JSON.Member]) -> JSON {
    .object(filter { old in !more.contains { $0.name == old.name } } + more)
  }
}
