import Domain
import HTTP
import JSON

/// What people answer on their handsets when an app asks whether it is them.
extension ControlAPI {
  func approve(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try answer(.approve, request, sandbox)
  }

  func deny(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try answer(.deny, request, sandbox)
  }

  /// Holds a device's camera before a QR code: the text in it leads to the question that waits to be scanned.
  func scan(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let text = try fields.string("text")
    try fields.requireAllRead()
    let now = sandbox.clock.now
    let waiting = try sandbox.challenges.all(.init()).last {
      $0.push == nil && $0.state(at: now) == .pending && text.contains($0.reference)
    }
    guard let waiting else {
      throw ControlProblem.notFound("question that waits to be scanned and whose reference is in the text")
    }
    let device = try scanner(request[parameter: "id"], for: waiting, in: sandbox)
    guard let scanned = try sandbox.challenges.scan(waiting, with: device) else {
      throw ControlProblem(
        status: 409, message: "the question is put to \(waiting.holder) and \(waiting.provider)'s app there")
    }
    return .json(200, JSONWriter.object { write(scanned, sandbox, to: &$0) })
  }

  private func answer(
    _ answer: Challenge.Answer, _ request: Request, _ sandbox: Sandbox
  ) throws -> Response {
    let id = request[parameter: "id"]
    let now = sandbox.clock.now
    let asked = try challenges(id, in: sandbox)
    guard let challenge = asked.last(where: { $0.state(at: now) == .pending }) ?? asked.last else {
      throw ControlProblem.notFound("question to \(id)")
    }
    switch try sandbox.challenges.answer(answer, to: challenge) {
    case .taken(let answered):
      return .json(200, JSONWriter.object { write(answered, sandbox, to: &$0) })
    case .over(let challenge):
      let end = challenge.answeredAt ?? challenge.expiresAt
      throw ControlProblem(
        status: 409,
        message: "the newest question to \(id) waits no longer: "
          + "\(challenge.state(at: now).rawValue) at \(end.iso8601Milliseconds)")
    }
  }

  /// Questions to a number, to a device, about a reference, or (`latest`) to anybody; oldest first.
  private func challenges(_ id: String, in sandbox: Sandbox) throws -> [Challenge] {
    var filter = Challenges.Filter()
    if id == "latest" { return try sandbox.challenges.all(filter) }
    if let number = PhoneNumber(id) {
      filter.holder = number.description
      return try sandbox.challenges.all(filter)
    }
    if let device = try sandbox.devices.find(id) {
      filter.holder = device.draft.holder
      return try sandbox.challenges.all(filter).filter { $0.device == device.ordinal }
    }
    filter.reference = id
    return try sandbox.challenges.all(filter)
  }

  /// The device of an id, or the one on the number's handset that can answer the question.
  private func scanner(_ id: String, for challenge: Challenge, in sandbox: Sandbox) throws -> Device {
    guard let number = PhoneNumber(id) else { return try device(id, in: sandbox) }
    let devices = try sandbox.devices.all(of: number.description, provider: challenge.provider)
    guard let newest = devices.last else { throw ControlProblem.notFound("device on \(number)") }
    return newest
  }

  private func write(_ challenge: Challenge, _ sandbox: Sandbox, to json: inout JSONWriter) {
    json.member("provider", challenge.provider)
    json.member("reference", challenge.reference)
    json.member("number", challenge.holder)
    write(challenge, at: sandbox.clock.now, to: &json)
  }

  /// Writes what has become of a question.
  func write(_ challenge: Challenge, at now: Timestamp, to json: inout JSONWriter) {
    json.member("state", challenge.state(at: now).rawValue)
    json.member("askedAt", challenge.createdAt.iso8601Milliseconds)
    json.member("expiresAt", challenge.expiresAt.iso8601Milliseconds)
    json.member("answeredAt", challenge.answeredAt?.iso8601Milliseconds)
  }
}
