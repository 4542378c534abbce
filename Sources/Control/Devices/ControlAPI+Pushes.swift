import Domain
import HTTP
import JSON

/// Notifications to apps: what was pushed, what the app told of it, and what was answered.
/// Source: `push-gateway.md` 5.
extension ControlAPI {
  func listPushes(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let query = try request.query
    var filter = Messages.Filter()
    filter.channel = .push
    filter.destination = query["number"]
    filter.after = try count("after", in: query, atMost: Int.max) ?? 0
    let wanted = filter
    let test = PushTest(
      token: query["token"], provider: query["provider"], type: query["type"], state: try state(query))
    let timeout = try timeout(query)
    try query.requireAllRead()
    return try wait(timeout, request, sandbox) { sandbox in
      let pushes = try sentPushes(wanted, test, sandbox)
      return pushes.isEmpty ? nil : list(pushes, after: wanted.after, sandbox)
    } onTimeout: {
      list([], after: wanted.after, $0)
    }
  }

  /// One push by its id; `latest` is the newest, to a token where one is named.
  func fetchPush(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let query = try request.query
    let token = query["token"]
    try query.requireAllRead()
    let path = request[parameter: "id"]
    let isExport = path.hasSuffix(Self.simulatorSuffix)
    let id = isExport ? String(path.dropLast(Self.simulatorSuffix.count)) : path
    var filter = Messages.Filter()
    filter.channel = .push
    let found =
      id == "latest"
      ? try sentPushes(filter, PushTest(token: token), sandbox).last
      : try message(id, in: sandbox).flatMap { try sentPush(of: $0, in: sandbox) }
    guard let found else { throw ControlProblem.notFound("push \(id)") }
    if isExport { return try simulatorFile(of: found) }
    return .json(200, JSONWriter.object { writeEntry(found, sandbox, to: &$0) })
  }

  func clearPushes(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let query = try request.query
    let token = query["token"]
    try query.requireAllRead()
    try sandbox.pushes.clear(token: token)
    return Response(204)
  }

  func listPushAttempts(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let query = try request.query
    let token = query["token"]
    let after = try count("after", in: query, atMost: Int.max) ?? 0
    try query.requireAllRead()
    let attempts = try sandbox.pushAttempts.all(naming: token, after: after)
    return .json(
      200,
      JSONWriter.object { json in
        json.array("attempts", attempts) { json, attempt in json.value { write(attempt, to: &$0) } }
        json.member("cursor", attempts.last?.ordinal ?? after)
      })
  }

  /// What a simulator of iOS takes: the payload, and for which app it is.
  private func simulatorFile(of sent: SentPush) throws -> Response {
    guard let payload = sent.content["apns"]?["payload"], case .object(let members) = payload else {
      throw ControlProblem(
        status: 409, message: "the push goes to no device of iOS")
    }
    let app = sent.device?.draft.app.prefix { $0 != ":" } ?? ""
    let target = JSON.Member(name: "Simulator Target Bundle", value: .string(String(app)))
    return .json(200, JSON.object([target] + members).encoded())
  }

  private func sentPushes(
    _ filter: Messages.Filter, _ test: PushTest, _ sandbox: Sandbox
  ) throws -> [SentPush] {
    let now = sandbox.clock.now
    return try sandbox.messages.submitted(filter).compactMap { try sentPush(of: $0, in: sandbox) }
      .filter { test.passes($0, at: now) }
  }

  private func state(_ query: Form) throws -> Challenge.State? {
    guard let word = query["state"] else { return nil }
    guard let state = Challenge.State(rawValue: word) else {
      let words = Challenge.State.allCases.map(\.rawValue).joined(separator: ", ")
      throw FormError(field: "state", expected: "one of \(words)")
    }
    return state
  }

  private func list(_ pushes: [SentPush], after: Int, _ sandbox: Sandbox) -> Response {
    .json(
      200,
      JSONWriter.object { json in
        json.array("pushes", pushes) { json, sent in json.value { writeEntry(sent, sandbox, to: &$0) } }
        json.member("cursor", pushes.last?.message.ordinal ?? after)
      })
  }

  private func write(_ attempt: PushAttempt, to json: inout JSONWriter) {
    json.member("at", attempt.at.iso8601Milliseconds)
    json.member("provider", attempt.provider)
    json.object("target") {
      $0.member("kind", attempt.target?.kind)
      $0.member("value", attempt.target?.value)
    }
    json.member("status", attempt.status)
    json.member("error", attempt.code)
    json.member("dryRun", attempt.isDryRun)
    json.member("reference", attempt.reference)
  }

  private static let simulatorSuffix = ".apns"
}
