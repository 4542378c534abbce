/// The failures that a test has switched on.
actor Failures {
  /// The lists of rules, and the member that names their entries.
  private static let lists = [
    "/control/scenarios": "scenarios", "/control/faults": "faults",
    "/control/webhooks/faults": "webhookFaults",
  ]
  private static let rules =
    lists.keys.sorted() + ["/control/latency", "/control/limits", "/control/chaos"]

  private struct Known: Decodable {
    struct Group: Decodable { let failures: [Ringfence.Failure] }
    let groups: [Group]
  }

  private let control: Control
  private var repairs: [String: Ringfence.Failure.Repair] = [:]
  /// A list is read and written as a whole: one after the other.
  private var last: Task<Void, any Error>?

  init(_ control: Control) { self.control = control }

  func begin(_ id: String, to number: String?, provider: String?, times: Int?) async throws {
    try await inTurn { try await self.start(id, number, provider, times) }
  }

  func repair() async throws {
    try await inTurn { try await self.undo() }
  }

  func forget() { repairs = [:] }

  private func inTurn(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let before = last
    let task = Task {
      _ = await before?.result
      try await work()
    }
    last = task
    try await task.value
  }

  private func start(_ id: String, _ number: String?, _ provider: String?, _ times: Int?) async throws {
    let failure = try await find(id)
    guard let request = failure.request else {
      throw RingfenceError("\(id) has no request: \(failure.manual ?? failure.effect)")
    }
    if let member = Failures.lists[request.path] {
      let added = (request.body[member]?.array ?? []).map { rule in
        narrowed(rule, hasMatch: member == "scenarios", number, provider, times)
      }
      return try await add(added, to: request.path, member)
    }
    let needsNumber = request.path.contains("{number}")
    if needsNumber, number == nil {
      throw RingfenceError("to: expected a phone number, because \(id) is about one phone")
    }
    let given = [
      "to": needsNumber ? nil : number, "provider": provider, "times": times.map { "\($0)" },
    ].compactMapValues { $0 }
    if let name = given.keys.min() {
      throw RingfenceError("\(name): has no effect on \(id), which is not a rule (\(failure.effect))")
    }
    if let repair = failure.repair { repairs[filled(repair.path, number) + id] = filled(repair, number) }
    // 409: the provider has refused a faulty answer, as it should.
    let missing: Set = request.body["fault"] == nil ? [] : [409]
    _ = try await control.send(
      request.method, filled(request.path, number), .object(request.body), missing: missing)
  }

  private func undo() async throws {
    for path in Failures.rules { try await control.delete(path) }
    for repair in repairs.values {
      _ = try await control.send(repair.method, repair.path, .object(repair.body))
    }
    repairs = [:]
  }

  private func find(_ id: String) async throws -> Ringfence.Failure {
    let known: Known = try await control.value("GET", "/control/failures")
    let failures = known.groups.flatMap(\.failures)
    if let found = failures.first(where: { $0.id == id }) { return found }
    let ids = failures.map(\.id)
    let hint = nearest(to: id, in: ids).map { "did you mean \($0)?" }
    throw RingfenceError(
      "unknown failure \"\(id)\"; \(hint ?? "expected one of \(ids.joined(separator: ", "))")")
  }

  /// The first rule that acts wins, so new ones come before the others.
  private func add(_ rules: [JSON], to path: String, _ member: String) async throws {
    let present = try await control.get(path)[member].array ?? []
    try await control.put(path, [member: .array(rules + present)])
  }

  private func filled(_ path: String, _ number: String?) -> String {
    path.replacing("{number}", with: segment(number ?? ""))
  }

  private func filled(_ repair: Ringfence.Failure.Repair, _ number: String?) -> Ringfence.Failure.Repair {
    .init(method: repair.method, path: filled(repair.path, number), body: repair.body)
  }
}

/// Of a scenario, what it is about is in `match`.
private func narrowed(
  _ rule: JSON, hasMatch: Bool, _ number: String?, _ provider: String?, _ times: Int?
) -> JSON {
  var rule = rule.object ?? [:]
  var about = hasMatch ? rule["match"]?.object ?? [:] : rule
  if let number { about["number"] = .string(number) }
  if let provider { about["provider"] = .string(provider) }
  if hasMatch { rule["match"] = .object(about) } else { rule = about }
  if let times { rule["times"] = .number(Double(times)) }
  return .object(rule)
}
